/** What the person has sessions do through moth, with a real moth behind it. In the real dsh: `e2e/scenarios/follow-up.test.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOutbox } from "@moth-companion/core/outbox";
import type { SessionsAnswer } from "@moth-companion/core/protocol";
import { createSessionOrders } from "@moth-companion/core/session-orders";
import { expect, onTestFinished, test, vi } from "vitest";
import { get, post, started, tempHome } from "../../server/test/support.ts";
import type { ApiProxy } from "../src/dialogs.ts";
import { readHappening, readPlace } from "../src/door.ts";
import { createListener } from "../src/listener.ts";
import { openOrderDoor } from "../src/orders.ts";
import { ROOT } from "./events.ts";

interface Prompt {
  sessionId: string;
  mode: string;
  content: unknown;
}

function session(id: string, employer?: string): object {
  return { id, header: { id, cwd: "/home/ada/code/repo", ...(employer && { parentSession: employer, origin: "subagent" }) } };
}

async function stage(accepts = true) {
  const home = tempHome();
  writeFileSync(join(home, "config.json"), JSON.stringify({ answers: "on" }));
  const server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const prompts: Prompt[] = [];
  const answered = accepts ? { result: { ok: true, value: { accepted: true } } } : { result: { ok: false, error: {} } };
  const sessions: ApiProxy["sessions"] = {
    prompt({ payload }) {
      prompts.push(payload as Prompt);
      if (accepts) began((payload as Prompt).sessionId);
      return Promise.resolve(answered);
    },
    cancel({ payload }) {
      hear("turn/end", (payload as Prompt).sessionId, { reason: { kind: "aborted" } });
      return Promise.resolve(answered);
    },
  };
  const door = openOrderDoor({ sessions });
  if (!door) throw new Error("no door");
  const orders = createSessionOrders("dsh", door, env);
  const listener = createListener({
    source: "dsh",
    pid: process.pid,
    reports: createOutbox({ env }),
    answering: { asked: () => {} },
    orders: () => orders,
    later: () => {},
  });
  onTestFinished(() => orders.close());
  const hear = (type: string, id: string, data: object = {}, employer?: string): void => {
    const one = session(id, employer);
    const happening = readHappening(one, { type, data });
    const place = readPlace(one);
    if (happening && place) listener.hear(place, happening);
  };
  const began = (id = ROOT, employer?: string): void => hear("turn/start", id, {}, employer);
  const ended = (id = ROOT): void => hear("turn/end", id, { reason: { kind: "completed" } });
  const rows = async (): Promise<SessionsAnswer["sessions"]> => (await get<SessionsAnswer>(server, "/api/sessions")).sessions;
  const order = async (body: object): Promise<unknown> => {
    const told = (await post(server, "/api/order", { source: "dsh", session: ROOT, ...body })).body;
    return (told as { error?: { message: string } }).error?.message ?? "ok";
  };
  const takes = async (id = ROOT): Promise<unknown> => (await rows()).find((one) => one.session === id)?.takes;
  return {
    prompts,
    began,
    ended,
    takes,
    order,
    rows,
    say: (text: string) => order({ do: "prompt", text }),
    left: (id = ROOT) => listener.left(readPlace(session(id))!),
    listens: (id?: string) => vi.waitFor(async () => expect(await takes(id)).toEqual(["prompt", "abort"]), { timeout: 5000 }),
  };
}

test("a message is an idle session's next prompt; others wait until its turn is over, however it ends, and have one each", async () => {
  const { prompts, began, ended, listens, say, order } = await stage();
  began();
  await listens();
  const told = await Promise.all(["/compact\n!now", "two", "three"].map((text) => say(text)));
  expect([told, prompts]).toEqual([["ok", "ok", "ok"], []]);
  ended();
  expect(prompts).toEqual([{ sessionId: ROOT, mode: "queue", content: [{ type: "text", text: "/compact\n!now" }] }]);
  expect(await order({ do: "abort" })).toBe("ok");
  await vi.waitFor(() => expect(prompts).toHaveLength(2));
  ended();
  await vi.waitFor(() => expect(prompts).toHaveLength(3));
});

test("while subagents work behind its turn it takes a message at once, and there is no turn to end", async () => {
  const { prompts, began, ended, listens, say, order } = await stage();
  began();
  began("session-2", ROOT);
  ended();
  await listens();
  expect(await order({ do: "abort" })).toBe("No turn of its own runs: what works is in the background.");
  expect(await say("one")).toBe("ok");
  expect(prompts).toHaveLength(1);
});

test("what dsh refuses is not taken", async () => {
  const { began, ended, listens, say } = await stage(false);
  began();
  ended();
  await listens();
  expect(await say("one")).toBe("dsh did not take it. Type it in its page.");
});

test("the sixteen sessions heard of last are listened for, and one that is no more is not", async () => {
  const { began, listens, takes, left } = await stage();
  const ids = Array.from({ length: 17 }, (_, at) => `session-${at + 10}`);
  for (const id of ids) began(id);
  await Promise.all(ids.slice(1).map((id) => listens(id)));
  expect(await takes(ids[0])).toBeUndefined();
  left(ids[1]);
  await vi.waitFor(async () => expect(await takes(ids[1])).toBeUndefined());
  await listens(ids[2]);
});

test("a later version without such calls has no door", () => {
  expect(openOrderDoor({})).toBeUndefined();
  expect(openOrderDoor({ sessions: {} as never })).toBeUndefined();
});
