import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Env } from "@moth-companion/core/paths";

/** Whether the person's own systemd runs: it does not in most containers, and not for a login without a session. */
export function hasUserManager(env: Env): boolean {
  const folder = env["XDG_RUNTIME_DIR"] || `/run/user/${process.getuid?.() ?? 0}`;
  return existsSync(join(folder, "systemd", "private"));
}

/** Has it read its units again, so that it does not go by what was there before. It would at the next login in any case. */
export function reloadUserManager(env: Env): void {
  if (hasUserManager(env)) spawnSync("systemctl", ["--user", "daemon-reload"], { env, stdio: "ignore", timeout: 5000 });
}
