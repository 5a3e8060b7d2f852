/** moth's plugin as one file in dsh's home folder, and a row for it in the `cordis.patch.yml` beside it, which every profile reads. */
import { join } from "node:path";
import { missingFolders } from "../install/folders.ts";
import { fingerprint, ledgerChange, type Note, readLedger } from "../install/ledger.ts";
import { PlanError } from "../install/plan-error.ts";
import { builtFile, planNoPluginFile, planPluginFile, type PluginFile } from "../install/plugin-file.ts";
import { encodeText, readTextFile } from "../install/text-file.ts";
import { addRow, hasNoPatches, readRows, removeRows, type YamlRows } from "../install/yaml-rows.ts";
import type { FileChange, InstallOptions, Plan } from "../types.ts";
import { dshHome } from "./detect.ts";

const ID = "dsh";
/** As a profile sees it, from `profiles/<name>/`: a home that moves takes its row along, and Windows paths need no other form. */
const NAME = "../../moth.mjs";
/** A row whose file is gone would keep dsh from starting; this one then switches itself off (0.1.0-rc.8). */
const GONE = `process.getBuiltinModule?.('node:fs').existsSync(new URL('${NAME}', baseUrl)) === false`;

/** @throws PlanError for a project: dsh has no settings there */
export function places({ env, project }: InstallOptions): { plugin: PluginFile; patches: YamlRows } {
  if (project !== undefined) {
    const message = "dsh has no settings of a project's. Hook it without --project: it is heard in every folder.";
    throw new PlanError("NO_PROJECT", message, { file: project });
  }
  const home = dshHome(env);
  const file = join(home, "cordis.patch.yml");
  return {
    plugin: { harness: ID, file: join(home, "moth.mjs"), plugin: "@moth-companion/dsh/moth.mjs", notedBy: file },
    patches: {
      file,
      list: "insert",
      row: `{ id: moth, name: ${NAME}, disabled: !!js "${GONE}" }`,
      isOurs: ({ name }) => typeof name === "string" && (/(?:^|[\\/])moth\.mjs$/.test(name) || name === "@moth-companion/dsh"),
    },
  };
}

/** @throws PlanError */
export async function planHook(options: InstallOptions): Promise<Plan> {
  const { plugin, patches } = places(options);
  const file = await planPluginFile(options, plugin);
  const present = readTextFile(patches.file);
  const text = present?.text ?? "";
  requireFree(text, patches);
  const edited = addRow(text, patches);
  const hadRow = readRows(text, patches).length > 0;
  const folders = missingFolders(patches.file);
  const known = hadRow ? readLedger(options.env)[patches.file] : undefined;
  const first: Note = {
    harness: ID,
    created: !present,
    folders,
    // A file of comments alone comes back as such, although dsh does not start with it.
    made: !hadRow && hasNoPatches(text, patches) ? { "": text } : {},
  };
  // One note is enough for both: they come and go together.
  const changes = file.changes.filter(({ file: name }) => name === plugin.file);
  if (edited !== text)
    changes.push({
      file: patches.file,
      before: present?.bytes,
      after: encodeText(edited, present?.bom ?? false),
      summary: hadRow ? "updates moth's row" : "adds moth's row",
    });
  if (changes.length > 0) {
    const noted = ledgerChange(options.env, patches.file, {
      ...(known ?? first),
      wrote: mark(options),
      plugin: [fingerprint(builtFile(options, plugin))],
    });
    changes.unshift(...(noted ? [noted] : []));
  }
  return {
    harness: ID,
    action: "hook",
    changes,
    notes: changes.length === 0 ? [] : ["Start dsh anew: one that runs already may not see the row."],
    again: () => planHook(options),
  };
}

/** What moth writes, in a few letters. */
export function mark(options: InstallOptions): string {
  const { plugin, patches } = places(options);
  return fingerprint(patches.row, builtFile(options, plugin));
}

/** @throws PlanError */
export async function planUnhook(options: InstallOptions): Promise<Plan> {
  const { plugin, patches } = places(options);
  // The row first: without its file it is nothing, and the file without it does no harm.
  const row = planNoRow(options, patches);
  const plan = await planNoPluginFile(options, plugin);
  return { ...plan, changes: [...(row ? [row] : []), ...plan.changes], notes: [], again: () => planUnhook(options) };
}

function planNoRow({ env }: InstallOptions, patches: YamlRows): FileChange | undefined {
  const present = readTextFile(patches.file);
  if (!present || readRows(present.text, patches).length === 0) return undefined;
  const note = readLedger(env)[patches.file];
  const rest = removeRows(present.text, patches);
  // A file that moth made goes when nothing else has come into it.
  const gone = note?.created === true && rest === "";
  // With nothing but comments in it dsh would not start.
  const bare = hasNoPatches(rest, patches) && note?.made[""] !== rest;
  const text = bare ? `${rest}${rest === "" || rest.endsWith("\n") ? "" : "\n"}[]\n` : rest;
  return {
    file: patches.file,
    before: present.bytes,
    after: gone ? undefined : encodeText(text, present.bom),
    ...(gone && { own: true }),
    summary: "removes moth's row",
  };
}

/** Another plugin of that id would be replaced by moth's. */
function requireFree(text: string, patches: YamlRows): void {
  const named = { ...patches, isOurs: (row: Readonly<Record<string, unknown>>) => row["id"] === "moth" && !patches.isOurs(row) };
  if (readRows(text, named).length === 0) return;
  const message = `${patches.file} has another plugin with the id "moth". Give it another id and try again.`;
  throw new PlanError("UNEXPECTED", message, { file: patches.file });
}
