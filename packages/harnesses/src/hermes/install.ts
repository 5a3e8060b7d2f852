/** moth's plugin as a folder in `plugins/`, and its name in `plugins.enabled` of `config.yaml`: Hermes loads no other (0.19.0). */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { missingFolders } from "../install/folders.ts";
import { fingerprint, ledgerChange, ledgerRemoval, type Note, notedFiles, readLedger } from "../install/ledger.ts";
import { PlanError } from "../install/plan-error.ts";
import { isEdited } from "../install/plugin-file.ts";
import { encodeText, readBytes, readTextFile } from "../install/text-file.ts";
import { addWord, hasWord, removeWord, type YamlList } from "../install/yaml-list.ts";
import type { FileChange, Health, InstallOptions, Plan } from "../types.ts";
import { hermesHome, profileHome } from "./detect.ts";

const PLUGIN = "@moth-companion/hermes/plugin.yaml";
const NAME = "moth";
/** The half for Hermes Desktop, which takes it from there. */
const DESKTOP = "desktop";
/** The first line of the plugin's program, the same in every version. */
const OURS = '"""moth\'s plugin for Hermes Agent';

/** @throws PlanError */
export async function planHook(options: InstallOptions): Promise<Plan> {
  const { folder, config, list } = places(options);
  if (isStranger(folder)) {
    const message = `${folder} is not moth's, so moth leaves it alone. Give it another name and try again.`;
    throw new PlanError("UNEXPECTED", message, { file: join(folder, "__init__.py") });
  }
  const changes: (FileChange | undefined)[] = [];
  const known = readLedger(options.env)[config];
  const settings = readTextFile(config);
  const text = settings?.text ?? "";
  const added = addWord(text, list);
  const built = builtFiles(options);
  const files = planFiles(folder, built, known);
  missingFolders(config);
  const missing = [...built.keys()].map((name) => missingFolders(join(folder, name)))[0];
  if (files.length > 0 || added.text !== text) {
    const made = Object.fromEntries(added.made.map((name) => [name, null]));
    const note: Note = {
      harness: "hermes",
      created: known?.created ?? !settings,
      folders: known?.folders ?? missing ?? [],
      made: { ...known?.made, ...made },
      wrote: mark(options),
      plugin: [...built.values()].map((bytes) => fingerprint(bytes)),
    };
    changes.push(ledgerChange(options.env, config, note), ...files);
  }
  if (added.text !== text) {
    changes.push({
      file: config,
      before: settings?.bytes,
      after: encodeText(added.text, settings?.bom ?? false),
      mode: 0o600,
      summary: `adds ${NAME} to plugins.enabled`,
    });
  }
  const planned = changes.filter((change) => change !== undefined);
  return {
    harness: "hermes",
    action: "hook",
    changes: planned,
    notes: planned.length === 0 ? [] : notes(text, options),
    again: () => planHook(options),
  };
}

/** Out of every profile moth was put into; with a profile out of that one alone. @throws PlanError */
export async function planUnhook(options: InstallOptions): Promise<Plan> {
  const own = places(options);
  const outs = [takeOut(options, own)];
  const forgotten = [own.config];
  const notes: string[] = [];
  for (const other of otherPlaces(options, own)) {
    try {
      outs.push(takeOut(options, other));
      forgotten.push(other.config);
    } catch (error) {
      // One profile that cannot be changed must not keep moth in all the rest.
      if (!(error instanceof PlanError)) throw error;
      notes.push(`moth stays in ${other.folder}: ${error.message}`);
    }
  }
  const changes = [...outs.flatMap((out) => out.changes), ledgerRemoval(options.env, forgotten)];
  return {
    harness: "hermes",
    action: "unhook",
    changes: changes.filter((change) => change !== undefined),
    folders: outs.flatMap(({ folders }) => folders),
    notes,
    again: () => planUnhook(options),
  };
}

function takeOut(options: InstallOptions, { folder, config, list }: Place): { changes: FileChange[]; folders: string[] } {
  const note = readLedger(options.env)[config];
  const changes: FileChange[] = [];
  const settings = readTextFile(config);
  if (settings && hasWord(settings.text, list) && !isStranger(folder)) {
    const text = removeWord(settings.text, list, Object.keys(note?.made ?? {}));
    // A file that moth made goes when nothing else has come into it.
    const empty = note?.created === true && text === "";
    changes.push({
      file: config,
      before: settings.bytes,
      after: empty ? undefined : encodeText(text, settings.bom),
      ...(empty && { own: true }),
      summary: `removes ${NAME} from plugins.enabled`,
    });
  }
  const ours = isStranger(folder) ? [] : ourFiles(folder);
  changes.push(...ours.map((file) => removal(file, note)));
  const inside = ["__pycache__", DESKTOP].map((name) => join(folder, name));
  return { changes, folders: [...inside, folder, ...(note?.folders ?? []).filter((made) => made !== folder)] };
}

export function health(options: InstallOptions): Promise<Health> {
  return Promise.resolve().then(() => {
    const { folder } = places(options);
    try {
      return look(options);
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      return ourFiles(folder).length === 0
        ? { status: "not-installed", where: [], problem: error.message }
        : { status: "broken", where: [folder], problem: error.message };
    }
  });
}

function look(options: InstallOptions): Health {
  const { folder, config, list } = places(options);
  const where = [config, folder];
  const again = "moth hook hermes";
  if (isStranger(folder)) {
    const problem = `${folder} is another plugin, where moth's belongs.`;
    return { status: "overwritten", where: [], problem, advice: `Give that folder another name, then: ${again}` };
  }
  const text = readTextFile(config)?.text ?? "";
  const enabled = hasWord(text, list);
  const installed = existsSync(join(folder, "__init__.py"));
  if (!installed && !enabled) {
    const others = otherPlaces(options, { folder, config, list }).filter((other) => ourFiles(other.folder).length > 0);
    return { status: others.length > 0 ? "installed" : "not-installed", where: others.map((other) => other.folder) };
  }
  if (!installed)
    return { status: "broken", where: [config], problem: `${folder} is missing.`, advice: `To have it back: ${again}` };
  if (hasWord(text, { ...list, list: "disabled" }))
    return {
      status: "disabled",
      where,
      problem: "moth stands in plugins.disabled.",
      advice: "To switch it on: hermes plugins enable moth",
    };
  if (!enabled)
    return {
      status: "disabled",
      where: [folder],
      problem: "moth is not in plugins.enabled.",
      advice: `To put it there: ${again}`,
    };
  if (planFiles(folder, builtFiles(options)).length > 0 && readLedger(options.env)[config]?.wrote === mark(options))
    return {
      status: "modified",
      where,
      problem: `moth's plugin in ${folder} is not as moth wrote it.`,
      advice: `To have moth's own back: ${again}`,
    };
  if (planFiles(folder, builtFiles(options)).length > 0)
    return { status: "outdated", where, problem: "moth's plugin is of another version.", advice: `To have this one: ${again}` };
  return { status: "installed", where };
}

interface Place {
  folder: string;
  config: string;
  list: YamlList;
}

function places({ env, project, profile }: InstallOptions): Place {
  const home = profile === undefined ? hermesHome(env) : profileHome(env, profile);
  if (profile !== undefined && !(/^[\w-]+$/.test(profile) && existsSync(home)))
    throw new PlanError("UNEXPECTED", `Hermes has no profile "${profile}". See them: hermes profile list`, { file: home });
  if (project !== undefined) {
    const message =
      "Hermes loads no plugin of a project's unless HERMES_ENABLE_PROJECT_PLUGINS is set. Hook it without --project.";
    throw new PlanError("NO_PROJECT", message, { file: project });
  }
  return placeIn(home);
}

function placeIn(home: string): Place {
  const config = join(home, "config.yaml");
  return { folder: join(home, "plugins", NAME), config, list: { file: config, block: "plugins", list: "enabled", word: NAME } };
}

/** Where else moth was put, when no profile is asked for. */
function otherPlaces({ env, profile }: InstallOptions, { config }: Place): Place[] {
  return profile === undefined ? notedFiles(env, "hermes", config).map((file) => placeIn(dirname(file))) : [];
}

function notes(text: string, { env }: InstallOptions): string[] {
  const all = ["Start Hermes anew, and its gateway: they load plugins only at their start."];
  const list = { file: "", block: "plugins", list: "disabled", word: NAME };
  if (hasWord(text, list)) all.push("moth stands in plugins.disabled, which wins: hermes plugins enable moth");
  const profiles = join(hermesHome(env), "profiles");
  if (existsSync(profiles) && readdirSync(profiles).length > 0)
    all.push("Each profile has plugins of its own. For another one: moth hook hermes --profile <its name>");
  return all;
}

function mark(options: InstallOptions): string {
  return fingerprint(...[...builtFiles(options)].flat());
}

/** By name within the folder. */
function builtFiles({ findPlugin }: InstallOptions): Map<string, Buffer> {
  const from = dirname(findPlugin(PLUGIN));
  return new Map(programsIn(from).map((file) => [relative(from, file), readFileSync(file)]));
}

/** What makes the folder hold these files, and none of an older version. */
function planFiles(folder: string, files: ReadonlyMap<string, Buffer>, note?: Note): FileChange[] {
  const changes: FileChange[] = [];
  for (const [name, after] of files) {
    const file = join(folder, name);
    const before = readBytes(file);
    if (before?.equals(after)) continue;
    changes.push({
      file,
      before,
      after,
      mode: 0o644,
      own: !before || !isEdited(note, before),
      summary: before ? "replaces moth's plugin" : "adds moth's plugin",
    });
  }
  const stale = programsIn(folder).filter((file) => !files.has(relative(folder, file)));
  return [...changes, ...stale.map((file) => removal(file, note))];
}

function removal(file: string, note: Note | undefined): FileChange {
  const before = readBytes(file);
  // What Python made is nobody's work.
  const own = file.endsWith(".pyc") || !before || !isEdited(note, before);
  return { file, before, after: undefined, own, summary: "removes moth's plugin" };
}

/** Its programs, and what Python made of them. */
function ourFiles(folder: string): string[] {
  return [...programsIn(folder), ...filesIn(join(folder, "__pycache__"), /\.pyc$/)];
}

/** Its programs and its manifest, its half for the desktop among them. */
function programsIn(folder: string): string[] {
  return [...filesIn(folder, /^plugin\.yaml$|\.py$/), ...filesIn(join(folder, DESKTOP), /^plugin\.js$/)];
}

function filesIn(folder: string, match: RegExp): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => match.test(name));
  // Not links that lead nowhere.
  return names.map((name) => join(folder, name)).filter((file) => existsSync(file));
}

function isStranger(folder: string): boolean {
  const program = readBytes(join(folder, "__init__.py"));
  return program !== undefined && !program.subarray(0, 200).toString("latin1").startsWith(OURS);
}
