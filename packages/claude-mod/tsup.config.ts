import { defineConfig, type Options } from "tsup";
import { base } from "../../tsup.base.ts";

const alone: Options = { ...base, noExternal: [/.*/], outDir: "band/dist", splitting: false, clean: false };

export default defineConfig([
  {
    ...alone,
    entry: { band: "src/band.ts" },
    outExtension: () => ({ js: ".mjs" }),
    // Claude Code reads the source before it loads it: no import of Node's (esbuild would keep unused ones), and `$` and `on` by name.
    treeshake: { moduleSideEffects: "no-external" },
  },
  {
    ...alone,
    format: ["cjs"],
    entry: { "moth-inside": "src/main.ts" },
    outExtension: () => ({ js: ".cjs" }),
    minify: true,
    treeshake: false,
  },
]);
