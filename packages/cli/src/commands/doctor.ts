import type { Env } from "@moth-companion/core/paths";
import { type Command, command } from "../command.ts";
import { checkAutostart } from "../doctor/autostart.ts";
import { bad, type Check } from "../doctor/check.ts";
import { checkHooks, checkLauncher, pluginsOf } from "../doctor/hooking.ts";
import { checkDiary, checkHome, checkNode, checkOverrides, checkProxies, checkSettings, checkToken } from "../doctor/machine.ts";
import { checkFiles, closeToOthers, countLoose } from "../doctor/permissions.ts";
import { checkOthers, checkRecords, checkServer } from "../doctor/running.ts";
import { EXIT, Failure } from "../errors.ts";
import { reportHooks } from "../hook-report.ts";
import { columnsOf, print, printJson, styleOf } from "../io.ts";
import { runnable } from "../runnable.ts";
import { commandName, version } from "../self.ts";
import type { Style } from "../style.ts";
import { wrap } from "../width.ts";

export const doctor: Command = command({
  args: {
    fix: { type: "boolean", description: "first close to other users what is yours and open to them" },
    json: { type: "boolean", description: "print the checks as a JSON array" },
  },
  notes: ["Exit code 1 when a check fails; warnings alone are 0."],
  async run(args, io) {
    const { env } = io;
    const self = commandName(env);
    const mended = args.fix ? closeToOthers(env) : [];
    const [server, others] = await Promise.all([checkServer(env, version()), checkOthers(env)]);
    // Not beside them: it starts a program for each harness, and an answer would be taken in late.
    const hooking = await lookAtHooks(env, self);
    const checks = [
      ...mended,
      checkNode(process.versions.node),
      checkHome(env),
      ...checkDiary(env),
      checkToken(env),
      ...checkFiles(env),
      ...checkSettings(env),
      server,
      ...others,
      checkRecords(env),
      ...checkAutostart(env),
      ...hooking.checks,
      checkProxies(env),
      checkOverrides(env, hooking.plugins),
    ].map((check) => typable(check, self));
    if (args.json) printJson(io, checks);
    else print(io, ...renderChecks(checks, columnsOf(io), styleOf(io)));
    if (!args.json && countLoose(env) > 0) print(io, `What is open to other users can be closed: ${self} doctor --fix`);
    return checks.some((check) => check.status === "fail") ? EXIT.failure : EXIT.ok;
  },
});

function typable(check: Check, self: string): Check {
  const message = runnable(check.message, self);
  return check.advice === undefined ? { ...check, message } : { ...check, message, advice: runnable(check.advice, self) };
}

async function lookAtHooks(env: Env, self: string): Promise<{ checks: Check[]; plugins: string[] }> {
  try {
    const reports = await reportHooks(env);
    const checks = [...checkHooks(reports, self), ...(await checkLauncher(env, reports, self))];
    return { checks, plugins: pluginsOf(reports) };
  } catch (error) {
    if (error instanceof Failure) return { checks: [bad("fail", "hooks", error.message, error.next ?? "")], plugins: [] };
    throw error;
  }
}

/** One check a line, its advice below it, and a sum. */
export function renderChecks(checks: readonly Check[], columns: number | undefined, style: Style): string[] {
  const lines = checks.flatMap((check) => {
    const text = [check.message, ...(check.advice ? [check.advice] : [])].map((part) =>
      columns === undefined ? [part] : wrap(part, columns - 6),
    );
    const mark = check.status.padEnd(4);
    const paint = check.status === "ok" ? style.dim : style.lamp;
    return text.flat().map((line, index) => (index === 0 ? `${paint(mark)}  ${line}` : `      ${style.dim(line)}`));
  });
  const count = (status: Check["status"]): number => checks.filter((check) => check.status === status).length;
  const sum =
    count("fail") + count("warn") === 0
      ? "All is well."
      : `${count("fail")} failed, ${count("warn")} to look at, ${count("ok")} fine.`;
  return [...lines, "", sum];
}
