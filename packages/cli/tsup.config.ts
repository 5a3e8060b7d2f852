import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

export default defineConfig([
  { ...base, target: "node20", entry: ["src/main.ts"], clean: ["!line.cjs"] },
  // One CommonJS file: Node starts it sooner than an ES module and its chunks.
  {
    ...base,
    target: "node20",
    entry: ["src/line.ts"],
    format: ["cjs"],
    splitting: false,
    clean: false,
    noExternal: [/.*/],
    minify: true,
  },
]);
