import type { Rig } from "../adapter.ts";
import { claudeShaped, hookRig } from "./hook.ts";

/** Payloads as Codex 0.171.0 gave them. */
export const codex: Rig = hookRig({
  source: "codex",
  name: "Codex",
  env: (home) => ({ CODEX_HOME: home }),
  tell: claudeShaped("codex", "turn_id", { permission: ["permission"], aborted: ["interrupt"] }),
});
