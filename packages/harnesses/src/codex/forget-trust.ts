/** Codex keeps its note of a hook it once trusted. When moth goes, Codex is asked to forget its own of moth's, through its own door. */
import { realpathSync } from "node:fs";
import { getNodeValue } from "jsonc-parser";
import type { HookTable } from "../install/hook-table.ts";
import { parseDocument } from "../install/jsonc.ts";
import { type Note, notedFiles } from "../install/ledger.ts";
import { readBytes } from "../install/text-file.ts";
import { parseToml } from "../install/toml-edit.ts";
import type { InstallOptions, PlanRequest, RequestAnswer } from "../types.ts";
import { type AppServer, PATIENT_MS, withAppServer } from "./app-server.ts";
import { letCodexWrite, stateOf } from "./config-guard.ts";
import { configFile, findCodex } from "./detect.ts";
import { SOURCE } from "./payload.ts";
import { field } from "./rollout.ts";
import { hadTable, noteTrust, readTrustNote } from "./trust-note.ts";

/**
 * @param file the hooks that moth is taken out of; with a project that one's, else every noted file's too
 * @returns undefined when Codex has no such note
 */
export function requestForgetting(options: InstallOptions, table: HookTable, file: string): PlanRequest | undefined {
  const files = [file, ...(options.project === undefined ? notedFiles(options.env, SOURCE, file) : [])];
  const noted = Object.keys(readState(options) ?? {});
  const keys = files.flatMap((one) => keysOf(one, table)).filter((key) => noted.includes(key));
  if (keys.length === 0) return undefined;
  const note = readTrustNote(options);
  const summary = `to forget that it trusted moth's ${keys.length} hooks`;
  return { summary, file: configFile(options), run: () => forget(options, keys, note) };
}

async function forget(options: InstallOptions, keys: readonly string[], noted: Note | undefined): Promise<RequestAnswer> {
  const program = findCodex(options.env);
  try {
    if (program === undefined) throw new Error("it was not found on PATH");
    const work = async (server: AppServer): Promise<void> => {
      await server.clear(keys.map((key) => `hooks.state.${JSON.stringify(key)}`));
      // The table came with the first note, unless it is known to be the person's.
      const left = readState(options);
      if (left && Object.keys(left).length === 0 && !hadTable(noted)) await server.clear(["hooks.state"]);
    };
    const { before, after, backup } = await letCodexWrite({
      file: configFile(options),
      keys,
      removeEmpty: noted?.created === true,
      write: () => withAppServer(program, options.env, work, PATIENT_MS),
    });
    // Trust in hooks of elsewhere is left, and so is the note of it.
    if (readTrustNote(options)) await noteTrust(options, { before, after });
    return {
      ok: true,
      note: "Codex has forgotten that it trusted moth's hooks.",
      ...(backup !== undefined && { backup }),
    };
  } catch (error) {
    // The note says nothing without the hooks: no reason to fail.
    const why = error instanceof Error ? error.message : String(error);
    return { ok: true, note: `Codex could not be asked to forget that it trusted moth's hooks (${why}). That does no harm.` };
  }
}

/** The trust that Codex has noted, by hook. */
function readState(options: InstallOptions): object | undefined {
  const file = configFile(options);
  try {
    const text =
      readBytes(file)
        ?.toString("utf8")
        .replace(/^\uFEFF/, "") ?? "";
    return text.includes("hooks") ? stateOf(parseToml(file, text)) : undefined;
  } catch {
    // What cannot be read is not changed.
    return undefined;
  }
}

/** How Codex names moth's hooks in a file: `<file>:<event>:<group>:<entry>`. */
function keysOf(file: string, table: HookTable): string[] {
  let hooks: unknown;
  let real = file;
  try {
    const text =
      readBytes(file)
        ?.toString("utf8")
        .replace(/^\uFEFF/, "") ?? "";
    hooks = text === "" ? undefined : field(getNodeValue(parseDocument(file, text).root), "hooks");
    // Codex calls its folder by its real path when CODEX_HOME names it.
    real = realpathSync(file);
  } catch {
    return [];
  }
  return Object.entries(typeof hooks === "object" && hooks !== null ? hooks : {}).flatMap(([event, groups]) =>
    list(groups).flatMap((group, at) =>
      list(field(group, "hooks")).flatMap((entry, index) => {
        if (!table.isOurs({ ...(entry as object) })) return [];
        const place = `${snakeCase(event)}:${at}:${index}`;
        return [...new Set([file, real])].map((path) => `${path}:${place}`);
      }),
    ),
  );
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function snakeCase(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
