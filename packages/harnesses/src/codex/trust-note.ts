/** moth's notes of what `config.toml` was before Codex noted there, for moth, that it trusts moth's hooks. */
import { join } from "node:path";
import { applyPlan } from "../install/apply.ts";
import { fingerprint, ledgerChange, ledgerRemoval, type Note, notedFiles, readLedger } from "../install/ledger.ts";
import { PlanError } from "../install/plan-error.ts";
import { readBytes, readTextFile } from "../install/text-file.ts";
import { parseToml } from "../install/toml-edit.ts";
import type { FileChange, InstallOptions, Plan } from "../types.ts";
import { type ConfigChange, stateOf } from "./config-guard.ts";
import { configFile } from "./detect.ts";
import { SOURCE } from "./payload.ts";

const TABLE = "hooks.state";

/** The table in the file has a note of its own: of the file itself there is another one, when `notify` is moth's. */
function noteKey(file: string): string {
  return join(file, TABLE);
}

/** @returns undefined when Codex was never asked for trust, or was asked to forget it again */
export function readTrustNote(options: InstallOptions): Note | undefined {
  return readLedger(options.env)[noteKey(configFile(options))];
}

/** Whether an empty `[hooks.state]` is the person's. */
export function hadTable(note: Note | undefined): boolean {
  return note !== undefined && note.made[TABLE] !== null;
}

/** Notes what Codex made of the file. @throws PlanError BUSY */
export async function noteTrust(options: InstallOptions, { before, after, backup }: ConfigChange): Promise<void> {
  const { env } = options;
  const file = configFile(options);
  const plan = (): Plan => {
    const old = readTrustNote(options);
    const goesOn = before !== undefined && old?.asked?.after === mark(before);
    const asked = after && {
      after: mark(after),
      ...(before && { before: mark(before) }),
      ...(backup !== undefined && { backup }),
      ...(goesOn && { before: old.asked?.before, backup: old.asked?.backup }),
    };
    const value = before ? parseToml(file, before.toString("utf8").replace(/^\uFEFF/, "")) : {};
    const note: Note = {
      // Not the harness's id first: nothing of moth's own stands there.
      harness: `${TABLE} ${SOURCE}`,
      created: old ? old.created : !before,
      folders: [],
      made: old?.made ?? { [TABLE]: stateOf(value) ? "" : null },
      // When somebody changed the file between two trusts, what was before the later one is not what was before moth.
      ...(asked && (!old || goesOn) && { asked: asked as Note["asked"] & object }),
    };
    const change = ledgerChange(env, noteKey(file), note);
    return {
      harness: SOURCE,
      action: "hook",
      changes: change ? [change] : [],
      notes: [],
      again: () => Promise.resolve().then(plan),
    };
  };
  await applyPlan(plan(), env);
}

/**
 * Gives `config.toml` its bytes back, if it still is as Codex left it then, and forgets about it.
 * @param hooks the file that moth's hooks are taken out of
 * @returns `restores`: nothing is left for Codex to forget
 */
export function planTrustBack(options: InstallOptions, hooks: string): Plan & { restores: boolean } {
  const { env, project } = options;
  const file = configFile(options);
  const others = notedFiles(env, SOURCE, hooks).length > 0;
  // Trust in the hooks of elsewhere stays where it is.
  const change = project !== undefined && others ? undefined : bytesBack(options);
  const removal = project !== undefined && others ? undefined : ledgerRemoval(env, [noteKey(file)]);
  return {
    harness: SOURCE,
    action: "unhook",
    changes: [change, removal].filter((one) => one !== undefined),
    notes: [],
    again: () => Promise.resolve().then(() => planTrustBack(options, hooks)),
    restores: change !== undefined,
  };
}

function bytesBack(options: InstallOptions): FileChange | undefined {
  const file = configFile(options);
  const note = readTrustNote(options);
  if (!note?.asked) return undefined;
  try {
    const now = readTextFile(file)?.bytes;
    if (!now || mark(now) !== note.asked.after) return undefined;
    const { backup, before } = note.asked;
    const old = backup === undefined ? undefined : readBytes(backup);
    if (note.created ? before !== undefined : !old || mark(old) !== before) return undefined;
    const summary = "is as it was before Codex trusted moth's hooks";
    return { file, before: now, after: old, summary, ...(old === undefined && { own: true }) };
  } catch (error) {
    // A file that cannot be read or written is not restored.
    if (!(error instanceof PlanError)) throw error;
    return undefined;
  }
}

function mark(bytes: Buffer): string {
  return fingerprint(bytes);
}
