/** What `moth hook` and `moth unhook` have in common. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { findHarness, type Harness, harnesses, type InstallOptions, type Plan } from "@moth-companion/harnesses";
import { EXIT, Failure } from "../errors.ts";
import { extrasOf } from "./extras.ts";
import { installOptions, isByPlugin, isHooked, reportHooks } from "../hook-report.ts";
import { columnsOf, type Io, print, printJson, say, styleOf } from "../io.ts";
import { nextStep } from "../next-step.ts";
import { commandName } from "../self.ts";
import { suggest } from "../suggest.ts";
import { confirm } from "./confirm.ts";
import { closeOwnFolder } from "./own-folder.ts";
import { renderPlans, reportLeft, reportPlan } from "./plan-view.ts";
import { carryOut, hasFailed, planEach, warnOfLeft } from "./plans.ts";

export interface InstallArgs {
  action: Plan["action"];
  /** Ids, as given. */
  ids: readonly string[];
  all: boolean;
  project: string | undefined;
  profile: string | undefined;
  trust?: boolean;
  legacy?: boolean;
  answers?: boolean;
  yes: boolean;
  dryRun: boolean;
  json: boolean;
}

/**
 * Plans, shows, asks, and does. Every plan is made before the first file is touched. Of harnesses that were named, one that cannot be
 * changed leaves all as they were; with `--all` it is left out and named, and the exit code is 1.
 */
export async function install(args: InstallArgs, io: Io): Promise<number> {
  const { action, all, json } = args;
  if (all && args.profile !== undefined)
    throw new Failure("USAGE", "--profile is of one harness", "Name the harness instead of --all");
  const options = { ...installOptions(io.env), ...projectOf(args.project) };
  const chosen = await choose(args, options, io);
  const extras = {
    ...(args.profile !== undefined && { profile: args.profile }),
    ...(args.trust && { trust: true }),
    ...(args.legacy && { legacy: true }),
    ...(args.answers && { answers: true }),
  };
  if (chosen.length === 0 && !json)
    print(io, action === "hook" ? "moth is in already, by the harness's own installer." : "moth is hooked into nothing.");
  const optionsOf = (harness: Harness): InstallOptions => ({ ...options, ...extrasOf(harness, extras, all) });
  const { plans, left } = await planEach(chosen, action, optionsOf, all);
  const view = { style: styleOf(io), columns: columnsOf(io), env: io.env };
  warnOfLeft(left, io);

  const open = plans.filter(({ plan }) => plan.changes.length > 0 || plan.request);
  if (args.dryRun || open.length === 0) {
    if (action === "hook" && !args.dryRun) await closeOwnFolder(io);
    const reports = plans.map(({ plan }) => reportPlan(plan, undefined));
    if (json) printJson(io, [...reports, ...reportLeft(left, action, commandName(io.env))]);
    else print(io, ...renderPlans(plans, view, true), ...(args.dryRun ? ["Nothing was changed (--dry-run)."] : []));
    return hasFailed(left) ? EXIT.failure : EXIT.ok;
  }
  if (!args.yes) {
    if (json) throw new Failure("USAGE", "--json cannot ask", "Add --yes to do it, or --dry-run to see it");
    print(io, ...renderPlans(plans, view, false), "");
    const about = { what: "changes files", next: "Add --yes to do it, or --dry-run to see it" };
    if (!(await confirm(action === "hook" ? "Hook moth in?" : "Take moth out?", about, io))) {
      print(io, "Nothing was changed.");
      return EXIT.failure;
    }
  }
  if (action === "hook") await closeOwnFolder(io);
  const shown = args.yes ? "no" : plans.length === 1 ? "one" : "several";
  const applied = await carryOut(plans, { shown, json, tolerant: all }, io);
  warnOfLeft(applied.left, io);
  left.push(...applied.left);
  if (json) printJson(io, [...applied.done, ...reportLeft(left, action, commandName(io.env))]);
  else if (action === "hook") say(io, "", await afterHook(io));
  return hasFailed(left) ? EXIT.failure : EXIT.ok;
}

async function afterHook(io: Io): Promise<string> {
  const { probe } = await import("../client.ts");
  const self = commandName(io.env);
  const reports = await reportHooks(io.env);
  if (!["moth", "busy"].includes((await probe(io.env)).found)) return `Next, start moth: ${self} up`;
  return nextStep(reports, self);
}

async function choose(args: InstallArgs, options: InstallOptions, io: Io): Promise<Harness[]> {
  const { action, ids, all } = args;
  if (all && ids.length > 0) throw new Failure("USAGE", "--all and names at once", "Use one of them");
  const known = harnesses.map((harness) => harness.id);
  if (all) {
    const reports = await reportHooks(io.env, options);
    const concerned = reports.filter((report) => (action === "hook" ? report.found : isHooked(report)));
    const wanted = concerned.filter((report) => action === "unhook" || args.project !== undefined || !isByPlugin(report));
    const ids = new Set(wanted.map(({ id }) => id));
    if (concerned.length > 0) return harnesses.filter(({ id }) => ids.has(id));
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
  const unknown = [...new Set(ids)].filter((id) => !findHarness(id));
  if (unknown.length > 0) {
    const near = unknown.map((id) => suggest(id, known)).filter((id) => id !== undefined);
    throw new Failure(
      "USAGE",
      `there is no harness ${unknown.map((id) => `"${id}"`).join(" and none ")}`,
      `${near.length > 0 ? `Did you mean ${[...new Set(near)].join(", ")}? ` : ""}moth knows: ${known.join(", ")}`,
    );
  }
  return [...new Set(ids)].map((id) => findHarness(id)).filter((harness) => harness !== undefined);
}

function projectOf(project: string | undefined): { project?: string } {
  if (project === undefined) return {};
  const folder = resolve(project);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return { project: folder };
  throw new Failure("USAGE", `there is no folder ${folder}`, "Give the project's folder: --project DIR");
}
