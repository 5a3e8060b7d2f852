import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

export default defineConfig({
  ...base,
  entry: { "moth-hook": "src/main.ts" },
  outExtension: () => ({ js: ".mjs" }),
  noExternal: [/.*/],
  splitting: false,
  minify: true,
});
