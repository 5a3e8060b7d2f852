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
    testTimeout: PATIENCE * 4.5,
    hookTimeout: 30_000,
    // A cell that fails once and then passes is shown as flaky, never as ok.
    retry: 1,
    // Two more than the cores of a small machine: a good part of every case is waiting.
    maxWorkers: Math.max(4, availableParallelism() + 2),
    reporters: ["default", ...(results ? [new ResultsReporter(results)] : [])],
  },
});
