/** A real moth for displays to look at, whose voice says what it hears and can be made to think. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownLine } from "@moth-companion/core/own-line";
import { sendTurn } from "@moth-companion/core/report";
import { expect, vi } from "vitest";
import { started, tempHome } from "../../server/test/support.ts";

export interface Stage {
  env: Record<string, string>;
  /** Turns the lines on or off, as `moth config` does. */
  turn: (how: "on" | "off") => void;
  /** A turn of a session is reported. */
  ends: (text: string, session?: string, source?: string) => Promise<void>;
  /** Waits until moth has said its line on the newest turn of a session: who waited for it before has it by then. */
  said: (session?: string) => Promise<void>;
  /** moth holds its tongue until it is let go. */
  thinks: () => () => void;
  stop: () => Promise<void>;
}

export async function stage(): Promise<Stage> {
  const home = tempHome();
  let thought = Promise.resolve();
  const server = await started({
    env: { MOTH_HOME: home },
    batch: { reactEvery: 0, quietAfter: 0, batchWindow: 0 },
    voice: {
      react: async ({ source, text }) => (await thought, { text: `${source}: ${text}` }),
      chat: async (text) => (await thought, { text: `so you say ${text}` }),
      reset: () => undefined,
    },
  });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  return {
    env,
    turn: (how) => writeFileSync(join(home, "config.json"), JSON.stringify({ show_in_harness: how })),
    ends: async (text, session = "s-1", source = "opencode") => void (await sendTurn({ source, session, text }, { env })),
    said: async (session = "s-1") => expect(await ownLine({ source: "opencode", session }, 0, { env })).toBeDefined(),
    thinks: () => {
      const go: { on?: () => void } = {};
      thought = new Promise((resolve) => (go.on = resolve));
      return () => go.on?.();
    },
    stop: () => server.stop(),
  };
}

/** A busy machine is slow. */
export function eventually(holds: () => void): Promise<void> {
  return vi.waitFor(holds, { timeout: 10_000 });
}
