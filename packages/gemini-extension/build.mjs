import { bringHook } from "../../scripts/bring-hook.mjs";

bringHook(import.meta.dirname, ["gemini-extension.json"]);
