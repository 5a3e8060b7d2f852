import { spawn } from "node:child_process";
import type { Env } from "@moth-companion/core/paths";

/** The program that opens an address in the person's browser, and what it takes; undefined: there is no screen here, or not theirs. */
export function browserCommand(
  url: string,
  env: Env,
  platform: NodeJS.Platform = process.platform,
): [string, ...string[]] | undefined {
  if (env["SSH_CONNECTION"] || env["SSH_TTY"]) return undefined;
  // Not `start`: it is the shell's own, and the shell would read the address.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  if (platform === "darwin") return ["open", url];
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? ["xdg-open", url] : undefined;
}

/** Starts it and does not wait for its end. @returns whether it could be started */
export function openBrowser([program, ...args]: readonly [string, ...string[]], env: Env): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...env }, stdio: "ignore", detached: true, windowsHide: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
