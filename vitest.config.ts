import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["moth-src"] },
  ssr: { resolve: { conditions: ["moth-src"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "e2e/contract/*.test.ts", "bench/src/*.test.ts"],
    // A small machine would otherwise run one file at a time, and much of the suite is waiting for programs.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
