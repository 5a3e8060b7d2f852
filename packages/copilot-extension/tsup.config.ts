import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

// One file that stands alone: it is copied into a folder from which nothing can be resolved but what Copilot gives it.
export default defineConfig({
  ...base,
  entry: { extension: "src/main.ts" },
  noExternal: [/^@moth-companion\//],
  external: ["@github/copilot-sdk/extension"],
  outExtension: () => ({ js: ".mjs" }),
  splitting: false,
  // By rollup, which would move the banner from the first line, by which moth knows its file.
  treeshake: false,
  minify: true,
  banner: {
    js: "// @moth-companion/copilot: what Copilot asks can be answered through the moth on this machine. `moth hook` put it here, `moth unhook` takes it away.",
  },
});
