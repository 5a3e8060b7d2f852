/** Content that is turned off: what agents write reaches moth no more, by any adapter, and what it held is forgotten. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LastAnswer, LogAnswer, SessionsAnswer, Wait } from "@moth-companion/core/protocol";
import { sendState, sendTurn } from "@moth-companion/core/report";
import { expect, test, vi } from "vitest";
import { get, post, started, tempHome } from "../test/support.ts";

const LONG = { timeout: 10_000 };
const who = { source: "pi", session: "s", label: "api" };
const secret = "The password is hunter2. ";

async function office(settings: object) {
  const home = tempHome();
  const file = join(home, "config.json");
  const set = (to: object): void => writeFileSync(file, JSON.stringify(to));
  set(settings);
  const server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const cards = async () => (await get<LogAnswer>(server, "/api/log")).events.filter((event) => event.kind === "card");
  return { server, env, set, cards, file };
}

/** All that moth tells. */
async function told(server: Awaited<ReturnType<typeof started>>): Promise<string> {
  const paths = ["/api/log", "/api/sessions", "/api/says", "/api/last?source=pi&session=s", "/api/notify"];
  return JSON.stringify(await Promise.all(paths.map((path) => get(server, path))));
}

test("a turn is told by its length and outcome, and what is asked not at all, also with answers on", async () => {
  const { server, env, cards } = await office({ content: false, answers: true });
  await sendTurn({ ...who, text: secret.repeat(200), turn: "t1", seq: 1 }, { env });
  await sendTurn({ ...who, text: secret, outcome: "failed", turn: "t2", seq: 2 }, { env });
  const wait: Wait = { id: "w", kind: "permission", tool: "Bash", text: secret, options: [secret], answerable: true };
  await sendState({ ...who, state: "waiting", wait, seq: 3 }, { env });
  await vi.waitFor(async () => {
    expect(await cards()).toMatchObject([
      { text: "", chars: 5000, class: "long", outcome: "done" },
      { text: "", chars: 25, class: "failure", outcome: "failed" },
    ]);
    const { sessions } = await get<SessionsAnswer>(server, "/api/sessions");
    expect(sessions[0]).toMatchObject({ state: "waiting", wait: { id: "w", tool: "Bash", answerable: false } });
  }, LONG);
  expect(await get(server, "/api/last?source=pi&session=s")).toEqual({ reply: null });
  expect(await told(server)).not.toContain("hunter2");
});

test("the same turn twice is heard once, another of the same length is not", async () => {
  const { env, cards } = await office({ content: false });
  for (const turn of ["t1", "t1", "t2"]) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await sendTurn({ ...who, text: secret, turn }, { env });
  }
  await vi.waitFor(async () => expect(await cards()).toHaveLength(2), LONG);
});

test("an adapter that is older than the setting is not listened to either", async () => {
  const { server, cards } = await office({ content: false });
  await post(server, "/api/agent", { ...who, text: secret });
  await post(server, "/api/agent", { ...who, text: `${secret}…`, chars: 90_000 });
  await vi.waitFor(async () => expect(await cards()).toMatchObject([{ chars: 24 }, { text: "", chars: 90_000 }]), LONG);
  expect(await told(server)).not.toContain("hunter2");
});

test("what was heard before is forgotten; turned on, the next turn is heard again", async () => {
  const { server, env, set, cards, file } = await office({});
  await sendTurn({ ...who, text: secret }, { env });
  await vi.waitFor(async () => expect(await told(server)).toContain("hunter2"), LONG);
  set({ content: false });
  await vi.waitFor(async () => expect(await told(server)).not.toContain("hunter2"), LONG);
  rmSync(file);
  await vi.waitFor(async () => {
    await sendTurn({ ...who, text: `${secret}${Math.random()}` }, { env });
    expect((await cards()).at(-1)).toMatchObject({ text: expect.stringContaining("hunter2") as string });
  }, LONG);
});

test.each([
  ["no words and no length", { ...who }, "text: must be a string"],
  ["empty words", { ...who, text: " " }, "text: must not be empty"],
  ["a length of nothing", { ...who, chars: 0 }, "chars: must be a number of characters"],
])("a turn with %s is refused", async (_what, body, message) => {
  const { server } = await office({});
  expect(await post(server, "/api/agent", body)).toMatchObject({ status: 400, body: { error: { message } } });
});

test("a reply that does not fit into a report is told by its beginning and its length, one that fits by itself", async () => {
  const { server, env, cards } = await office({});
  await sendTurn({ ...who, text: "Long. ".repeat(20_000), turn: "t1", seq: 1 }, { env });
  // A length that is none of a cut reply says nothing.
  await post(server, "/api/agent", { ...who, session: "other", text: "Short.", chars: 6 });
  await vi.waitFor(async () => expect(await cards()).toHaveLength(2), LONG);
  const [long, short] = await cards();
  expect(long).toMatchObject({ text: expect.stringMatching(/^Long\. .*…$/), chars: 120_000, class: "long" });
  expect(short).not.toHaveProperty("chars");
  const { reply } = await get<LastAnswer>(server, "/api/last?source=pi&session=s");
  expect(reply).toMatchObject({ text: expect.stringMatching(/…$/), chars: 120_000 });
});
