/** What a display inside a harness asks, against a real server: the line of its own session, and the person's words to moth. */
import { expect, test, vi } from "vitest";
import { ownLine } from "@moth-companion/core/own-line";
import { sendTurn } from "@moth-companion/core/report";
import { talk } from "@moth-companion/core/talk";
import type { LogAnswer } from "@moth-companion/core/protocol";
import { echoVoice, get, started, tempHome } from "../test/support.ts";
import type { Voice } from "./voice/voice.ts";

async function awake(): Promise<{ env: Record<string, string>; server: Awaited<ReturnType<typeof started>> }> {
  const home = tempHome();
  const server = await started({ env: { MOTH_HOME: home }, batch: { reactEvery: 0, quietAfter: 0, batchWindow: 0 } });
  return { env: { MOTH_HOME: home, MOTH_URL: server.url }, server };
}

test("a session gets the line about its own turn, though others speak first", async () => {
  const { env, server } = await awake();
  const line = ownLine({ source: "pi", session: "mine" }, Date.now(), { env });
  // Turns that are thought of in the same millisecond would be one batch, with one line.
  await sendTurn({ source: "pi", session: "other", text: "All 3 tests pass." }, { env });
  await vi.waitFor(async () => expect(await saysIn(server)).toHaveLength(1));
  await sendTurn({ source: "omp", session: "mine", text: "All 4 tests pass." }, { env });
  await vi.waitFor(async () => expect(await saysIn(server)).toHaveLength(2), { timeout: 10_000 });
  await sendTurn({ source: "pi", session: "mine", text: "Should I go on with the parser?" }, { env });
  expect((await line)?.quote).toBe("Should I go on with the parser?");
});

test("a line from before is not shown for a turn of now", async () => {
  const { env, server } = await awake();
  await sendTurn({ source: "pi", session: "mine", text: "An old reply." }, { env });
  const [said] = await vi.waitFor(async () => {
    const says = await saysIn(server);
    expect(says).toHaveLength(1);
    return says;
  });
  expect(await ownLine({ source: "pi", session: "mine" }, said!.time, { env, waitMs: 50 })).toBeDefined();
  expect(await ownLine({ source: "pi", session: "mine" }, said!.time + 1, { env, waitMs: 50 })).toBeUndefined();
});

test("a harness without session ids is one session, and an id is asked for as the server keeps it", async () => {
  const { env } = await awake();
  const before = Date.now();
  await sendTurn({ source: "dsh", text: "One." }, { env });
  await sendTurn({ source: "dsh", session: "a b&c", text: "Two is done." }, { env });
  expect(await ownLine({ source: "dsh" }, before, { env })).toMatchObject({ quote: "One." });
  expect(await ownLine({ source: "dsh", session: "a b&c" }, before, { env })).toMatchObject({ quote: "Two is done." });
});

test("without the token says does not wait, and a bad time is refused", async () => {
  const { server } = await awake();
  const started = Date.now();
  expect((await fetch(`${server.url}/api/says?wait=10&source=pi`)).status).toBe(200);
  expect(Date.now() - started).toBeLessThan(5000);
  const refused = await fetch(`${server.url}/api/says?after=yesterday`);
  expect(await refused.json()).toMatchObject({
    error: { code: "BAD_QUERY", message: expect.stringContaining("after") as string },
  });
});

test("the person talks to moth and reads the reply to these words", async () => {
  const voice: Voice = { ...echoVoice, chat: (text) => Promise.resolve({ text: `you said: ${text}` }) };
  const home = tempHome();
  const { url } = await started({ env: { MOTH_HOME: home }, voice });
  const env = { MOTH_HOME: home, MOTH_URL: url };
  const [one, two] = await Promise.all([talk("hello", { env }), talk("who is at work?", { env })]);
  expect(one).toEqual({ ok: true, text: "you said: hello" });
  expect(two).toEqual({ ok: true, text: "you said: who is at work?" });
});

test("a wait is over when moth is stopped or the display goes, and the place is free again", async () => {
  const { env, server } = await awake();
  const gone = new AbortController();
  const first = ownLine({ source: "pi", session: "mine" }, Date.now(), { env, signal: gone.signal });
  const second = ownLine({ source: "pi", session: "mine" }, Date.now(), { env });
  gone.abort();
  expect(await first).toBeUndefined();
  await server.stop();
  expect(await second).toBeUndefined();
  expect(await talk("hello", { env })).toEqual({ ok: false, problem: expect.stringContaining("asleep") as string });
});

test("words moth refuses are told in its own words", async () => {
  const { env } = await awake();
  expect(await talk("  ", { env })).toMatchObject({ ok: false, problem: expect.stringContaining("nothing to say") as string });
  expect(await talk("x".repeat(100_000), { env })).toMatchObject({ ok: false });
});

async function saysIn(server: Awaited<ReturnType<typeof started>>): Promise<{ time: number }[]> {
  const { events } = await get<LogAnswer>(server, "/api/log");
  return events.filter(({ kind }) => kind === "say");
}
