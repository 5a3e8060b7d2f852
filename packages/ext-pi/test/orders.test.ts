/** What the person has the agent do through moth, with a real moth behind it. In the real harnesses: `e2e/scenarios/follow-up.test.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionsAnswer } from "@moth-companion/core/protocol";
import { sendState } from "@moth-companion/core/report";
import { expect, onTestFinished, test, vi } from "vitest";
import { get, post, started, tempHome } from "../../server/test/support.ts";
import type { Host } from "../src/host.ts";
import { createOrders } from "../src/orders.ts";
import { readPlace } from "../src/door.ts";

type Source = "pi" | "omp";
const say = { session: "s-1", do: "prompt", text: "/compact\n!now" };

/** An agent in its harness, which takes prompts as Pi 1.6.0 and omp 18.2.3 do. */
function harness(source: Source) {
  const handlers = new Map<string, ((event: unknown, context: unknown) => unknown)[]>();
  const agent = {
    busy: false,
    deaf: false,
    session: "s-1",
    mode: "tui",
    sent: [] as unknown[][],
    queue: [] as string[],
    aborted: 0,
  };
  const context = {
    sessionManager: { getSessionId: () => agent.session },
    hasUI: true,
    ui: {},
    get mode() {
      return agent.mode;
    },
    isIdle: () => !agent.busy,
    hasPendingMessages: () => agent.queue.length > 0,
    abort: () => void agent.aborted++,
  };
  const emit = (event: string, payload: unknown = {}): void => {
    for (const handler of handlers.get(event) ?? []) void handler(payload, context);
  };
  const host: Host = {
    on: (event, handler) => void handlers.set(event, [...(handlers.get(event) ?? []), handler]),
    sendUserMessage(text, ...options) {
      agent.sent.push([text, ...options]);
      if (agent.deaf) return;
      const later = options[0] !== undefined;
      // At work and without it Pi loses the message, and omp changes the course of the turn that runs.
      if (agent.busy ? later : later && source === "omp") agent.queue.push(text);
      else if (!agent.busy) setTimeout(() => emit("agent_start"), 5);
    },
  };
  return { agent, context, emit, host };
}

async function stage(source: Source = "pi", answers: "on" | "off" = "on") {
  const home = tempHome();
  const turn = (to: "on" | "off"): void => writeFileSync(join(home, "config.json"), JSON.stringify({ answers: to }));
  turn(answers);
  const server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const made = harness(source);
  const orders = createOrders(source, made.host, { env, takeMs: 300 });
  onTestFinished(() => orders.leave());
  const enter = (): void => {
    const place = readPlace(made.context);
    if (place) orders.enter(place, made.context);
  };
  const takes = async (session = "s-1"): Promise<unknown> => {
    const { sessions } = await get<SessionsAnswer>(server, "/api/sessions");
    return sessions.find((one) => one.session === session)?.takes;
  };
  const report = (state: "idle" | "working", session = "s-1"): Promise<unknown> => sendState({ source, session, state }, { env });
  const order = async (body: object): Promise<unknown> => {
    const { error } = (await post(server, "/api/order", { source, ...body })).body as { error?: { message: string } };
    return error?.message ?? "ok";
  };
  const listens = (session?: string): Promise<void> =>
    vi.waitFor(async () => expect(await takes(session)).toEqual(["prompt", "abort"]), { timeout: 5000 });
  return { ...made, env, orders, enter, takes, listens, report, order, turn };
}

test.each(["pi", "omp"] as const)(
  "%s: a message is the next prompt of an idle agent, and waits for the turn of one at work",
  async (source) => {
    const { agent, enter, listens, report, order, emit } = await stage(source);
    await report("working");
    enter();
    await listens();
    const idle = order(say);
    await expect(idle).resolves.toBe("ok");
    agent.busy = true;
    emit("turn_end");
    expect(await order({ ...say, text: "two" })).toBe("ok");
    const first = ["/compact\n!now"];
    if (source === "pi") {
      const options = { deliverAs: "followUp" };
      expect(agent.sent).toEqual([
        [...first, options],
        ["two", options],
      ]);
      return;
    }
    emit("agent_end", { willContinue: true });
    expect(agent.sent).toEqual([first]);
    // It is told before omp is idle.
    emit("agent_end");
    agent.busy = false;
    await vi.waitFor(() => expect(agent.sent).toEqual([first, ["two"]]));
  },
);

test("a message that the agent does not begin with is not taken", async () => {
  const { agent, enter, listens, report, order } = await stage();
  await report("working");
  agent.deaf = true;
  enter();
  await listens();
  expect(await order(say)).toBe("It did not begin with that. Its window says why.");
});

test("the turn that runs is ended; where none runs any more, that is said", async () => {
  const { agent, enter, listens, report, order } = await stage();
  await report("working");
  enter();
  await listens();
  const abort = { session: "s-1", do: "abort" };
  expect(await order(abort)).toBe("It is idle: there is nothing to end.");
  agent.busy = true;
  expect(await order(abort)).toBe("ok");
  expect(agent.aborted).toBe(1);
});

test("it is listened for the session the agent is in, and for none once it is left", async () => {
  const { agent, enter, emit, orders, listens, report, takes } = await stage("omp");
  await report("idle");
  await report("idle", "s-2");
  enter();
  await listens();
  agent.session = "s-2";
  emit("session_switch");
  await listens("s-2");
  await vi.waitFor(async () => expect(await takes()).toBeUndefined());
  orders.leave();
  emit("agent_end");
  await vi.waitFor(async () => expect(await takes("s-2")).toBeUndefined());
});

test("with answers off nothing is listened for; the first event after they are turned on is enough", async () => {
  const { enter, emit, listens, report, takes, turn } = await stage("pi", "off");
  await report("idle");
  enter();
  emit("agent_settled");
  expect(await takes()).toBeUndefined();
  turn("on");
  emit("agent_settled");
  await listens();
});

test("without a window of its own, or by a version that has not what it takes, no orders are taken", async () => {
  const { agent, host, context, enter, emit, report, takes, listens, env } = await stage();
  await report("idle");
  await report("idle", "s-2");
  agent.mode = "rpc";
  enter();
  emit("agent_settled");
  agent.mode = "tui";
  Object.assign(context, { abort: undefined });
  enter();
  Object.assign(context, { abort: () => {} });
  delete host.sendUserMessage;
  enter();
  emit("agent_settled");

  const other = harness("pi");
  other.agent.session = "s-2";
  const place = readPlace(other.context);
  const orders = createOrders("pi", other.host, { env });
  onTestFinished(() => orders.leave());
  if (place) orders.enter(place, other.context);
  await listens("s-2");
  expect(await takes()).toBeUndefined();
});
