/** Answers that adapters fetch, through a real server: what a plugin at its harness's door does. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { awaitAnswer } from "@moth-companion/core/answers";
import type { LogAnswer, SessionsAnswer } from "@moth-companion/core/protocol";
import type { Harness } from "@moth-companion/harnesses";
import { sendState } from "@moth-companion/core/report";
import { expect, onTestFinished, test, vi } from "vitest";
import { get, post, started, tempHome } from "../test/support.ts";

const of = { source: "pi", session: "s", wait: "w1" };
const wait = { id: "w1", kind: "permission", text: "npm publish", answerable: true } as const;
const yes = { ...of, choice: "allow", by: "page" };

async function waiting({ on = true } = {}): Promise<{
  env: Record<string, string>;
  server: Awaited<ReturnType<typeof started>>;
}> {
  const home = tempHome();
  const server = await started({ env: { MOTH_HOME: home, ...(on && { MOTH_ANSWERS: "on" }) } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url, MOTH_ANSWERS: "on" };
  await sendState({ source: "pi", session: "s", state: "waiting", wait, seq: 1 }, { env });
  await vi.waitFor(async () => expect((await get<SessionsAnswer>(server, "/api/sessions")).sessions[0]?.state).toBe("waiting"));
  return { env, server };
}

test("the adapter gets the answer, and the person hears that it was taken", async () => {
  const { env, server } = await waiting();
  const arriving = awaitAnswer(of, { env, signal: new AbortController().signal });
  const answered = post(server, "/api/answer", yes);
  const answer = await arriving;
  expect(answer).toMatchObject({ choice: "allow" });
  answer?.taken();
  expect((await answered).body).toEqual({ ok: true });
  const { events } = await get<LogAnswer>(server, "/api/log");
  expect(events.at(-1)).toMatchObject({ kind: "answer", session: "s", choice: "allow", by: "page" });
});

test("what the harness refuses is told in the adapter's words, and can be answered again", async () => {
  const { env, server } = await waiting();
  const signal = new AbortController().signal;
  const answered = post(server, "/api/answer", yes);
  (await awaitAnswer(of, { env, signal }))?.refused("It is about to end.");
  expect((await answered).body).toMatchObject({ error: { code: "NOT_TAKEN", message: "It is about to end." } });
  const again = post(server, "/api/answer", yes);
  (await awaitAnswer(of, { env, signal }))?.taken();
  expect((await again).status).toBe(200);
});

test("when nobody is at the door, the person hears so", async () => {
  const { server } = await waiting();
  expect((await post(server, "/api/answer", yes)).body).toMatchObject({
    error: { code: "NOT_TAKEN", message: expect.stringContaining("own window") as string },
  });
});

test("a wait that stands behind another ends the fetching too, though nothing is seen to change", async () => {
  const { env, server } = await waiting();
  const behind = { source: "pi", session: "s" };
  await sendState({ ...behind, state: "waiting", wait: { ...wait, id: "w2" }, seq: 2 }, { env });
  // It is known once an answer to it is refused for what it says.
  const isKnown = async (): Promise<void> =>
    expect((await post(server, "/api/answer", { ...behind, wait: "w2", choice: "no" })).status).toBe(400);
  await vi.waitFor(isKnown);
  const fetched = get(server, "/api/answers?source=pi&session=s&wait=w2&for=15");
  await sendState({ ...behind, state: "working", ended: "w2", seq: 3 }, { env });
  expect(await fetched).toEqual({ over: true });
});

test("a wait that is over ends the fetching; so does whoever fetches, a moth that stops, and answers that are off", async () => {
  const { env, server } = await waiting();
  const over = awaitAnswer(of, { env, signal: new AbortController().signal });
  await sendState({ source: "pi", session: "s", state: "working", ended: "w1", seq: 2 }, { env });
  expect(await over).toBeUndefined();

  const leaving = new AbortController();
  const left = awaitAnswer({ ...of, wait: "w2" }, { env, signal: leaving.signal });
  leaving.abort();
  expect(await left).toBeUndefined();
  expect(await awaitAnswer(of, { env: { ...env, MOTH_ANSWERS: "off" }, signal: new AbortController().signal })).toBeUndefined();

  const last = new AbortController();
  const stopped = awaitAnswer({ ...of, wait: "w3" }, { env, signal: last.signal });
  await server.stop();
  last.abort();
  expect(await stopped).toBeUndefined();
});

test("an adapter that began to fetch before moth heard of the wait gets its answer too", async () => {
  const { env, server } = await waiting();
  const other = { ...of, wait: "w9" };
  const arriving = awaitAnswer(other, { env, signal: new AbortController().signal });
  await sendState({ source: "pi", session: "s", state: "waiting", wait: { ...wait, id: "w9" }, seq: 3 }, { env });
  await vi.waitFor(async () => {
    const answered = post(server, "/api/answer", { ...yes, wait: "w9" });
    const answer = await Promise.race([arriving, answered.then(() => undefined)]);
    answer?.taken();
    expect((await answered).status).toBe(200);
  });
});

test("a harness with a door in the server: what an adapter fetches the answer to goes to the adapter, all else through the door", async () => {
  const home = tempHome();
  const atDoor: string[] = [];
  const door = {
    answer: (_session: string, { id }: { id: string }) => {
      atDoor.push(id);
      return Promise.resolve({ taken: true } as const);
    },
    stop: () => undefined,
  };
  const harness = { id: "pi", startDoor: () => door } as unknown as Harness;
  const server = await started({ env: { MOTH_HOME: home, MOTH_ANSWERS: "on" }, harnesses: [harness] });
  const env = { MOTH_HOME: home, MOTH_URL: server.url, MOTH_ANSWERS: "on" };
  for (const id of ["w1", "w2", "w3"])
    await post(server, "/api/state", { source: "pi", session: "s", state: "waiting", wait: { ...wait, id } });
  const signal = new AbortController().signal;
  const arriving = awaitAnswer({ ...of, wait: "w1" }, { env, signal });
  expect((await post(server, "/api/answer", { ...yes, wait: "w2" })).body).toEqual({ ok: true });
  await vi.waitFor(async () => expect((await post(server, "/api/answer", { ...yes, choice: "x" })).status).toBe(400));
  const answered = post(server, "/api/answer", yes);
  (await arriving)?.taken();
  expect((await answered).body).toEqual({ ok: true });
  // Nor is it the door's between two fetches.
  expect(await get(server, "/api/answers?source=pi&session=s&wait=w3&for=0.01")).toEqual({});
  const late = post(server, "/api/answer", { ...yes, wait: "w3" });
  (await awaitAnswer({ ...of, wait: "w3" }, { env, signal }))?.taken();
  expect((await late).body).toEqual({ ok: true });
  expect(atDoor).toEqual(["w2"]);
});

test("the roster says that the person is away, for as long as they are", async () => {
  const home = tempHome();
  const settings = join(home, "config.json");
  const server = await started({ env: { MOTH_HOME: home } });
  for (const [text, away] of [
    ['{"answers": true, "away": true}', true],
    ['{"answers": false, "away": true}', undefined],
    ['{"answers": true, "away": "no"}', undefined],
  ] as const) {
    writeFileSync(settings, text);
    expect((await get<SessionsAnswer>(server, "/api/sessions")).away).toBe(away);
  }
});

test("the token is needed to fetch, and the wait must be named", async () => {
  const { server } = await waiting();
  expect((await fetch(`${server.url}/api/answers?source=pi&wait=w1`)).status).toBe(401);
  expect(await get(server, "/api/answers?source=pi")).toMatchObject({ error: { code: "BAD_QUERY" } });
  expect((await post(server, "/api/taken", { id: "none", taken: true })).body).toEqual({ ok: false });
});

test("with answers off, nothing of what is asked is kept, whatever an adapter tells", async () => {
  const { server } = await waiting({ on: false });
  const [session] = (await get<SessionsAnswer>(server, "/api/sessions")).sessions;
  expect(session).toMatchObject({ wait: { id: "w1", kind: "permission", answerable: false } });
  expect(JSON.stringify(await get(server, "/api/log"))).not.toContain("npm publish");
  expect((await post(server, "/api/answer", yes)).status).toBe(403);
});

test("answers that are turned off hide what was asked before, in the roster and in the log", async () => {
  const home = tempHome();
  const settings = join(home, "config.json");
  writeFileSync(settings, '{"answers": true}');
  const server = await started({ env: { MOTH_HOME: home } });
  await post(server, "/api/state", { source: "pi", session: "s", state: "waiting", wait });
  const seen = async (): Promise<string> => JSON.stringify([await get(server, "/api/sessions"), await get(server, "/api/log")]);
  await vi.waitFor(async () => expect((await seen()).match(/npm publish/g)).toHaveLength(2));
  writeFileSync(settings, '{"answers": false}');
  await vi.waitFor(async () => expect(await seen()).not.toContain("npm publish"), { timeout: 10_000 });
  expect((await get<SessionsAnswer>(server, "/api/sessions")).sessions[0]).toMatchObject({
    state: "waiting",
    wait: { id: "w1", kind: "permission", answerable: false },
  });
});

test("a moth that is started anew at once is told of the wait again", async () => {
  const { env, server } = await waiting();
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const again = vi.fn<() => void>();
  const arriving = awaitAnswer(of, { env, signal: leaving.signal, again });
  await vi.waitFor(async () => expect((await post(server, "/api/answer", { ...yes, choice: "never" })).status).toBe(400));
  await server.stop();
  const next = await started({ port: server.port, env: { MOTH_HOME: env["MOTH_HOME"], MOTH_ANSWERS: "on" } });
  await vi.waitFor(() => expect(again).toHaveBeenCalled(), { timeout: 10_000 });
  await sendState({ source: "pi", session: "s", state: "waiting", wait, seq: 1 }, { env });
  await vi.waitFor(async () => expect((await get<SessionsAnswer>(next, "/api/sessions")).sessions[0]?.state).toBe("waiting"));
  const answered = post(next, "/api/answer", yes);
  (await arriving)?.taken();
  expect((await answered).status).toBe(200);
});
