/**
 * moth's half in the window: a file beside the settings of the window, and its name in `tui.jsonc`. That is read beside `tui.json`, which
 * moth leaves alone: where there is none, the harness makes one out of older settings (1.18.33, Kilo 7.7.7).
 */
import { dirname, join } from "node:path";
import { missingFolders } from "../install/folders.ts";
import { addItem, hasItem, isBlank, type JsonList, removeItem } from "../install/json-list.ts";
import { type Note, notedFiles, readLedger } from "../install/ledger.ts";
import { PlanError } from "../install/plan-error.ts";
import { builtFile, isEdited, isOurs, pluginChange, type PluginFile } from "../install/plugin-file.ts";
import { encodeText, readBytes, readTextFile } from "../install/text-file.ts";
import { fingerprint } from "../install/ledger.ts";
import type { FileChange, Health, InstallOptions } from "../types.ts";

/** One folder that moth's half is in, or should be. */
export interface WindowPlace {
  plugin: PluginFile;
  list: JsonList;
}

/** @param server where moth's other half goes: `plugins/moth.js` in the same folder */
export function windowPlace(server: PluginFile): WindowPlace {
  return placeIn(dirname(dirname(server.file)), server.harness);
}

function placeIn(folder: string, harness: string): WindowPlace {
  const file = join(folder, "tui.jsonc");
  return {
    plugin: {
      harness: noteName(harness),
      file: join(folder, "moth-window.js"),
      plugin: "@moth-companion/opencode/moth-window.js",
      notedBy: file,
    },
    list: { file, list: "plugin", text: "./moth-window.js" },
  };
}

/** In moth's notes, where the files of the other half bear the harness's id alone. */
function noteName(harness: string): string {
  return `${harness} window`;
}

/** Where else moth's half was put: into projects, above all. */
export function otherWindows({ env }: InstallOptions, harness: string, { list }: WindowPlace): WindowPlace[] {
  return notedFiles(env, noteName(harness), list.file).map((file) => placeIn(dirname(file), harness));
}

/** The file comes before its name. @throws PlanError */
export function windowChanges(
  options: InstallOptions,
  place: WindowPlace,
): { changes: FileChange[]; notes: Record<string, Note> } {
  const { plugin, list } = place;
  const present = readTextFile(list.file);
  const text = present?.text ?? "";
  const added = addItem(text, list);
  const file = pluginChange(options, plugin);
  const changes = file ? [file.change] : [];
  if (added.text !== text) {
    changes.push({
      file: list.file,
      before: present?.bytes,
      after: encodeText(added.text, present?.bom ?? false),
      mode: 0o644,
      summary: "names moth's plugin",
    });
  }
  if (changes.length === 0) return { changes, notes: {} };
  const known = hasItem(text, list) ? readLedger(options.env)[list.file] : undefined;
  const first = { created: !present, folders: missingFolders(list.file), made: added.made };
  const built = fingerprint(builtFile(options, plugin));
  return { changes, notes: { [list.file]: { ...first, ...known, harness: plugin.harness, wrote: built, plugin: [built] } } };
}

/** The name goes before its file. @throws PlanError */
export function windowRemoval(
  { env }: InstallOptions,
  { plugin, list }: WindowPlace,
): { changes: FileChange[]; folders: string[] } {
  const note = readLedger(env)[list.file];
  const changes: FileChange[] = [];
  const present = readTextFile(list.file);
  const text = present && removeItem(present.text, list, note?.made);
  if (present && text !== undefined && text !== present.text) {
    // A file that moth made goes when nothing else has come into it.
    const gone = note?.created === true && isBlank(text);
    changes.push({
      file: list.file,
      before: present.bytes,
      after: gone ? undefined : encodeText(text, present.bom),
      ...(gone && { own: true }),
      summary: "takes moth's plugin out",
    });
  }
  const bytes = readBytes(plugin.file);
  if (bytes && isOurs(bytes, plugin)) {
    const own = !isEdited(note, bytes);
    changes.push({ file: plugin.file, before: bytes, after: undefined, own, summary: "removes moth's plugin" });
  }
  return { changes, folders: note?.folders ?? [] };
}

/** What is wrong with moth's half, where the other half is well; nothing when it is well, too. */
export function windowTrouble(options: InstallOptions, harness: string, place: WindowPlace): Omit<Health, "where"> | undefined {
  const { plugin, list } = place;
  const again = `moth hook ${harness}`;
  try {
    const named = hasItem(readTextFile(list.file)?.text ?? "", list);
    const bytes = readBytes(plugin.file);
    if (bytes && !isOurs(bytes, plugin)) {
      const problem = `${plugin.file} is another program's, where moth's plugin belongs.`;
      return { status: "overwritten", problem, advice: `Give that file another name, then: ${again}` };
    }
    const noted = readLedger(options.env)[list.file];
    if (!noted && !named && !bytes)
      return {
        status: "outdated",
        problem: "moth's half in the window came with a later version.",
        advice: `To have it: ${again}`,
      };
    if (!named || !bytes) {
      const problem = bytes ? `moth's plugin is not named in ${list.file}.` : `${plugin.file} is missing.`;
      return { status: "broken", problem, advice: `To have it back: ${again}` };
    }
    const built = builtFile(options, plugin);
    if (bytes.equals(built)) return undefined;
    if (noted?.wrote === fingerprint(built))
      return {
        status: "modified",
        problem: `${plugin.file} is not as moth wrote it.`,
        advice: `To have moth's own back: ${again}`,
      };
    return { status: "outdated", problem: "moth's plugin is of another version.", advice: `To have this one: ${again}` };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { status: "broken", problem: error.message };
  }
}
