import type { Env } from "@moth-companion/core/paths";
import type { Backend, BackendName, OnAnswer } from "./backend.ts";
import { createCommandBackend } from "./command.ts";
import { createDbusBackend } from "./desktop-linux.ts";
import { createMacBackend, createWindowsBackend } from "./desktop-others.ts";
import type { NotifySettings, Picked } from "./pick.ts";

/** The back-ends the server itself runs; the terminal's is `moth tail`. */
export function createBackends(
  { by, desktop }: Picked,
  settings: NotifySettings,
  env: Env,
  onAnswer: OnAnswer,
): Partial<Record<BackendName, Backend>> {
  return {
    ...(by.includes("desktop") && desktop ? { desktop: desktopBackend(desktop, env, settings.sound, onAnswer) } : {}),
    ...(by.includes("command") ? { command: createCommandBackend(settings.command, env) } : {}),
  };
}

function desktopBackend(program: NonNullable<Picked["desktop"]>, env: Env, withSound: boolean, onAnswer: OnAnswer): Backend {
  const make: Record<typeof program, () => Backend> = {
    dbus: () => createDbusBackend(env, withSound, onAnswer),
    osascript: () => createMacBackend(env, withSound),
    powershell: () => createWindowsBackend(env, withSound),
  };
  return make[program]();
}
