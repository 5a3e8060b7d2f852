/** The plans of several harnesses: made, and carried out one after the other. */
import {
  type Applied,
  applyPlan,
  type Harness,
  type InstallOptions,
  makePlan,
  type Plan,
  PlanError,
} from "@moth-companion/harnesses";
import { describeFailure, Failure } from "../errors.ts";
import { columnsOf, type Io, print, say, warn } from "../io.ts";
import { runnable } from "../runnable.ts";
import { commandName } from "../self.ts";
import { type PlanReport, type Shown, renderAnswer, renderApplied, reportPlan } from "./plan-view.ts";

export interface HarnessPlan {
  harness: Harness;
  plan: Plan;
}

/** A harness whose files could not be changed. */
export interface LeftOut {
  harness: Harness;
  failure: Failure;
}

/**
 * Plans for each harness, before anything is done.
 * @param tolerant a harness whose files moth must leave alone does not keep moth out of the others
 * @throws Failure with everything that is in the way, unless tolerant
 */
export async function planEach(
  harnesses: readonly Harness[],
  action: Plan["action"],
  optionsOf: (harness: Harness) => InstallOptions,
  tolerant: boolean,
): Promise<{ plans: HarnessPlan[]; left: LeftOut[] }> {
  const plans: HarnessPlan[] = [];
  const left: LeftOut[] = [];
  for (const harness of harnesses) {
    try {
      const plan = await planOf(harness, action, optionsOf(harness));
      plans.push({ harness, plan: typable(plan, commandName(optionsOf(harness).env)) });
    } catch (error) {
      left.push({ harness, failure: failureOf(error) });
    }
  }
  if (!tolerant && left.length > 0) throw together(left.map(({ failure }) => failure));
  return { plans, left };
}

/** Several failures as one, so that the person need not come back for the next. */
function together(failures: readonly Failure[]): Failure {
  const [first, ...more] = failures as [Failure, ...Failure[]];
  if (more.length === 0) return first;
  const texts = failures.map(({ message, next }) => (next === undefined ? message : `${message}\n${next}`));
  const usage = failures.find(({ code }) => code === "USAGE");
  return new Failure((usage ?? first).code, texts.join("\n"), undefined, first);
}

/** Carries the plans out. What was done is told at once: if a later one fails, the person knows. */
export async function carryOut(
  plans: readonly HarnessPlan[],
  { shown, json, tolerant }: { shown: Shown; json: boolean; tolerant: boolean },
  io: Io,
): Promise<{ done: PlanReport[]; left: LeftOut[] }> {
  const done: PlanReport[] = [];
  const left: LeftOut[] = [];
  for (const { harness, plan } of plans) {
    try {
      const applied = await apply(plan, io);
      if (!json) print(io, ...renderApplied(plan, applied, harness.name, shown, { env: io.env, columns: columnsOf(io) }));
      const answer = await plan.request?.run();
      done.push(reportPlan(plan, applied, answer));
      if (answer && !answer.ok) throw new Failure("FAILED", answer.note);
      if (plan.request && answer && !json) say(io, ...renderAnswer(answer, plan.request.file));
    } catch (error) {
      if (!tolerant) throw error;
      left.push({ harness, failure: failureOf(error) });
    }
  }
  return { done, left };
}

/** Whether some were left out that should not have been: not those that just have no settings of a project's. */
export function hasFailed(left: readonly LeftOut[]): boolean {
  return left.some(({ failure: { cause } }) => !(cause instanceof PlanError && cause.code === "NO_PROJECT"));
}

/** Says which harnesses were left as they are, and why. */
export function warnOfLeft(left: readonly LeftOut[], io: Io): void {
  for (const { harness, failure } of left) warn(io, describeFailure(failure), `      ${harness.name} is left as it is.`);
}

async function planOf(harness: Harness, action: Plan["action"], options: InstallOptions): Promise<Plan> {
  try {
    const plan = await makePlan(harness, action, options);
    if (action === "unhook") return plan;
    const { program } = await harness.detect(options.env);
    if (program !== undefined || plan.changes.length === 0) return plan;
    const note = `${harness.name}'s program (${harness.program}) was not found on PATH; the hook holds once it is there.`;
    return { ...plan, notes: [note, ...plan.notes] };
  } catch (error) {
    throw toFailure(error);
  }
}

function typable(plan: Plan, self: string): Plan {
  return { ...plan, notes: plan.notes.map((note) => runnable(note, self)) };
}

async function apply(plan: Plan, io: Io): Promise<Applied> {
  try {
    return await applyPlan(plan, io.env);
  } catch (error) {
    throw toFailure(error);
  }
}

function toFailure(error: unknown): unknown {
  return error instanceof PlanError ? new Failure("FILE", error.message, undefined, error) : error;
}

/** @throws what is no failure, but a bug */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}
