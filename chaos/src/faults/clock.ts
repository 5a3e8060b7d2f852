import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LogAnswer, type MothEvent, type SessionsAnswer, TOKEN_HEADER } from "@moth-companion/core/protocol";
import { startServer, systemClock } from "@moth-companion/server";
import type { Fault } from "../fault.ts";
import { pause } from "@moth-companion/core/pause";
import { until } from "../moth.ts";

const [HOUR, YEAR] = [3_600_000, 31_536_000_000];
/** Milliseconds moth may take to react after a jump; its own times are a second and less here. */
const PATIENCE_MS = 15_000;

export const clock: Fault = {
  name: "the clock jumps",
  async run(trial) {
    const home = mkdtempSync(join(tmpdir(), "moth-chaos-"));
    trial.after(() => rmSync(home, { recursive: true, force: true }));
    let ahead = 0;
    const server = await startServer({
      version: "0.0.0",
      port: 0,
      env: { HOME: home, MOTH_HOME: home },
      clock: { ...systemClock, now: () => Date.now() + ahead },
      harnesses: [],
      batch: { reactEvery: 0.2, quietAfter: 0.2, batchWindow: 0.1 },
    });
    trial.after(() => server.stop());
    const ask = async <T>(path: string, body?: object): Promise<T> => {
      const headers = { [TOKEN_HEADER]: server.token, "Content-Type": "application/json" };
      const answer = await fetch(server.url + path, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
      trial.claim("every request is taken", answer.ok, `${path}: ${answer.status}`);
      return (await answer.json()) as T;
    };
    const events = async (): Promise<MothEvent[]> => (await ask<LogAnswer>("/api/log?since=0")).events;
    const always = [HOUR, -HOUR, 10 * YEAR, -20 * YEAR, 10 * YEAR];
    const jumps = [...always, ...Array.from({ length: trial.short ? 2 : 60 }, () => trial.random.int(-2 * YEAR, 2 * YEAR))];
    for (const [index, jump] of jumps.entries()) {
      const about = { source: "chaos", session: `s${index % 7}`, label: `s${index % 7}` };
      await ask("/api/state", { ...about, state: "working" });
      await ask("/api/mute", { seconds: 60 });
      await ask("/api/chat", { text: "hello" });
      ahead += jump;
      await ask("/api/agent", { ...about, text: `Done ${index}.` });
      const from = (await events()).at(-1)?.id ?? 0;
      const speaks = async (): Promise<boolean> => {
        await ask("/api/agent", { ...about, text: `Done ${index}, ${Math.random()}.` });
        await pause(100);
        return (await events()).some((event) => event.kind === "say" && event.id > from && "card" in event);
      };
      trial.claim("moth goes on to react", await until(speaks, PATIENCE_MS), `after a jump of ${jump / HOUR} hours`);
      const { sessions } = await ask<SessionsAnswer>("/api/sessions");
      const row = sessions.find(({ session }) => session === about.session);
      trial.claim("the roster is right", row?.state === "idle", row);
      await ask("/api/mute", { off: true });
    }
    const isSettled = async (): Promise<boolean> => unanswered(await events()).length === 0;
    trial.claim("every card has its say or its skip", await until(isSettled, PATIENCE_MS), unanswered(await events()));
    const ids = (await events()).map(({ id }) => id);
    trial.claim(
      "events stay in order",
      ids.every((id, index) => index === 0 || id === ids[index - 1]! + 1),
    );
    return jumps.length;
  },
};

function unanswered(events: readonly MothEvent[]): MothEvent[] {
  const over = new Set(events.flatMap((event) => ("card" in event && event.card !== undefined ? [event.card] : [])));
  return events.filter((event) => event.kind === "card" && !over.has(event.id));
}
