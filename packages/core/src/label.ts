import { cleanLabel } from "./text.ts";

/** What a report tells of a session's folder: its name, and where it is. */
export function placeOf(cwd: string | undefined, session: string | undefined): { label: string; cwd?: string } {
  return { label: sessionLabel(cwd, session), ...(cwd && { cwd }) };
}

/**
 * What the person calls a session: the name of the folder it works in, else the first 8 characters of its id.
 * Reads POSIX and Windows paths on any system, since a path may come from a container or a Windows guest.
 * @param cwd absolute path, any trailing slashes; `/` and `C:\` have no name
 */
export function sessionLabel(cwd: string | undefined, session: string | undefined): string {
  return cleanLabel(folderName(cwd ?? "")) || cleanLabel((session ?? "").slice(0, 8));
}

function folderName(path: string): string {
  // On POSIX a backslash may stand in a name: it separates only in a path that begins as Windows paths do.
  const windows = /^(?:[A-Za-z]:|\\\\)/.test(path);
  const parts = path.split(windows ? /[\\/]+/ : /\/+/).filter((part) => part.trim() !== "");
  const last = parts.at(-1) ?? "";
  return windows && /^[A-Za-z]:$/.test(last) ? "" : last;
}
