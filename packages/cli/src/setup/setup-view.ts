import { dirname, relative } from "node:path";
import { type Env, mothHome } from "@moth-companion/core/paths";
import type { FileChange } from "@moth-companion/harnesses";
import { type HookReport, isByPlugin, notifierWords } from "../hook-report.ts";
import type { HarnessPlan } from "../installer/plans.ts";
import type { Style } from "../style.ts";
import { wrap } from "../width.ts";

interface View {
  reports: readonly HookReport[];
  /** Where moth will listen; undefined when it runs already. */
  start: string | undefined;
  /** How moth is called here. */
  self: string;
  env: Env;
  style: Style;
  columns: number | undefined;
}

/** What `moth setup` will do, harness by harness. */
export function renderSetup(plans: readonly HarnessPlan[], view: View): string[] {
  const { reports, start, self, env, style, columns } = view;
  const folded = (text: string): string[] => (columns === undefined ? [text] : wrap(text, columns));
  const indented = (text: string): string[] =>
    (columns === undefined ? [text] : wrap(text, columns - 2)).map((line) => `  ${style.dim(line)}`);
  const harnesses = plans.flatMap(({ harness, plan }) => {
    const report = reports.find(({ id }) => id === harness.id);
    const title = report?.version === undefined ? harness.name : `${harness.name} ${report.version}`;
    const others = report && report.notifiers.length > 0 ? indented(notifierWords(report)) : [];
    if (plan.changes.length === 0) return [title, "  moth is hooked in already", ...others];
    return [title, ...deeds(plan.changes, env), ...plan.notes.flatMap(indented), ...others];
  });
  for (const { name, where } of reports.filter((report) => report.found && isByPlugin(report)))
    harnesses.push(name, `  moth is in already: ${where.join(", ")}`);
  return [
    ...folded(
      `${style.lamp("moth")} tells you who of your coding agents is done, who failed and who waits for you. What they do and know stays as it is.`,
    ),
    "",
    ...harnesses,
    "moth itself",
    `  its programs and notes in ${mothHome(env)}`,
    start === undefined ? "  it runs already" : `  starts in the background, at ${start}`,
    "",
    ...folded(`Each file of yours is backed up before it is changed. To undo all of it: ${self} unhook --all, then ${self} stop`),
  ];
}

/** Files outside moth's folder, one a line; several of moth's own in one folder as that folder. */
function deeds(changes: readonly FileChange[], env: Env): string[] {
  const outside = changes.filter(({ file }) => relative(mothHome(env), file).startsWith(".."));
  const lines = outside.map(({ file, before, after, own, summary }) => {
    const deed = after === undefined ? "remove" : before === undefined ? "create" : "change";
    const many = own && outside.filter((other) => other.own && dirname(other.file) === dirname(file)).length > 1;
    return `  ${deed}  ${many ? dirname(file) : file} (${summary})`;
  });
  return [...new Set(lines)];
}
