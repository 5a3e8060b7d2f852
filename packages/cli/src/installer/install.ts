/** What `moth hook` and `moth unhook` have in common. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Applied,
  applyPlan,
  findHarness,
  type Harness,
  harnesses,
  type InstallOptions,
  type Plan,
  PlanError,
} from "@moth-companion/harnesses";
import { EXIT, Failure } from "../errors.ts";
import { extrasOf } from "./extras.ts";
import { installOptions, isHooked, reportHooks } from "../hook-report.ts";
import { columnsOf, type Io, print, printJson, styleOf } from "../io.ts";
import { nextStep } from "../next-step.ts";
import { commandName } from "../self.ts";
import { suggest } from "../suggest.ts";
import { confirm } from "./confirm.ts";
import { type PlanReport, renderApplied, renderPlan, reportPlan } from "./plan-view.ts";

export interface InstallArgs {
  action: Plan["action"];
  /** Ids, as given. */
  ids: readonly string[];
  all: boolean;
  project: string | undefined;
  profile: string | undefined;
  trust?: boolean;
  legacy?: boolean;
  yes: boolean;
  dryRun: boolean;
  json: boolean;
}

/** Plans, shows, asks, and does. Every plan is made before the first file is touched: one that fails leaves all as it was. */
export async function install(args: InstallArgs, io: Io): Promise<number> {
  const options = { ...installOptions(io.env), ...projectOf(args.project) };
  const chosen = await choose(args, options, io);
  const extras = {
    ...(args.profile !== undefined && { profile: args.profile }),
    ...(args.trust && { trust: true }),
    ...(args.legacy && { legacy: true }),
  };
  if (chosen.length === 0 && !args.json) print(io, "moth is hooked into nothing.");
  const plans: { plan: Plan; name: string }[] = [];
  for (const harness of chosen) {
    const its = { ...options, ...extrasOf(harness, extras, args.all) };
    plans.push({ plan: await planOf(harness, args.action, its), name: harness.name });
  }

  const open = plans.filter(({ plan }) => plan.changes.length > 0 || plan.request);
  if (args.dryRun || open.length === 0) {
    if (args.json)
      printJson(
        io,
        plans.map(({ plan }) => reportPlan(plan, undefined)),
      );
    else
      print(
        io,
        ...plans.flatMap(({ plan, name }) => renderPlan(plan, name, { style: styleOf(io), columns: columnsOf(io) }, true)),
        ...(args.dryRun ? ["Nothing was changed (--dry-run)."] : []),
      );
    return EXIT.ok;
  }
  if (!args.yes) {
    if (args.json) throw new Failure("USAGE", "--json cannot ask", "Add --yes to do it, or --dry-run to see it");
    print(
      io,
      ...plans.flatMap(({ plan, name }) => renderPlan(plan, name, { style: styleOf(io), columns: columnsOf(io) }, false)),
      "",
    );
    const about = { what: "changes files", next: "Add --yes to do it, or --dry-run to see it" };
    if (!(await confirm(args.action === "hook" ? "Hook moth in?" : "Take moth out?", about, io))) {
      print(io, "Nothing was changed.");
      return EXIT.failure;
    }
  }
  const done: PlanReport[] = [];
  for (const { plan, name } of plans) {
    const applied = await apply(plan, io);
    done.push(reportPlan(plan, applied));
    // At once: if a later one fails, the person knows what was done.
    if (!args.json) print(io, ...renderApplied(plan, applied, name, !args.yes));
    const answer = await plan.request?.run();
    if (answer && !answer.ok) throw new Failure("FAILED", answer.note);
    if (answer && !args.json) print(io, `  ${answer.note}`);
  }
  if (args.json) printJson(io, done);
  else if (args.action === "hook") print(io, "", await afterHook(io));
  return EXIT.ok;
}

async function afterHook(io: Io): Promise<string> {
  const { probe } = await import("../client.ts");
  const self = commandName(io.env);
  const reports = await reportHooks(io.env);
  if ((await probe(io.env)).found !== "moth") return `Next, start moth: ${self} up`;
  return nextStep(reports, self);
}

async function choose(args: InstallArgs, options: InstallOptions, io: Io): Promise<Harness[]> {
  const { action, ids, all } = args;
  if (all && ids.length > 0) throw new Failure("USAGE", "--all and names at once", "Use one of them");
  const known = harnesses.map((harness) => harness.id);
  if (all) {
    const reports = await reportHooks(io.env, options);
    const concerned = reports
      .filter((report) => (action === "hook" ? report.found : isHooked(report)))
      .map((report) => report.id);
    if (concerned.length > 0) return harnesses.filter((harness) => concerned.includes(harness.id));
    if (action === "unhook") return [];
    throw new Failure("FAILED", "no harness was found on this machine", `Install one, or name it: ${known.join(", ")}`);
  }
  if (ids.length === 0) {
    const reports = await reportHooks(io.env, options);
    const here = reports.filter((report) => (action === "hook" ? report.found : isHooked(report))).map((report) => report.id);
    const list = here.length > 0 ? here.join(", ") : "none";
    throw new Failure(
      "USAGE",
      `which harness? ${action === "hook" ? "Found here" : "Hooked in"}: ${list}. Known: ${known.join(", ")}`,
      `For example: ${commandName(io.env)} ${action} ${here[0] ?? known[0]}`,
    );
  }
  return [...new Set(ids)].map((id) => {
    const harness = findHarness(id);
    if (harness) return harness;
    const near = suggest(id, known);
    throw new Failure(
      "USAGE",
      `there is no harness "${id}"`,
      `${near ? `Did you mean ${near}? ` : ""}moth knows: ${known.join(", ")}`,
    );
  });
}

async function planOf(harness: Harness, action: Plan["action"], options: InstallOptions): Promise<Plan> {
  try {
    if (action === "unhook") return await harness.planUnhook(options);
    const plan = await harness.planHook(options);
    const { program } = await harness.detect(options.env);
    if (program !== undefined || plan.changes.length === 0) return plan;
    return {
      ...plan,
      notes: [`${harness.name}'s program was not found on PATH; the hook holds once it is there.`, ...plan.notes],
    };
  } catch (error) {
    throw toFailure(error);
  }
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

function projectOf(project: string | undefined): { project?: string } {
  if (project === undefined) return {};
  const folder = resolve(project);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return { project: folder };
  throw new Failure("USAGE", `there is no folder ${folder}`, "Give the project's folder: --project DIR");
}
