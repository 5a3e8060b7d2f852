/**
 * Which waits are open, as empty files in moth's folder: `run/waits/<harness>.<session>.<wait>`. A hook that only closes waits fires
 * after every tool an agent uses; as long as nothing waits, the launcher looks here and starts no Node.
 */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { makeFolder } from "@moth-companion/core/folder";
import { type Env, mothHome } from "@moth-companion/core/paths";
import type { ReportOrigin } from "@moth-companion/core/protocol";
import type { Report } from "@moth-companion/harnesses/payloads";

/** A session that was killed while it waited leaves its file: after a day nobody waits any more. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Whether any session of the harness may be waiting. */
export function mayWait(env: Env, harness: string): boolean {
  return list(folder(env)).some((file) => file.startsWith(`${harness}.`));
}

/**
 * Notes what a report says of waits.
 * @returns whether the report tells moth anything: the end of a wait that is not open does not
 */
export function keepWaits(env: Env, { to, body }: Report): boolean {
  const within = folder(env);
  const state = to === "state" ? body : undefined;
  try {
    if (state?.wait) {
      open(within, fileName(body, state.wait.id));
      return true;
    }
    const files = list(within);
    if (state?.ended !== undefined) {
      const file = fileName(body, state.ended);
      if (!files.includes(file)) return false;
      rmSync(`${within}/${file}`, { force: true });
      return true;
    }
    for (const file of files) if (file.startsWith(fileName(body, ""))) rmSync(`${within}/${file}`, { force: true });
  } catch {
    // A folder that cannot be written costs a Node process per tool, or the watch a second. It costs no report.
  }
  return true;
}

function fileName({ source, session = "" }: ReportOrigin, wait: string): string {
  return `${source}.${safe(session)}.${safe(wait)}`;
}

function safe(id: string): string {
  return id.slice(0, 80).replace(/[^\w-]/g, "_");
}

function open(within: string, file: string): void {
  makeFolder(within, 0o700);
  const stale = Date.now() - MAX_AGE_MS;
  for (const other of list(within)) {
    const path = `${within}/${other}`;
    if (statSync(path).mtimeMs < stale) rmSync(path, { force: true });
  }
  writeFileSync(`${within}/${file}`, "", { mode: 0o600 });
}

function folder(env: Env): string {
  return `${mothHome(env)}/run/waits`;
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
