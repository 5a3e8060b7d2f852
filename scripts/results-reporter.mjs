// What `npm test` knows of its run: how many passed and failed, and the names of those that failed or needed their second try.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

export default class ResultsReporter {
  /**
   * @param {readonly import("vitest/node").TestModule[]} modules
   * @param {readonly import("vitest/node").SerializedError[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    const file = process.env["MOTH_UNIT_RESULTS"];
    if (!file) return;
    const results = { passed: 0, failed: 0, named: unhandled.map((error) => `FAIL: outside of any test\n    ${first(error)}`) };
    results.failed += unhandled.length;
    for (const module of modules) {
      const path = relative(process.cwd(), module.moduleId);
      for (const error of module.errors()) {
        results.failed++;
        results.named.push(`FAIL: ${path}\n    ${first(error)}`);
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === "passed") results.passed++;
        if (state === "failed") results.failed++;
        const word = state === "failed" ? "FAIL" : test.diagnostic()?.flaky ? "flaky" : undefined;
        if (word) results.named.push(`${word}: ${path}: ${test.fullName}\n    ${errors?.map(first).join("\n    ") ?? ""}`);
      }
    }
    writeFileSync(file, JSON.stringify(results));
  }
}

/** @param {import("vitest/node").SerializedError} error */
function first(error) {
  return `${error.name ?? "Error"}: ${error.message.split("\n")[0]}`;
}
