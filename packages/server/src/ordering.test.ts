/** Orders that adapters fetch, through a real server: what a plugin in its harness does. */
import { type OrderListener, listenForOrders } from "@moth-companion/core/orders";
import type { LogAnswer, Order, SessionsAnswer, StateReport } from "@moth-companion/core/protocol";
import { sendState } from "@moth-companion/core/report";
import type { Harness } from "@moth-companion/harnesses";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Door } from "@moth-companion/harnesses";
import { get, handClock, post, started, tempHome } from "../test/support.ts";
import { createLog } from "./log.ts";
import { createOrderBox } from "./order-box.ts";
import { createOrdering } from "./ordering.ts";
import { createSessions } from "./sessions.ts";

const whom = { source: "pi", session: "s" };
const say = { ...whom, do: "prompt", text: "and now the docs", by: "page" } as const;
const abort = { ...whom, do: "abort", by: "page" };

async function office(parts: { on?: boolean; take?: (order: Order) => Promise<{ taken: false; problem: string }> } = {}) {
  const home = tempHome();
  const server = await started({ env: { MOTH_HOME: home, ...(parts.on !== false && { MOTH_ANSWERS: "on" }) } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url, MOTH_ANSWERS: "on" };
  const orders: Order[] = [];
  let seq = 0;
  const report = (body: Omit<StateReport, "source">): Promise<unknown> => sendState({ ...whom, seq: ++seq, ...body }, { env });
  const listener = listenForOrders({
    ...whom,
    takes: ["prompt", "abort"],
    env,
    async take(order) {
      orders.push(order);
      if (parts.take) return await parts.take(order);
      await report({ state: order.do === "abort" ? "idle" : "working" });
      return { taken: true };
    },
  });
  onTestFinished(() => listener.stop());
  const row = async (): Promise<SessionsAnswer["sessions"][0] | undefined> =>
    (await get<SessionsAnswer>(server, "/api/sessions")).sessions[0];
  const listens = (one: OrderListener = listener): Promise<void> => {
    one.look();
    return vi.waitFor(async () => expect((await row())?.takes).toEqual(["prompt", "abort"]));
  };
  return { server, env, orders, report, listener, listens, row };
}

test("a message reaches an idle session, which works by the time that is told; it and its sender stand in the log", async () => {
  const { server, orders, report, listens, row } = await office();
  await report({ state: "idle" });
  await listens();
  expect(await post(server, "/api/order", say)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await row())?.state).toBe("working");
  expect(orders).toEqual([{ do: "prompt", text: "and now the docs" }]);
  const { events } = await get<LogAnswer>(server, "/api/log");
  expect(events).toContainEqual(expect.objectContaining({ kind: "order", ...say }));
});

test("a turn that is over before the adapter has said that it has the message is not waited for", async () => {
  const [clock, sessions, log] = [handClock(), createSessions(), createLog(() => "e")];
  const report = (state: "working" | "idle"): void => {
    for (const change of sessions.state({ ...whom, state }, clock.now())) log.append(change, clock.now());
  };
  const door: Door = {
    takes: () => ["prompt"],
    async order() {
      report("working");
      report("idle");
      return await Promise.resolve({ taken: true });
    },
    answer: () => Promise.resolve({ taken: true }),
    stop: () => {},
  };
  const box = createOrderBox({ clock, log });
  const ordering = createOrdering({ sessions, log, clock, doorOf: () => door, box, offBy: () => undefined, self: "moth" });
  report("idle");
  // By this clock no time passes: whoever waits waits for ever.
  expect(await ordering.order(say)).toEqual({ ok: true });
});

test("orders that come at the same moment all arrive, in their order; and abort ends what runs", async () => {
  const { server, orders, report, listens, row } = await office();
  await report({ state: "working" });
  await listens();
  const texts = ["one", "two", "three"];
  const told = await Promise.all(texts.map((text) => post(server, "/api/order", { ...say, text })));
  expect(told.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(orders.map(({ text }) => text)).toEqual(texts);
  expect((await post(server, "/api/order", abort)).status).toBe(200);
  expect((await row())?.state).toBe("idle");
});

test("what cannot be done is refused by its reason, and the harness hears nothing", async () => {
  const { server, orders, report, listens } = await office();
  const refusal = async (body: object): Promise<unknown> =>
    ((await post(server, "/api/order", body)).body as { error?: { code: string } }).error?.code;
  expect(await refusal(say)).toBe("NO_SESSION");
  await report({ state: "idle" });
  expect(await refusal(say)).toBe("NOT_HERE");
  await listens();
  expect(await refusal(abort)).toBe("IDLE");
  expect(await refusal({ ...say, text: " \u001b[2J\n" })).toBe("BAD_FIELD");
  expect(await refusal({ ...say, text: " \u200b\u202e " })).toBe("BAD_FIELD");
  expect(await refusal({ ...whom, do: "delete" })).toBe("BAD_FIELD");
  await report({ state: "waiting", wait: { id: "w", kind: "question", answerable: false } });
  expect(await refusal(say)).toBe("WAITING");
  await report({ state: "gone" });
  expect(await refusal(say)).toBe("GONE");
  expect(orders).toEqual([]);
});

test("what the harness does not take is told in the adapter's words", async () => {
  const { server, report, listens } = await office({ take: () => Promise.resolve({ taken: false, problem: "It is full." }) });
  await report({ state: "idle" });
  await listens();
  expect((await post(server, "/api/order", say)).body).toMatchObject({ error: { code: "NOT_TAKEN", message: "It is full." } });
});

test("a session that takes nothing is told of with what its harness needs for it", async () => {
  const harnesses = [{ id: whom.source, ordersNeed: "It does with its plugin." } as Harness];
  const server = await started({ harnesses, env: { MOTH_HOME: tempHome(), MOTH_ANSWERS: "on" } });
  await post(server, "/api/state", { ...whom, state: "idle" });
  const { body } = await post(server, "/api/order", say);
  expect(body).toMatchObject({
    error: { code: "NOT_HERE", message: expect.stringMatching(/in its own window\. It does with its plugin\.$/) as string },
  });
});

test("an adapter that breaks takes nothing, and listens on", async () => {
  const { server, report, listens } = await office({ take: () => Promise.reject(new Error("broken")) });
  await report({ state: "idle" });
  await listens();
  for (const text of ["one", "two"]) {
    // oxlint-disable-next-line no-await-in-loop -- the second comes after the first broke
    expect((await post(server, "/api/order", { ...say, text })).body).toMatchObject({ error: { code: "NOT_TAKEN" } });
  }
});

test("with answers off nobody listens and nothing is taken; once they are on, the next event listens", async () => {
  const { server, env, report, listener, row } = await office({ on: false });
  await report({ state: "idle" });
  const deaf = listenForOrders({
    ...whom,
    takes: ["prompt"],
    take: () => Promise.resolve({ taken: true }),
    env: { ...env, MOTH_ANSWERS: "off" },
  });
  deaf.look();
  listener.look();
  expect(await post(server, "/api/order", say)).toMatchObject({ status: 403, body: { error: { code: "ANSWERS_OFF" } } });
  expect((await row())?.takes).toBeUndefined();
});

test("a session whose listener went takes nothing any more", async () => {
  const { report, listener, listens, row } = await office();
  await report({ state: "idle" });
  await listens();
  listener.stop();
  await vi.waitFor(async () => expect((await row())?.takes).toBeUndefined());
});

test("a moth that is started anew is listened to again", async () => {
  const home = tempHome();
  const first = await started({ env: { MOTH_HOME: home, MOTH_ANSWERS: "on" } });
  const env = { MOTH_HOME: home, MOTH_URL: first.url, MOTH_ANSWERS: "on" };
  const listener = listenForOrders({ ...whom, takes: ["prompt"], take: () => Promise.resolve({ taken: true }), env });
  onTestFinished(() => listener.stop());
  await sendState({ ...whom, state: "idle" }, { env });
  listener.look();
  await vi.waitFor(async () =>
    expect((await get<SessionsAnswer>(first, "/api/sessions")).sessions[0]?.takes).toEqual(["prompt"]),
  );
  const { port } = first;
  await first.stop();
  const second = await started({ port, env: { MOTH_HOME: home, MOTH_ANSWERS: "on" } });
  await sendState({ ...whom, state: "idle" }, { env });
  await vi.waitFor(
    async () => expect((await get<SessionsAnswer>(second, "/api/sessions")).sessions[0]?.takes).toEqual(["prompt"]),
    { timeout: 8000 },
  );
});

test("the token is needed to fetch, and what is taken must be named", async () => {
  const { server } = await office();
  expect((await fetch(`${server.url}/api/orders?source=pi&takes=prompt`)).status).toBe(401);
  expect(await get(server, "/api/orders?source=pi")).toMatchObject({ error: { code: "BAD_QUERY" } });
  expect(await get(server, "/api/orders?takes=prompt")).toMatchObject({ error: { code: "BAD_QUERY" } });
  expect(await get(server, "/api/orders?source=pi&takes=prompt&for=x")).toMatchObject({ error: { code: "BAD_QUERY" } });
});
