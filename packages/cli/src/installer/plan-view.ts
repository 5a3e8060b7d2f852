import type { Applied, FileChange, Harness, Plan, RequestAnswer } from "@moth-companion/harnesses";
import { runnable } from "../runnable.ts";
import type { Style } from "../style.ts";
import { fit } from "../width.ts";
import { diffLines } from "./diff.ts";

/** The shape of `moth hook --json` and `moth unhook --json`, one per harness. */
export interface PlanReport {
  harness: string;
  action: "hook" | "unhook";
  /** Nothing was or would be changed when empty. `backup`: where the file's earlier contents are kept. */
  changes: { file: string; does: "create" | "change" | "remove"; summary: string; backup?: string }[];
  notes: string[];
  /** What the harness itself was or would be asked for: "to trust moth's 7 hooks". */
  request?: string;
  /** The file the harness then changes itself. `backup`: where its earlier contents are kept. */
  requestFile?: { file: string; backup?: string };
  /** False for a dry run. */
  applied: boolean;
  /** Why its files were left as they are. */
  error?: string;
}

/** @param answer what came of the plan's request */
export function reportPlan(plan: Plan, applied: Applied | undefined, answer?: RequestAnswer): PlanReport {
  const changes = plan.changes.map((change) => {
    const backup = applied?.changed.find((done) => done.file === change.file)?.backup;
    return { file: change.file, does: deedOf(change), summary: change.summary, ...(backup !== undefined && { backup }) };
  });
  const backup = answer?.backup;
  const request = plan.request && {
    request: plan.request.summary,
    requestFile: { file: plan.request.file, ...(backup !== undefined && { backup }) },
  };
  return { harness: plan.harness, action: plan.action, changes, notes: plan.notes, ...request, applied: applied !== undefined };
}

/** Harnesses of `--all` that were left as they are. */
export function reportLeft(
  left: readonly { harness: Harness; failure: Error }[],
  action: Plan["action"],
  self: string,
): PlanReport[] {
  return left.map(({ harness, failure }) => {
    return { harness: harness.id, action, changes: [], notes: [], applied: false, error: runnable(failure.message, self) };
  });
}

const NOT_SHOWN = "(its changed lines are not shown: it is no text, or has more than 1500 lines)";

/** What a plan will do, file by file. @param diff with the lines that change */
export function renderPlan(
  plan: Plan,
  name: string,
  view: { style: Style; columns: number | undefined },
  diff: boolean,
): string[] {
  const { style, columns } = view;
  const line = (text: string): string => (columns === undefined ? text : fit(text, columns));
  if (plan.changes.length === 0 && !plan.request) return renderNothing(plan, name);
  const files = plan.changes.flatMap((change) => [
    `  ${deedOf(change).padEnd(6)}  ${change.file}`,
    `          ${style.dim(change.summary)}`,
    // moth's own programs are not worth reading; the person's settings are.
    ...(diff && !change.own
      ? (diffLines(change.before, change.after) ?? [NOT_SHOWN]).map((text) => line(`          ${text}`))
      : []),
  ]);
  const request = plan.request
    ? [`  ask     ${name} ${plan.request.summary}`, `          ${style.dim(`it changes ${plan.request.file}`)}`]
    : [];
  return [`${name}:`, ...files, ...request, ...plan.notes.map((note) => `  ${note}`)];
}

/** What was done. @param shown the person has just read the plan: only files and backups are left to say */
export function renderApplied(plan: Plan, applied: Applied, name: string, shown: boolean): string[] {
  if (plan.changes.length === 0) return shown || plan.request ? [] : renderNothing(plan, name);
  return [
    plan.action === "hook" ? `moth is hooked into ${name}.` : `moth is out of ${name}.`,
    ...applied.changed.flatMap((change) => [
      `  ${change.file}${shown ? "" : `: ${change.summary}`}`,
      ...(change.backup ? [`    as it was before: ${change.backup}`] : []),
    ]),
    ...(shown ? [] : plan.notes.map((note) => `  ${note}`)),
  ];
}

/** What came of a plan's request. */
export function renderAnswer({ note, backup }: RequestAnswer, file: string): string[] {
  return [`  ${note}`, ...(backup === undefined ? [] : [`  ${file}`, `    as it was before: ${backup}`])];
}

function renderNothing(plan: Plan, name: string): string[] {
  const state = plan.action === "hook" ? "moth is hooked in already" : "moth is not hooked in";
  return [`${name}: nothing to do, ${state}.`, ...plan.notes.map((note) => `  ${note}`)];
}

function deedOf(change: FileChange): "create" | "change" | "remove" {
  if (change.after === undefined) return "remove";
  return change.before === undefined ? "create" : "change";
}
