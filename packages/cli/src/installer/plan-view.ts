import { mothHome } from "@moth-companion/core/paths";
import type { Applied, Harness, Plan, RequestAnswer } from "@moth-companion/harnesses";
import { runnable } from "../runnable.ts";
import { deedOf, folded, isMoths, renderDeed, renderDeeds, type View } from "./deeds.ts";
import type { HarnessPlan } from "./plans.ts";

/** The shape of `moth hook --json` and `moth unhook --json`, one per harness. */
export interface PlanReport {
  harness: string;
  action: "hook" | "unhook";
  /** Nothing was or would be changed when empty. `real`: the file itself, behind a link. `backup`: where its earlier contents are kept. */
  changes: { file: string; real?: string; does: "create" | "change" | "remove"; summary: string; backup?: string }[];
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
    const { file, real, summary } = change;
    return { file, ...(real !== undefined && { real }), does: deedOf(change), summary, ...(backup !== undefined && { backup }) };
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

/**
 * What will be done, harness by harness; moth's own files once. What to do afterwards stands there for one harness; of several it would
 * drive the plan out of the window, and is told when it is done.
 * @param diff everything: the lines that change, each file of moth's own, what to do afterwards
 */
export function renderPlans(plans: readonly HarnessPlan[], view: View, diff: boolean): string[] {
  const { env, columns } = view;
  const own = plans.flatMap(({ plan }) => plan.changes.filter(({ file }) => isMoths(file, env)));
  const action = plans[0]?.plan.action;
  const itself =
    own.length === 0
      ? []
      : [
          "moth itself:",
          ...(diff
            ? new Set(own.flatMap((change) => renderDeed(change, view)))
            : [`  its ${action === "hook" ? "programs and notes" : "notes"} in ${mothHome(env)}`]),
        ];
  const isCopied = action === "hook" && plans.some(({ plan }) => plan.changes.some(({ before, own }) => before && !own));
  const copies = "A copy of each file that is there is put beside it first, as <file>.bak-moth-<time>.";
  return [
    ...plans.flatMap(({ plan, harness }) => renderPlan(plan, harness.name, view, { diff, notes: diff || plans.length === 1 })),
    ...itself,
    ...(isCopied ? folded(copies, columns, 0) : []),
  ];
}

function renderPlan(plan: Plan, name: string, view: View, how: { diff: boolean; notes: boolean }): string[] {
  const { style, columns, env } = view;
  if (plan.changes.length === 0 && !plan.request) return renderNothing(plan, name, columns);
  const theirs = plan.changes.filter(({ file }) => !isMoths(file, env));
  const files = how.diff ? theirs.flatMap((change) => renderDeed(change, view, true)) : renderDeeds(theirs, view);
  const request = plan.request
    ? [`  ask     ${name} ${plan.request.summary}`, `          ${style.dim(`it changes ${plan.request.file}`)}`]
    : [];
  const deeds = [...files, ...request];
  const notes = how.notes ? plan.notes.flatMap((note) => folded(note, columns, 2)) : [];
  return [`${name}:`, ...(deeds.length > 0 ? deeds : ["  nothing in its settings"]), ...notes];
}

/** Of a plan that the person has just read only files and backups are left to say, and of several what to do afterwards. */
export type Shown = "no" | "one" | "several";

/** What was done. */
export function renderApplied(
  plan: Plan,
  applied: Applied,
  name: string,
  shown: Shown,
  { env, columns }: Omit<View, "style">,
): string[] {
  if (plan.changes.length === 0) return shown !== "no" || plan.request ? [] : renderNothing(plan, name, columns);
  return [
    plan.action === "hook" ? `moth is hooked into ${name}.` : `moth is out of ${name}.`,
    ...applied.changed
      .filter(({ file }) => shown === "no" || !isMoths(file, env))
      .flatMap(({ file, summary, backup, isAsBefore }) => [
        `  ${file}${shown === "no" ? `: ${summary}` : ""}`,
        ...(backup === undefined ? [] : [`    as it was before: ${backup}`]),
        ...(isAsBefore ? ["    to the byte what it was before moth came; its copy is gone, too"] : []),
      ]),
    ...(shown === "one" ? [] : plan.notes.flatMap((note) => folded(note, columns, 2))),
  ];
}

/** What came of a plan's request. */
export function renderAnswer({ note, backup }: RequestAnswer, file: string): string[] {
  return [`  ${note}`, ...(backup === undefined ? [] : [`  ${file}`, `    as it was before: ${backup}`])];
}

function renderNothing(plan: Plan, name: string, columns: number | undefined): string[] {
  const state = plan.action === "hook" ? "moth is hooked in already" : "moth is not hooked in";
  return [`${name}: nothing to do, ${state}.`, ...plan.notes.flatMap((note) => folded(note, columns, 2))];
}
