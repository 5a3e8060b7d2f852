/** The contract of an adapter, line by line, held by the built plugin in a process of its own. */
import { statSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { PLUGIN, recording, run, startMoth, startTcp, story, TOKEN } from "./harness.ts";

const EVENTS = recording("opencode-1.18.33-terminal");

test("the only export is the plugin function, and it asks for no hook that could change a decision", async () => {
  const moth = await startMoth();
  const ran = await run([], moth.url);
  expect(ran.exports).toEqual(["default"]);
  expect(ran.hooks).toEqual(["event", "dispose"]);
  expect(moth.requests).toBe(0);
});

test("events of any shape are ignored without a word, and what is known is still heard among them", async () => {
  const moth = await startMoth();
  const wrong: unknown[] = [
    { type: "session.created" },
    { type: "session.created", properties: { info: null } },
    { type: "session.status", properties: { sessionID: 5, status: "busy" } },
    { type: "session.next.text.delta", properties: { sessionID: "ses_1", text: "no" } },
    { type: "permission.v2.asked", properties: { id: "per_1", sessionID: "ses_1" } },
    { type: "message.updated", properties: { sessionID: "ses_1", info: { id: {}, role: "assistant", time: 3 } } },
    { type: "message.part.updated", properties: { sessionID: "ses_1", part: [] } },
    { type: "permission.asked", properties: { sessionID: "ses_1" } },
    { type: "tomorrow.invented", properties: { sessionID: "ses_1", deep: { er: true } } },
  ];
  const ran = await run([...wrong, ...EVENTS] as typeof EVENTS, moth.url, { hostile: true });
  expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", rejected: 0 });
  await vi.waitFor(() => expect(story(moth.heard())).toContain('"In a new session."'));
});

test("nothing is sent but what the protocol names: no prompt, no tool's input, no path", async () => {
  const moth = await startMoth();
  await run(EVENTS, moth.url);
  // The last reply of the last session: what comes after it are two states.
  await vi.waitFor(() => expect(story(moth.heard())).toContain('"In a new session."'));
  const named = ["source", "session", "label", "seq", "pid", "text", "outcome", "turn", "state", "wait", "ended"];
  for (const { path, body } of moth.heard()) {
    expect(["/api/agent", "/api/state"]).toContain(path);
    expect(named).toEqual(expect.arrayContaining(Object.keys(body)));
    if (body.wait) expect(Object.keys(body.wait).sort()).toEqual(["answerable", "id", "kind", "tool"]);
  }
  const all = JSON.stringify(moth.heard().map(({ body }) => body));
  for (const secret of ["[[", "touch", "never.txt", "Which colour", "/home/me", "scripted error"])
    expect(all).not.toContain(secret);
});

test("the token is read for each report: a new one counts at once", async () => {
  const moth = await startMoth();
  const laterToken = "another-token-of-thirty-two-chars";
  await run(EVENTS, moth.url, { laterToken });
  const tokens = (): unknown[] => moth.heard().map(({ headers }) => headers["x-moth-token"]);
  await vi.waitFor(() => expect([tokens()[0], tokens().at(-1)]).toEqual([TOKEN, laterToken]));
});

test("without a token nothing is sent", async () => {
  const moth = await startMoth();
  expect(await run(EVENTS, moth.url, { token: null })).toMatchObject({ code: 0, stdout: "", stderr: "", rejected: 0 });
  expect(moth.requests).toBe(0);
});

test("behind a proxy, the proxy sees nothing", async () => {
  const moth = await startMoth();
  const proxy = await startTcp((socket) => socket.destroy());
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  const env = { ...Object.fromEntries(names.map((name) => [name, proxy.url])), NODE_USE_ENV_PROXY: "1" };
  await run(EVENTS, moth.url, { env });
  await vi.waitFor(() => expect(story(moth.heard())).toContain('"In a new session."'));
  expect(proxy.connections()).toBe(0);
});

const TROUBLE: [string, () => Promise<string>][] = [
  ["nobody listens", () => Promise.resolve("http://127.0.0.1:1")],
  ["moth's address is none", () => Promise.resolve("not a url")],
  ["connections are taken and nothing is read", async () => (await startTcp(() => {}, true)).url],
  ["the answer never comes", async () => (await startTcp((socket) => socket.resume())).url],
  ["the answer is garbage", async () => (await startTcp((socket) => socket.resume().write("\0garbage\r\n".repeat(9999)))).url],
  ["the connection is cut", async () => (await startTcp((socket) => socket.destroy())).url],
];
for (const [when, start] of TROUBLE) {
  test(`when ${when}, the harness notices nothing and ends in time`, async () => {
    const ran = await run(EVENTS, await start());
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", rejected: 0 });
    // A second is the limit; the rest is for a busy machine.
    expect(ran.disposed).toBeLessThan(3000);
    expect(ran.median).toBeLessThan(1);
  });
}

test("in Kilo it reports as Kilo", async () => {
  const moth = await startMoth();
  const events = recording("opencode-1.18.33-fork");
  await run(events, moth.url, { env: { KILO: "1" } });
  await vi.waitFor(() => expect(moth.heard().at(-1)?.body).toMatchObject({ state: "gone", source: "kilo" }));
});

test("the built file stays small enough to be read", () => {
  expect(statSync(PLUGIN).size).toBeLessThan(15_000);
});
