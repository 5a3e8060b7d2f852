/**
 * moth's extension for Copilot, by which what it asks can be answered. Only for who asks for it: Copilot loads extensions with its
 * experimental features on, which moth leaves to the person, and so is the leave to handle permissions (1.0.102).
 */
import { basename, join } from "node:path";
import { field } from "@moth-companion/core/fields";
import { type Ledger, notedFiles, readLedger } from "../install/ledger.ts";
import { isEdited, isOurs, pluginChange, type PluginFile, pluginFileHealth } from "../install/plugin-file.ts";
import { PlanError } from "../install/plan-error.ts";
import { readBytes } from "../install/text-file.ts";
import type { FileChange, Health, InstallOptions } from "../types.ts";
import { copilotHome } from "./detect.ts";
import { SOURCE } from "./payload.ts";
import { copilotSettings } from "./settings.ts";

const FILE = "extension.mjs";

/** In moth's notes, where the files of its hooks bear the harness's id alone. */
const NOTED_AS = `${SOURCE} extension`;

/** Every folder in `extensions` with such a file is loaded. */
function extension({ env }: InstallOptions): PluginFile {
  const file = join(copilotHome(env), "extensions", "moth", FILE);
  return { harness: NOTED_AS, file, plugin: "@moth-companion/copilot/extension.mjs" };
}

export interface Extension {
  changes: FileChange[];
  /** For moth's notes. */
  notes: Ledger;
}

/** Puts it in its place when it is asked for, or a newer one over an older one. @throws PlanError */
export function extensionChanges(options: InstallOptions): Extension {
  const target = extension(options);
  if (options.answers && options.project !== undefined) {
    const message = "moth's extension for Copilot is yours and no project's. Leave out --project, or --answers.";
    throw new PlanError("NO_PROJECT", message, { file: target.file });
  }
  if (options.project !== undefined || (!options.answers && !isThere(target))) return { changes: [], notes: {} };
  const planned = pluginChange(options, target);
  return planned ? { changes: [planned.change], notes: { [target.file]: planned.note } } : { changes: [], notes: {} };
}

/** Takes it out of each folder of Copilot's that moth put it into. */
export function extensionRemoval(options: InstallOptions): { changes: FileChange[]; files: string[]; folders: string[] } {
  if (options.project !== undefined) return { changes: [], files: [], folders: [] };
  const target = extension(options);
  const ledger = readLedger(options.env);
  const files = [target.file, ...notedFiles(options.env, NOTED_AS, target.file)].filter((file) => basename(file) === FILE);
  const changes = files.flatMap((file): FileChange[] => {
    const before = readBytes(file);
    if (!before || !isOurs(before, target)) return [];
    return [{ file, before, after: undefined, own: !isEdited(ledger[file], before), summary: "removes moth's extension" }];
  });
  return { changes, files, folders: files.flatMap((file) => ledger[file]?.folders ?? []) };
}

/** What the person has to do so that Copilot can be answered through moth. */
export function extensionNotes(options: InstallOptions): string[] {
  const target = extension(options);
  if (options.project !== undefined || (!options.answers && !isThere(target))) return [];
  return [
    ...(isExperimental(options)
      ? []
      : [`Copilot loads extensions only with its experimental features: type ${SWITCH} in it once.`]),
    `At its start Copilot asks whether "user:moth" may handle permission requests. With a no, permissions stay in its window.`,
    "What it asks can be answered through moth with: moth config answers on",
  ];
}

const SWITCH = "/settings experimental on";

/** What is wrong with the extension where the hooks are well; nothing where there is none, or it is well, too. */
export function extensionTrouble(options: InstallOptions): Partial<Health> {
  const target = extension(options);
  if (options.project !== undefined) return {};
  const { status, problem, advice, where } = pluginFileHealth(options, target, []);
  if (status === "not-installed") return readLedger(options.env)[target.file] ? lost(target) : {};
  if (status !== "installed")
    return { status, ...(problem && { problem }), ...(advice && { advice: advice.replace(NOTED_AS, SOURCE) }) };
  if (isExperimental(options)) return {};
  return {
    problem: `moth's extension (${where[0] ?? target.file}) is not loaded: Copilot's experimental features are off, so it is answered in its window alone.`,
    advice: `Type ${SWITCH} in Copilot, and start it anew.`,
  };
}

function lost({ file }: PluginFile): Partial<Health> {
  return {
    status: "overwritten",
    problem: `${file} is gone: somebody took it out.`,
    advice: `To have it back: moth hook ${SOURCE} --answers. To leave it so: moth unhook ${SOURCE}, then moth hook ${SOURCE}`,
  };
}

function isThere(target: PluginFile): boolean {
  const bytes = readBytes(target.file);
  return bytes !== undefined && isOurs(bytes, target);
}

/** As far as Copilot's settings tell; with `--experimental` it loads them, too. */
function isExperimental({ env }: InstallOptions): boolean {
  return field(copilotSettings(join(copilotHome(env), "settings.json")), "experimental") === true;
}
