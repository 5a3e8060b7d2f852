import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

// Two files that stand alone: they are copied into folders from which nothing can be resolved.
const alone = {
  ...base,
  noExternal: [/^@moth-companion\//],
  splitting: false,
  treeshake: false,
  banner: {
    js: "// @moth-companion/opencode: tells the moth on this machine about turns. `moth hook` put it here, `moth unhook` takes it away.",
  },
};

export default defineConfig([
  { ...alone, entry: { moth: "src/main.ts" }, minify: true },
  // What the harness supplies it finds by the space between `from` and the name (1.18.33): in a file made small it finds nothing.
  { ...alone, entry: { "moth-window": "src/window/main.ts" }, external: [/^@opentui\//, "solid-js"], clean: false },
]);
