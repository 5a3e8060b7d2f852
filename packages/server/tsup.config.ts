import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

export default defineConfig({ ...base, target: "node20", entry: { index: "src/index.ts", jump: "src/panes/jump.ts" } });
