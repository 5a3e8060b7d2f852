import { showInHarness } from "@moth-companion/core/config";
import { ownLine } from "@moth-companion/core/own-line";
import type { Env } from "@moth-companion/core/paths";
import { talk } from "@moth-companion/core/talk";
import type { Place } from "./door.ts";
import type { Screen } from "./screen.ts";

/**
 * moth's lines in the window of the session they are about, when the person has turned that on. The harness waits for nothing here,
 * and the model reads nothing of it.
 */
export interface Display {
  /** A turn was reported, at `after` or later (ms since 1970): shows moth's line about it, if one comes. */
  turned(place: Place, after: number): void;
  /** The person goes on: what is shown has had its time. */
  clear(): void;
  /** The session is left: nothing that comes later belongs here. */
  left(): void;
  /** Says something to moth and shows the reply. */
  say(words: string, screen: Screen): void;
  /** Whether the person has turned it on, as it is now. */
  isOn(): boolean;
}

export function createDisplay(source: string, env: Env = process.env): Display {
  let shown: Screen | undefined;
  let session = new AbortController();
  let turn = new AbortController();

  const isOn = (): boolean => showInHarness(env).value;

  function show(screen: Screen, lines: readonly string[]): void {
    shown = screen;
    screen.above(lines);
  }

  function clear(): void {
    shown?.above([]);
    shown = undefined;
  }

  async function awaitLine(of: string, screen: Screen, after: number, signal: AbortSignal): Promise<void> {
    const line = await ownLine({ source, session: of }, after, { env, signal });
    // It may have been turned off while moth was thinking.
    if (line && !signal.aborted && isOn()) show(screen, [`moth> ${line.text}`]);
  }

  async function converse(words: string, screen: Screen, signal: AbortSignal): Promise<void> {
    const own = screen.hasEditor && isOn();
    if (own) show(screen, [`you> ${words}`]);
    const reply = await talk(words, { env, signal });
    if (signal.aborted) return;
    if (!reply.ok) {
      if (own) clear();
      screen.notice(reply.problem, "warning");
    } else if (own) show(screen, [`you> ${words}`, `moth> ${reply.text}`]);
    else screen.notice(`moth> ${reply.text}`, "info");
  }

  return {
    turned(place, after) {
      turn.abort();
      if (!place.screen?.hasEditor || !isOn()) return;
      turn = new AbortController();
      awaitLine(place.session, place.screen, after, turn.signal).catch(() => {});
    },
    clear,
    left() {
      turn.abort();
      session.abort();
      session = new AbortController();
      clear();
    },
    say(words, screen) {
      converse(words, screen, session.signal).catch(() => {});
    },
    isOn,
  };
}
