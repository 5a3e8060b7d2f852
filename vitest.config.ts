import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["moth-src"] },
  ssr: { resolve: { conditions: ["moth-src"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "e2e/contract/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
