/**
 * Which waits are open, as files in moth's folder: `run/waits/<harness>.<session>.<wait>`. A hook that only closes waits fires
 * after every tool an agent uses; as long as nothing waits, the launcher looks here and starts no Node. A file is empty, or holds the
 * id by which moth knows the wait: one that can be answered is like no other, also when the same is asked again.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { makeFolder } from "@moth-companion/core/folder";
import type { Env } from "@moth-companion/core/paths";
import type { ReportOrigin } from "@moth-companion/core/protocol";
import { waitNote, waitNotes } from "@moth-companion/core/wait-notes";
import type { Report } from "@moth-companion/harnesses/payloads";

/** A session that was killed while it waited leaves its file: after a day nobody waits any more. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** Two hooks of one dialog begin that close to each other. */
const TWIN_MS = 2000;

/** Whether any session of the harness may be waiting. */
export function mayWait(env: Env, harness: string): boolean {
  return list(waitNotes(env)).some((file) => file.startsWith(`${harness}.`));
}

/** Milliseconds since 1970 at which the latest of a session's open waits was noted; undefined when none is. */
export function waitsSince(env: Env, from: ReportOrigin): number | undefined {
  const within = waitNotes(env);
  const its = list(within).filter((file) => file.startsWith(waitNote(from, "")));
  const times = its.flatMap((file) => statSync(`${within}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length > 0 ? Math.max(...times) : undefined;
}

/**
 * Notes what a report says of waits.
 * @returns the report as moth is to hear it; undefined when it tells nothing: the end of a wait that is not open, or a dialog that
 * another hook tells of and waits at
 */
export function keepWaits(env: Env, report: Report): Report | undefined {
  const within = waitNotes(env);
  const { body } = report;
  const state = report.to === "state" ? report : undefined;
  try {
    if (state?.body.wait) {
      const { wait, seq = 0 } = state.body;
      const file = waitNote(body, wait.id);
      const id = state.ask && `${wait.id}-${seq.toString(36)}`;
      if (!open(within, file, id)) return undefined;
      return id ? { ...state, body: { ...state.body, wait: { ...wait, id } } } : report;
    }
    const files = list(within);
    if (state?.body.ended !== undefined) {
      const file = waitNote(body, state.body.ended);
      if (!files.includes(file)) return undefined;
      const id = readFileSync(`${within}/${file}`, "utf8");
      rmSync(`${within}/${file}`, { force: true });
      return id ? { ...state, body: { ...state.body, ended: id } } : report;
    }
    for (const file of files) if (file.startsWith(waitNote(body))) rmSync(`${within}/${file}`, { force: true });
  } catch {
    // A folder that cannot be written costs a Node process per tool, or the watch a second. It costs no report.
  }
  return report;
}

/** Takes a wait's note away, unless it is another's by now. @param id as moth knows it; @param of as its report named it first */
export function dropWait(env: Env, from: ReportOrigin, of: string, id: string): void {
  const path = `${waitNotes(env)}/${waitNote(from, of)}`;
  try {
    if (readFileSync(path, "utf8") === id) rmSync(path, { force: true });
  } catch {
    // It is gone.
  }
}

/** Returns whether it is this hook's to tell of. */
function open(within: string, file: string, id: string | undefined): boolean {
  makeFolder(within, 0o700);
  const stale = Date.now() - MAX_AGE_MS;
  for (const other of list(within)) {
    const path = `${within}/${other}`;
    if (statSync(path).mtimeMs < stale) rmSync(path, { force: true });
  }
  const path = `${within}/${file}`;
  if (id === undefined ? isHeld(path) : !isFirst(path, id)) return false;
  writeFileSync(path, id ?? "", { mode: 0o600 });
  return true;
}

/** Whether another hook has just begun to wait at the same dialog. */
function isHeld(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.size > 0 && Date.now() - stat.mtimeMs < TWIN_MS;
}

/** Whether no other hook has just begun to wait at the same dialog: where moth is hooked in twice, one of the two does. */
function isFirst(path: string, id: string): boolean {
  try {
    writeFileSync(path, id, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return Date.now() - statSync(path).mtimeMs > TWIN_MS;
  }
}

function list(path: string): string[] {
  // Asked first: the usual answer is no, and a caught error costs more than the question.
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
