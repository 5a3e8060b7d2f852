/** `run/waits/` in moth's folder: a file for each wait that a hook has told of and that has not ended, moth or no moth. */
import { type Env, mothHome } from "./paths.ts";

export function waitNotes(env: Env): string {
  return `${mothHome(env)}/run/waits`;
}

/** The file's name: `<harness>.<session>.<wait>`. Without a wait, how those of the session begin. */
export function waitNote({ source, session = "" }: { source: string; session?: string }, wait = ""): string {
  return `${source}.${safe(session)}.${safe(wait)}`;
}

function safe(id: string): string {
  return id.slice(0, 80).replace(/[^\w-]/g, "_");
}
