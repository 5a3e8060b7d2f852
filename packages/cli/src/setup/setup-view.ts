import { dirname } from "node:path";
import { mothHome } from "@moth-companion/core/paths";
import type { FileChange } from "@moth-companion/harnesses";
import { type HookReport, isByPlugin, notifierWords } from "../hook-report.ts";
import { folded, isMoths, renderDeed, type View } from "../installer/deeds.ts";
import type { HarnessPlan } from "../installer/plans.ts";

interface SetupView extends View {
  reports: readonly HookReport[];
  /** Where moth will listen; undefined when it runs already. */
  start: string | undefined;
  /** How moth is called here. */
  self: string;
}

/** What `moth setup` will do, harness by harness. */
export function renderSetup(plans: readonly HarnessPlan[], view: SetupView): string[] {
  const { reports, start, self, env, style, columns } = view;
  const indented = (text: string): string[] => folded(text, columns, 2).map((line) => style.dim(line));
  const harnesses = plans.flatMap(({ harness, plan }) => {
    const report = reports.find(({ id }) => id === harness.id);
    const title = report?.version === undefined ? harness.name : `${harness.name} ${report.version}`;
    const others = report && report.notifiers.length > 0 ? indented(notifierWords(report)) : [];
    if (plan.changes.length === 0) return [title, "  moth is hooked in already", ...others];
    return [title, ...deeds(plan.changes, view), ...plan.notes.flatMap(indented), ...others];
  });
  for (const { name, where } of reports.filter((report) => report.found && isByPlugin(report)))
    harnesses.push(name, `  moth is in already: ${where.join(", ")}`);
  return [
    ...folded(
      `${style.lamp("moth")} tells you who of your coding agents is done, who failed and who waits for you. What they do and know stays as it is.`,
      columns,
      0,
    ),
    "",
    ...harnesses,
    "moth itself",
    `  its programs and notes in ${mothHome(env)}`,
    start === undefined ? "  it runs already" : `  starts in the background, at ${start}`,
    "",
    ...folded(
      `Each file of yours is backed up before it is changed. To undo all of it: ${self} unhook --all, then ${self} stop`,
      columns,
      0,
    ),
  ];
}

/** Files outside moth's folder; several of moth's own in one folder as that folder. */
function deeds(changes: readonly FileChange[], view: View): string[] {
  const outside = changes.filter(({ file }) => !isMoths(file, view.env));
  const lines = outside.map((change) => {
    const { file, own } = change;
    const many = own && outside.filter((other) => other.own && dirname(other.file) === dirname(file)).length > 1;
    return renderDeed(many ? { ...change, file: dirname(file) } : change, view);
  });
  return [...new Set(lines.map((deed) => deed.join("\n")))];
}
