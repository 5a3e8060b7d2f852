import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

// One file that stands alone: it is copied into a folder from which nothing can be resolved.
export default defineConfig({
  ...base,
  entry: { moth: "src/main.ts" },
  noExternal: [/.*/],
  splitting: false,
  minify: true,
  banner: {
    js: "// @moth-companion/pi: tells the moth on this machine about turns. `moth hook` put it here, `moth unhook` takes it away.",
  },
});
