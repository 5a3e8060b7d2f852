import type { Options } from "tsup";

/** What every package's build has in common. tsup makes the JavaScript, tsc the declarations. */
export const base: Options = {
  format: ["esm"],
  platform: "node",
  target: "node18",
  outDir: "dist",
  clean: true,
  dts: false,
  splitting: true,
  treeshake: true,
  sourcemap: false,
  silent: true,
  esbuildOptions(options) {
    // jsonc-parser's CommonJS entry breaks when bundled; its ES module entry does not.
    options.mainFields = ["module", "main"];
    options.conditions = ["moth-src", "import", "module", "default"];
    options.legalComments = "eof";
  },
};
