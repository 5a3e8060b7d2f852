import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import type { CaseResult, RunResult } from "./results.ts";

/** Leaves the results where the run looks for them. A run that crashes leaves none. */
export class ResultsReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const result: RunResult = { cases: [], problems: unhandled.map(say) };
    for (const module of modules) {
      result.problems.push(...module.errors().map((error) => `${basename(module.moduleId)}: ${say(error)}`));
      for (const test of module.children.allTests()) result.cases.push(read(module, test));
    }
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(result, null, 2));
  }
}

function read(module: TestModule, test: TestCase): CaseResult {
  const outcome = test.result();
  const diagnostic = test.diagnostic();
  const [first] = test.fullName.split(" > ");
  const scenario = basename(module.moduleId).replace(/\.test\.ts$/, "");
  const status = outcome.state === "skipped" ? "n/a" : outcome.state !== "passed" ? "FAIL" : diagnostic?.flaky ? "flaky" : "ok";
  const inMatrix = basename(dirname(module.moduleId)) === "scenarios";
  return {
    ...(inMatrix && first !== undefined && { harness: first }),
    scenario,
    name: test.name,
    status,
    took: Math.round(diagnostic?.duration ?? 0),
    errors: (outcome.errors ?? []).map(say),
  };
}

function say(error: SerializedError): string {
  return `${error.name ?? "Error"}: ${error.message}`;
}
