/** What harnesses will run when they call moth. */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import type { Env } from "@moth-companion/core/paths";
import { findHarness, launcherFile, launcherNode } from "@moth-companion/harnesses";
import { type HookReport, isHooked } from "../hook-report.ts";
import { bad, type Check, ok } from "./check.ts";

export function checkHooks(reports: readonly HookReport[], self: string): Check[] {
  const hooked = reports.filter(isHooked);
  const unknown = reports
    .filter((report) => report.status === "unknown")
    .map((report) => bad("warn", "hooks", `${report.name} ${report.problem ?? ""}`.trim(), report.advice ?? ""));
  if (hooked.length === 0)
    return [...unknown, bad("warn", "hooks", "moth is hooked into no harness", `See what is here: ${self} hooks`)];
  const known = hooked.map((report) => {
    if (report.status === "installed") return ok("hooks", `${report.name}: hooked (${report.where.join(", ")})`);
    const status = report.status === "broken" ? "fail" : "warn";
    return bad(
      status,
      "hooks",
      `${report.name}: ${report.problem ?? report.status}`,
      report.advice ?? (report.problem === undefined ? `Try ${self} hook ${report.id}` : ""),
    );
  });
  return [...known, ...unknown];
}

/** The launcher that command hooks point at, and the Node it runs, where there are such hooks. */
export async function checkLauncher(env: Env, reports: readonly HookReport[], self: string): Promise<Check[]> {
  const ids = reports.filter((report) => isHooked(report) && hasCommandHooks(report)).map(({ id }) => id);
  if (ids.length === 0 || process.platform === "win32") return [];
  const again = `Put it back: ${self} hook ${ids.join(" ")} --yes`;
  const launcher = launcherFile(env);
  if (!existsSync(launcher)) return [bad("fail", "launcher", `${launcher} is missing`, again)];
  try {
    accessSync(launcher, constants.X_OK);
  } catch {
    return [bad("fail", "launcher", `${launcher} may not be run`, `chmod 755 ${launcher}`)];
  }
  return [ok("launcher", `${launcher} is in place`), await checkHookNode(launcherNode(env), again)];
}

/** Names of the harnesses that moth is hooked into by something else than its launcher, which carries moth's folder. */
export function pluginsOf(reports: readonly HookReport[]): string[] {
  return reports
    .filter((report) => isHooked(report) && (process.platform === "win32" || !hasCommandHooks(report)))
    .map(({ name }) => name);
}

function hasCommandHooks(report: HookReport): boolean {
  return findHarness(report.id)?.readPayload !== undefined;
}

async function checkHookNode(node: string | undefined, again: string): Promise<Check> {
  if (node === undefined) return bad("warn", "hook-node", "the launcher is not as moth makes it", again);
  const version = await versionOf(node);
  if (version === undefined)
    return bad("warn", "hook-node", `the Node hooks were installed with is gone (${node}); they look for another`, again);
  if (Number(version.replace(/^v/, "").split(".")[0]) >= 18) return ok("hook-node", `hooks run on Node ${version} (${node})`);
  return bad(
    "warn",
    "hook-node",
    `hooks were installed with Node ${version} (${node}), which is too old; they look for another`,
    again,
  );
}

function versionOf(node: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(node, ["--version"], { timeout: 3000 }, (error, out) => resolve(error ? undefined : out.trim()));
  });
}
