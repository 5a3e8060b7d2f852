import type { HarnessDriver } from "./driver.ts";
import type { InstalledCli } from "./clis.ts";

/** One case as it came out. */
export interface CaseResult {
  /** undefined: a test of the suite's own parts. */
  harness?: string;
  scenario: string;
  name: string;
  /** `flaky`: it failed, and passed when it was tried again. */
  status: "ok" | "flaky" | "FAIL" | "n/a";
  /** Milliseconds. */
  took: number;
  /** Why it failed, or what made it fail at first. */
  errors: string[];
}

/** What the reporter leaves for the run. */
export interface RunResult {
  cases: CaseResult[];
  /** What went wrong beside the cases: a file that cannot be loaded, an error nobody caught. */
  problems: string[];
}

export interface Cell {
  status: CaseResult["status"] | "skipped" | "not run";
  cases: CaseResult[];
  /** Why it is n/a or skipped. */
  reason?: string;
}

/** The matrix's cell of a harness and a scenario. */
export function cell(result: RunResult, harness: HarnessDriver, scenario: string, cli: InstalledCli | undefined): Cell {
  const cases = result.cases.filter((one) => one.harness === harness.id && one.scenario === scenario);
  const missing = harness.notApplicable[scenario] ?? lacked(cases);
  if (missing !== undefined) return { status: "n/a", cases, reason: missing };
  if (cli && !cli.ok) return { status: "skipped", cases, reason: cli.reason };
  const worst = (["FAIL", "flaky", "ok"] as const).find((status) => cases.some((one) => one.status === status));
  return { status: worst ?? "not run", cases };
}

/** Why a scenario itself has left a harness out. */
function lacked(cases: readonly CaseResult[]): string | undefined {
  return cases.every((one) => one.status === "n/a") ? cases[0]?.name.replace(/^n\/a: /, "") : undefined;
}
