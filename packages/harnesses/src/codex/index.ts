import type { Harness, ReadPayload, StartDoor, StartWatch } from "../types.ts";
import { detect } from "./detect.ts";
import { startDoor } from "./door.ts";
import { launch } from "./launch.ts";
import { SOURCE } from "./payload.ts";
import { readEvent } from "./read-event.ts";
import { startWatch } from "./watch.ts";

export const codex: Harness & { id: typeof SOURCE; readPayload: ReadPayload; startWatch: StartWatch; startDoor: StartDoor } = {
  id: SOURCE,
  name: "Codex",
  short: "codex",
  program: "codex",
  movedBy: ["CODEX_HOME"],
  extras: {
    trust: true,
    legacy: true,
    answers: true,
    profile: "a profile of Codex lies on top of your settings, so moth's hooks there hold in every profile.",
  },
  detect,
  launch,
  // Only when asked for: the server holds this registry too, and edits nothing.
  health: async (options) => (await import("./health.ts")).health(options),
  planHook: async (options) => (await import("./install.ts")).planHook(options),
  planUnhook: async (options) => (await import("./install.ts")).planUnhook(options),
  strangers: async (options) => (await import("./strangers.ts")).strangers(options),
  readPayload: readEvent,
  startWatch,
  startDoor,
  ordersNeed:
    "Codex does in its background daemon, where a session lives unless it was started with --no-daemon or by codex exec.",
};
