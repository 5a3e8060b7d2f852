/** Which back-ends tell the person: those asked for that can work here. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "@moth-companion/core/paths";
import { type BackendName, BACKENDS } from "./backend.ts";
import type { NotifyRules } from "./notifier.ts";

/** How the person wants to be told. */
export interface NotifySettings extends NotifyRules {
  /** `auto`: on the desktop where there is one, else in the terminal; the command too when there is one. */
  by: "auto" | readonly BackendName[];
  /** Program and arguments; empty: none. */
  command: readonly string[];
  sound: boolean;
  /** Whether notices tell what is asked, and are a way to answer it. */
  answers: boolean;
}

export const NOTIFY_OFF: NotifySettings = { on: false, finishedAfter: 60, by: "auto", command: [], sound: false, answers: false };

/** What shows a notification on this desktop. */
type DesktopProgram = "dbus" | "osascript" | "powershell";

export interface Picked {
  by: BackendName[];
  desktop: DesktopProgram | undefined;
  problems: string[];
}

export function pickBackends(settings: NotifySettings, env: Env, platform: NodeJS.Platform): Picked {
  const desktop = desktopOf(env, platform);
  const problems: string[] = [];
  const has: Record<BackendName, boolean> = {
    desktop: desktop.program !== undefined,
    terminal: true,
    command: settings.command.length > 0,
  };
  if (settings.by === "auto") {
    has.terminal = !has.desktop;
    return { by: BACKENDS.filter((name) => has[name]), desktop: desktop.program, problems };
  }
  const wanted = settings.by;
  if (wanted.includes("desktop") && desktop.problem !== undefined) problems.push(desktop.problem);
  if (wanted.includes("command") && !has.command)
    problems.push("There is no command to run. Give one: moth config notify.command");
  return { by: BACKENDS.filter((name) => wanted.includes(name) && has[name]), desktop: desktop.program, problems };
}

type Desktop = { program: DesktopProgram; problem?: never } | { program?: never; problem: string };

function desktopOf(env: Env, platform: NodeJS.Platform): Desktop {
  if (platform === "darwin") return { program: "osascript" };
  if (platform === "win32") return { program: "powershell" };
  if (!env["DBUS_SESSION_BUS_ADDRESS"] && !hasBus(env))
    return {
      problem: "moth was started without a desktop session (no DBUS_SESSION_BUS_ADDRESS), so there is no desktop to tell.",
    };
  return { program: "dbus" };
}

/** Where a desktop's bus is when nobody says so. */
function hasBus(env: Env): boolean {
  const folder = env["XDG_RUNTIME_DIR"];
  return Boolean(folder) && existsSync(join(folder ?? "", "bus"));
}
