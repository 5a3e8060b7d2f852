import type { Session } from "@moth-companion/core/protocol";
import type { Client } from "../client.ts";
import { EXIT, Failure } from "../errors.ts";
import { columnsOf, type Io, styleOf } from "../io.ts";
import { pause } from "@moth-companion/core/pause";
import { onEnding } from "../signals.ts";
import { runnable } from "../runnable.ts";
import { commandName } from "../self.ts";
import { frame, unbroken } from "../tail/frame.ts";
import { fit } from "../width.ts";
import { countStates, renderRoster } from "./roster.ts";
import { rosterView } from "./view.ts";

const EVERY_MS = 1000;
/** q, ctrl-c, ctrl-d. */
const LEAVE_KEYS = new Set(["q", "Q", "\u0003", "\u0004"]);

// The other screen and no cursor; on the way out both back, so that the person's terminal is as before.
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[0m\u001b[?25h\u001b[?1049l";

/** `moth ps --watch`: draws until the person leaves. @param all see `RosterView` */
export async function watchRoster(client: Client, io: Io, all: boolean): Promise<number> {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  const keys = watchKeys(io, leave);
  const unlisten = onEnding(leave);
  let sessions: readonly Session[] = [];
  let trouble: Failure | undefined;
  let drawn = "";
  const draw = (): void => {
    const fresh = picture(sessions, trouble, { io, all });
    // Nothing is written for nothing.
    if (fresh !== drawn) io.stdout.write(frame(unbroken(fresh)));
    drawn = fresh;
  };
  const resized = (): void => {
    drawn = "";
    draw();
  };
  io.stdout.write(ENTER);
  io.stdout.on("resize", resized);
  try {
    while (!leaving.signal.aborted) {
      try {
        ({ sessions } = await client.sessions(leaving.signal));
        trouble = undefined;
      } catch (error) {
        if (leaving.signal.aborted) break;
        if (!(error instanceof Failure)) throw error;
        trouble = error;
      }
      draw();
      await pause(EVERY_MS, leaving.signal);
    }
    return EXIT.ok;
  } finally {
    io.stdout.off("resize", resized);
    unlisten();
    keys.stop();
    io.stdout.write(LEAVE);
  }
}

/**
 * From the top left, row by row, with the last what is below. Each is cleared before its text: behind one that fills its row, its last
 * character would go. Never cleared whole, so it cannot flicker.
 */
function picture(sessions: readonly Session[], trouble: Failure | undefined, { io, all }: { io: Io; all: boolean }): string {
  const columns = columnsOf(io) ?? 80;
  const rows = io.stdout.rows || 24;
  const style = styleOf(io);
  const asleep = trouble?.code === "NOT_RUNNING";
  const body = asleep
    ? [style.dim(`moth is asleep. Start it: ${commandName(io.env)} up`)]
    : trouble
      ? [fit(trouble.message, columns), style.dim(fit(runnable(trouble.next ?? "", commandName(io.env)), columns))]
      : [...renderRoster(sessions, { ...rosterView(io, all), columns }), "", style.dim(fit(countStates(sessions), columns))];
  const room = rows - 1;
  const shown = body.length > room ? [...body.slice(0, room - 1), style.dim(`… ${body.length - room + 1} more`)] : body;
  return `\u001b[H${shown.map((line, index) => `\u001b[${index === shown.length - 1 ? "J" : "K"}${line}`).join("\r\n")}`;
}

function watchKeys(io: Io, leave: () => void): { stop(): void } {
  const { stdin } = io;
  if (!stdin.isTTY) return { stop() {} };
  const onData = (data: Buffer): void => {
    if (LEAVE_KEYS.has(data.toString("latin1"))) leave();
  };
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.resume();
  return {
    stop() {
      stdin.off("data", onData);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
