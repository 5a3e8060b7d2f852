import { bringHook } from "../../scripts/bring-hook.mjs";

bringHook(import.meta.dirname, [".claude-plugin/plugin.json", "band/.claude-plugin/plugin.json"]);
