import type { Env } from "@moth-companion/core/paths";
import type { Backend, BackendName } from "./backend.ts";
import { createCommandBackend } from "./command.ts";
import { createGdbusBackend, createNotifySendBackend } from "./desktop-linux.ts";
import { createMacBackend, createWindowsBackend } from "./desktop-others.ts";
import type { NotifySettings, Picked } from "./pick.ts";

/** The back-ends the server itself runs; the terminal's is `moth tail`. */
export function createBackends(
  { by, desktop }: Picked,
  settings: NotifySettings,
  env: Env,
): Partial<Record<BackendName, Backend>> {
  return {
    ...(by.includes("desktop") && desktop ? { desktop: desktopBackend(desktop, env, settings.sound) } : {}),
    ...(by.includes("command") ? { command: createCommandBackend(settings.command, env) } : {}),
  };
}

function desktopBackend(program: NonNullable<Picked["desktop"]>, env: Env, withSound: boolean): Backend {
  const make: Record<typeof program, () => Backend> = {
    gdbus: () => createGdbusBackend(env, withSound),
    "notify-send": () => createNotifySendBackend(env),
    osascript: () => createMacBackend(env, withSound),
    powershell: () => createWindowsBackend(env, withSound),
  };
  return make[program]();
}
