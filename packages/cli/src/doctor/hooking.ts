/** What harnesses will run when they call moth. */
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { type Env, mothHome } from "@moth-companion/core/paths";
import { type HookReport, isHooked } from "../hook-report.ts";
import { bad, type Check, ok } from "./check.ts";

export function checkHooks(reports: readonly HookReport[], self: string): Check[] {
  const hooked = reports.filter(isHooked);
  if (hooked.length === 0) return [bad("warn", "hooks", "moth is hooked into no harness", `See what is here: ${self} hooks`)];
  return hooked.map((report) => {
    if (report.status === "installed") return ok("hooks", `${report.name}: hooked (${report.where.join(", ")})`);
    const status = report.status === "broken" ? "fail" : "warn";
    return bad(
      status,
      "hooks",
      `${report.name}: ${report.problem ?? report.status}`,
      report.advice ?? `Try ${self} hook ${report.id}`,
    );
  });
}

/** The launcher that hook entries point at, when there are any. */
export function checkLauncher(env: Env, reports: readonly HookReport[], self: string): Check[] {
  const hooked = reports.filter(isHooked);
  if (hooked.length === 0 || process.platform === "win32") return [];
  const again = `Put it back: ${self} hook ${hooked.map(({ id }) => id).join(" ")} --yes`;
  const launcher = join(mothHome(env), "bin", "moth-hook");
  const program = join(mothHome(env), "lib", "moth-hook.cjs");
  const missing = [launcher, program].filter((file) => !statSync(file, { throwIfNoEntry: false })?.isFile());
  if (missing.length > 0) return [bad("fail", "launcher", `${missing.join(" and ")} missing`, again)];
  try {
    accessSync(launcher, constants.X_OK);
  } catch {
    return [bad("fail", "launcher", `${launcher} may not be run`, `chmod 755 ${launcher}`)];
  }
  return [ok("launcher", `${launcher} is in place`)];
}
