/** The client for scripts, at a real server. */
import { awaitAnswer } from "@moth-companion/core/answers";
import { createClient, type MothClient } from "@moth-companion/core/client";
import type { MothEvent } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import type { RunningServer } from "../src/server.ts";
import { post, started, tempHome } from "./support.ts";

const api = { source: "pi", session: "3f2a91bc", label: "api" };
const wait = { id: "w1", kind: "permission", text: "npm publish", answerable: true };

interface Parts {
  server: RunningServer;
  moth: MothClient;
  env: Record<string, string>;
  report: (to: "agent" | "state", body: object) => Promise<unknown>;
}

async function parts(): Promise<Parts> {
  const home = tempHome();
  const server = await started({ env: { MOTH_HOME: home, MOTH_ANSWERS: "on" } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url, MOTH_ANSWERS: "on" };
  const report: Parts["report"] = (to, body) => post(server, `/api/${to}`, { ...api, ...body });
  return { server, moth: createClient({ env }), env, report };
}

test("a session is found by its label, the beginning of its id, or a row; what is said last is there when the wait ends", async () => {
  const { moth, report } = await parts();
  await report("state", { state: "working" });
  const [row] = await moth.sessions();
  expect(row).toMatchObject({ ...api, state: "working" });
  expect(await Promise.all(["API", "3f2a", row!].map((whom) => moth.session(whom)))).toEqual([row, row, row]);
  expect(await moth.last("api")).toBeUndefined();
  const waiting = moth.wait("api");
  await report("agent", { text: "Done.", outcome: "failed" });
  expect(await waiting).toMatchObject({ result: "matched", session: { ...api, state: "idle", outcome: "failed" } });
  expect(await moth.last("api")).toMatchObject({ text: "Done.", outcome: "failed" });
});

test("what this client has answered, it waits for no more", async () => {
  const { moth, report, env } = await parts();
  await report("state", { state: "waiting", wait });
  await vi.waitFor(async () => expect((await moth.session("api")).state).toBe("waiting"));
  const { session } = await moth.wait("api");
  const answered = moth.answer(session, { wait: "w1", choice: "allow" });
  const arrived = await awaitAnswer({ ...api, wait: "w1" }, { env, signal: new AbortController().signal });
  expect(arrived).toMatchObject({ choice: "allow" });
  arrived?.taken();
  await answered;
  // Its harness has not told yet that it goes on.
  expect(await moth.wait("api", { timeoutMs: 50 })).toMatchObject({ result: "timed-out", session: { state: "waiting" } });
  await expect(moth.answer("api", { wait: "w1", choice: "allow" })).rejects.toMatchObject({ code: "ANSWERED" });
  const next = moth.wait("api");
  await report("state", { state: "waiting", wait: { ...wait, id: "w2" } });
  await report("state", { state: "working", ended: "w1" });
  expect(await next).toMatchObject({ result: "matched", session: { state: "waiting", wait: { id: "w2" } } });
});

test("a waiting ends when its signal does, and when moth forgets, the session is still waited for", async () => {
  const { server, moth, report } = await parts();
  await report("state", { state: "working" });
  const leaving = new AbortController();
  const left = moth.wait("api", { signal: leaving.signal });
  const kept = moth.wait("api", { for: ["idle", "gone"] });
  await post(server, "/api/reset", { everything: true });
  await report("state", { state: "working" });
  leaving.abort();
  expect(await left).toMatchObject({ result: "timed-out" });
  await report("state", { state: "gone" });
  expect(await kept).toMatchObject({ result: "matched", session: { state: "gone" } });
});

test("follow tells every event from now on, across a restart of moth, until it is ended", async () => {
  const { server, moth, report, env } = await parts();
  await report("state", { state: "working" });
  const leaving = new AbortController();
  const heard: string[] = [];
  const told = (async () => {
    for await (const event of moth.follow({ signal: leaving.signal })) heard.push(words(event));
  })();
  await vi.waitFor(async () => {
    await report("state", { session: "other", state: "working" });
    await report("state", { session: "other", state: "idle" });
    expect(heard.length).toBeGreaterThan(0);
  });
  expect(heard).not.toContain("3f2a91bc working");
  await server.stop();
  const again = await started({ env: { MOTH_HOME: env["MOTH_HOME"] }, port: server.port });
  await post(again, "/api/state", { ...api, state: "working" });
  await vi.waitFor(() => expect(heard.at(-1)).toBe("3f2a91bc working"), { timeout: 10_000 });
  leaving.abort();
  await told;
});

test.each<[string, string, (moth: MothClient) => Promise<unknown>]>([
  ["a session that is not there", "NO_SESSION", (moth) => moth.wait("web")],
  ["a name that means two", "SEVERAL", (moth) => moth.last("api")],
  ["an answer to a wait that is over", "STALE", (moth) => moth.answer({ ...api }, { wait: "w0", choice: "allow" })],
])("%s is an error with the code %s", async (_what, code, call) => {
  const { moth, report } = await parts();
  await report("state", { state: "working" });
  await report("state", { state: "working", session: "another" });
  await expect(call(moth)).rejects.toMatchObject({ name: "MothError", code });
});

test("of two of one name that are gone the newer is meant", async () => {
  const { moth, report } = await parts();
  for (const session of ["first", "second"]) {
    await report("agent", { session, text: `I was ${session}.` });
    await report("state", { session, state: "gone" });
  }
  expect(await moth.last("api")).toMatchObject({ text: "I was second." });
});

test("no moth, and another's token, are errors with their codes", async () => {
  const { server, moth, env } = await parts();
  const stranger = createClient({ env: { ...env, MOTH_HOME: (await parts()).env["MOTH_HOME"] } });
  await expect(stranger.sessions()).rejects.toMatchObject({ code: "TOKEN" });
  await server.stop();
  await expect(moth.sessions()).rejects.toMatchObject({ code: "NOT_RUNNING", message: expect.stringContaining("moth up") });
});

function words(event: MothEvent): string {
  return event.kind === "state" ? `${event.session} ${event.state}` : event.kind;
}
