/** What the person has sessions do through moth, with a real moth behind it. In the real harnesses: `e2e/scenarios/follow-up.test.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOutbox } from "@moth-companion/core/outbox";
import type { SessionsAnswer } from "@moth-companion/core/protocol";
import { createSessionOrders } from "@moth-companion/core/session-orders";
import { expect, onTestFinished, test, vi } from "vitest";
import { get, post, started, tempHome } from "../../server/test/support.ts";
import { openDoor } from "../src/door.ts";
import { readEvent } from "../src/event.ts";
import { createListener } from "../src/listener.ts";

const MODEL = { providerID: "fake", modelID: "fake-1", variant: "high" };

/** The harness: a session is prompted, works until it is let go, and is stopped. */
function harness() {
  const prompts: { id: string; body: object }[] = [];
  const messages = [
    { info: { role: "user", agent: "build", model: { providerID: "old", modelID: "old" } }, parts: [] },
    { info: { role: "user", agent: "plan", model: MODEL }, parts: [] },
    { info: { role: "assistant", agent: "build" }, parts: [] },
  ];
  const made = { prompts, messages, emit: (_type: string, _properties: object): void => {}, isDeaf: false };
  const status = (id: string, type: string): void => made.emit("session.status", { sessionID: id, status: { type } });
  const client = {
    session: {
      message: () => Promise.resolve(undefined),
      messages: () => Promise.resolve({ data: messages }),
      async promptAsync({ path, body }: { path: { id: string }; body: object }) {
        if (made.isDeaf) return await Promise.resolve({ error: {}, response: { ok: false, status: 400 } });
        prompts.push({ id: path.id, body });
        setTimeout(() => status(path.id, "busy"), 5);
        return { data: {}, response: { ok: true, status: 204 } };
      },
      abort({ path }: { path: { id: string } }) {
        made.emit("session.error", { sessionID: path.id, error: { name: "MessageAbortedError" } });
        status(path.id, "idle");
        return Promise.resolve({ data: true });
      },
    },
    _client: { post: () => Promise.resolve(undefined) },
  };
  return Object.assign(made, { client, busy: (id = "s-1") => status(id, "busy"), idle: (id = "s-1") => status(id, "idle") });
}

async function stage(answers: "on" | "off" = "on") {
  const home = tempHome();
  const turn = (to: "on" | "off"): void => writeFileSync(join(home, "config.json"), JSON.stringify({ answers: to }));
  turn(answers);
  const server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const made = harness();
  const door = openDoor(made.client);
  if (!door) throw new Error("no door");
  const listener = createListener({
    source: "opencode",
    pid: process.pid,
    folder: "/home/ada/repo",
    oneWindow: true,
    reports: createOutbox({ env }),
    lookUp: () => Promise.resolve(undefined),
    orders: createSessionOrders("opencode", door, env),
  });
  onTestFinished(() => listener.close());
  made.emit = (type, properties) => {
    const heard = readEvent({ type, properties });
    if (heard) listener.hear(heard);
  };
  for (const [id, parentID] of [["s-1"], ["s-2", "s-1"], ["s-3"]]) {
    made.emit("session.created", { sessionID: id, info: { id, parentID, directory: "/home/ada/repo" } });
  }
  made.busy();
  made.idle();
  const takes = async (session = "s-1"): Promise<unknown> => {
    const { sessions } = await get<SessionsAnswer>(server, "/api/sessions");
    return sessions.find((one) => one.session === session)?.takes;
  };
  const order = async (body: object): Promise<unknown> => {
    const whole = { source: "opencode", session: "s-1", ...body };
    const { error } = (await post(server, "/api/order", whole)).body as { error?: { code: string } };
    return error?.code ?? "ok";
  };
  return {
    ...made,
    made,
    turn,
    takes,
    order,
    close: () => listener.close(),
    say: (text: string) => order({ do: "prompt", text }),
    state: async (state: string) =>
      await vi.waitFor(async () => {
        const { sessions } = await get<SessionsAnswer>(server, "/api/sessions");
        expect(sessions.find(({ session }) => session === "s-1")?.state).toBe(state);
      }),
    listens: (session?: string) =>
      vi.waitFor(async () => expect(await takes(session)).toEqual(["prompt", "abort"]), { timeout: 5000 }),
  };
}

test("a message is an idle session's next prompt, word for word, in the mode and with the model of the last one", async () => {
  const { say, listens, prompts } = await stage();
  await listens();
  expect(await say("/new\n!touch ran @file")).toBe("ok");
  const { variant, ...model } = MODEL;
  const parts = [{ type: "text", text: "/new\n!touch ran @file" }];
  expect(prompts).toEqual([{ id: "s-1", body: { agent: "plan", model, variant, parts } }]);
});

test("a message to one that works waits until the turn, subagents included, is over; so does the next one", async () => {
  const { say, listens, prompts, busy, idle } = await stage();
  const texts = (): string[] =>
    prompts.map(({ body }) => (body as { parts: { text: string }[] }).parts.map(({ text }) => text).join());
  await listens();
  busy();
  busy("s-2");
  expect(await Promise.all([say("one"), say("two")])).toEqual(["ok", "ok"]);
  idle();
  expect(prompts).toEqual([]);
  idle("s-2");
  await vi.waitFor(() => expect(texts()).toEqual(["one"]));
  expect(await say("three")).toBe("ok");
  expect(texts()).toEqual(["one"]);
  idle();
  await vi.waitFor(() => expect(texts()).toEqual(["one", "two"]));
});

test("the turn that runs is ended, as interrupted", async () => {
  const { order, listens, busy, state } = await stage();
  await listens();
  expect(await order({ do: "abort" })).toBe("IDLE");
  busy();
  await state("working");
  expect(await order({ do: "abort" })).toBe("ok");
  await state("idle");
});

test("what the harness refuses is not taken", async () => {
  const { say, listens, made } = await stage();
  await listens();
  made.isDeaf = true;
  expect(await say("one")).toBe("NOT_TAKEN");
});

test("a subagent's session takes nothing of its own; one that is left or ends takes nothing any more", async () => {
  const { listens, takes, busy, idle, close } = await stage();
  busy("s-2");
  idle("s-2");
  await listens();
  expect(await takes("s-2")).toBeUndefined();
  busy("s-3");
  await listens("s-3");
  await vi.waitFor(async () => expect(await takes()).toBeUndefined());
  close();
  await vi.waitFor(async () => expect(await takes("s-3")).toBeUndefined());
});

test("with answers off nothing is listened for; the next turn after they are turned on is enough", async () => {
  const { listens, takes, turn, busy, say, prompts } = await stage("off");
  await vi.waitFor(async () => expect(await say("one")).toBe("ANSWERS_OFF"));
  expect(await takes()).toBeUndefined();
  turn("on");
  busy();
  await listens();
  expect(prompts).toEqual([]);
});
