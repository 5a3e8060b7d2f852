import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ResultsReporter } from "./src/reporter.ts";
import { PATIENCE } from "./src/wait.ts";

const results = process.env["MOTH_E2E_RESULTS"];

export default defineConfig({
  root: fileURLToPath(new URL("./", import.meta.url)),
  resolve: { conditions: ["moth-src"] },
  ssr: { resolve: { conditions: ["moth-src"] } },
  test: {
    include: ["scenarios/**/*.test.ts", "together/**/*.test.ts", "src/**/*.test.ts"],
    // A case may start its program several times, and some take twenty seconds for that on a machine that runs others beside it.
    testTimeout: PATIENCE * 9,
    hookTimeout: 30_000,
    // A cell that fails once and then passes is shown as flaky, never as ok.
    retry: 1,
    // One more than the cores of a small machine: a part of every case is waiting. With two more its programs only wait for each other.
    maxWorkers: availableParallelism() + 1,
    reporters: ["default", ...(results ? [new ResultsReporter(results)] : [])],
  },
});
