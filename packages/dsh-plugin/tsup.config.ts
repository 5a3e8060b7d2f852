import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

// One file that stands alone: it is copied into a folder from which nothing can be resolved, and where no package says what a `.js` is.
export default defineConfig({
  ...base,
  entry: { moth: "src/main.ts" },
  outExtension: () => ({ js: ".mjs" }),
  noExternal: [/.*/],
  splitting: false,
  // By rollup, which would move the banner from the first line, by which moth knows its file.
  treeshake: false,
  minify: true,
  banner: {
    js: "// @moth-companion/dsh: tells the moth on this machine about turns. `moth hook` put it here, `moth unhook` takes it away.",
  },
});
