import type { Env } from "@moth-companion/core/paths";

/**
 * Which harness this process is. Both set a variable to the id of their own process (OpenCode 1.18.33, Kilo 7.7.7), which one that was
 * started inside the other inherits together with everything else: so what counts is whose id is ours.
 */
export function sourceOf(env: Env, pid: number): "opencode" | "kilo" {
  if (env["KILO_PID"] === String(pid)) return "kilo";
  if (env["OPENCODE_PID"] === String(pid)) return "opencode";
  return env["KILO"] ? "kilo" : "opencode";
}
