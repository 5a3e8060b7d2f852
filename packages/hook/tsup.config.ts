import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

export default defineConfig({
  ...base,
  format: ["cjs"],
  entry: { "moth-hook": "src/main.ts" },
  outExtension: () => ({ js: ".cjs" }),
  noExternal: [/.*/],
  splitting: false,
  minify: true,
});
