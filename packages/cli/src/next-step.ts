import { healthWords, type HookReport, isHooked } from "./hook-report.ts";

/**
 * What the person does next, as a command to copy.
 * @param self how moth is called here @param asking the same for the moth that runs, where one at another address is looked for
 */
export function nextStep(reports: readonly HookReport[], self: string, asking: string = self): string {
  const sick = reports.find(isSick);
  if (sick) return troubleOf(sick, self);
  if (reports.some(isHooked)) return `Next: ${asking} tail`;
  const found = reports.filter((report) => report.found);
  if (found.length === 1) return `Next, hook moth into it: ${self} hook ${found[0]?.id ?? ""}`;
  if (found.length > 1) return `Next, hook moth into them: ${self} hook --all`;
  const known = reports.map((report) => report.name).join(", ");
  return `No harness was found on this machine. moth knows: ${known}. Install one, then: ${self} setup`;
}

/** Whether moth's hook is there and not as it should be. */
export function isSick(report: HookReport): boolean {
  return isHooked(report) && report.status !== "installed";
}

/** What is wrong with a hook, and what to do about it. */
export function troubleOf(report: HookReport, self: string): string {
  const told = report.problem ?? `its hook is ${healthWords(report.status)}`;
  const problem = sentence(told.startsWith(`${report.name} `) ? told : `${report.name}: ${told}`);
  // A hook that is as it should be needs nothing done, and why a file cannot be changed says itself what to do.
  const isTold = report.status === "installed" || report.problem !== undefined;
  const advice = report.advice ?? (isTold ? "" : `Try ${self} hook ${report.id}`);
  return advice === "" ? problem : `${problem} ${sentence(advice)}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
