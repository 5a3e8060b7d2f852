import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import e2e from "../vitest.config.ts";

const { test = {}, ...rest } = e2e;

export default defineConfig({
  ...rest,
  root: fileURLToPath(new URL("./", import.meta.url)),
  test: { ...test, include: ["*.test.ts"], globalSetup: ["shipped.ts"] },
});
