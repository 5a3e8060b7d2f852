import { bringHook } from "../../scripts/bring-hook.mjs";

bringHook(import.meta.dirname, [".codex-plugin/plugin.json"]);
