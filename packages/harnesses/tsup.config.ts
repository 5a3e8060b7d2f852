import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

export default defineConfig({
  ...base,
  target: "node20",
  entry: ["src/index.ts", "src/payloads.ts"],
  esbuildOptions(options, context) {
    base.esbuildOptions?.(options, context);
    // yaml's entry for Node is CommonJS and asks for Node's modules in a way a bundle cannot; the one for browsers is neither.
    options.alias = { yaml: fileURLToPath(new URL("node_modules/yaml/browser/index.js", import.meta.url)) };
  },
});
