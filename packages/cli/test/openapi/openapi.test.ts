import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../docs/markdown.ts";
import { createWorld } from "../support/world.ts";
import { type Caller, createCaller, credentials } from "./caller.ts";
import { answersOf, operations, streamed } from "./document.ts";
import { badRequests, goodRequest } from "./refusals.ts";
import * as story from "./story.ts";
import { opened, send } from "./wire.ts";

const everyCode = operations.flatMap((operation) =>
  answersOf(operation).map((name) => ({ operation, name, code: name.split(" ").at(-1)! })),
);

async function started(): Promise<{ caller: Caller; moth: (...args: string[]) => Promise<unknown> }> {
  const world = await createWorld();
  await world.up();
  return { caller: createCaller(world.port, world.token()), moth: (...args) => world.moth(args) };
}

test(
  "a running moth gives every answer that the document describes, and each as it is described",
  { timeout: 90_000 },
  async () => {
    const { caller, moth } = await started();
    await story.page(caller);
    await story.answersOff(caller);
    await moth("config", "answers", "on");
    await story.answers(caller);
    await story.orders(caller);
    const kinds = await story.displays(caller);
    expect([...kinds].toSorted()).toEqual(["answer", "card", "chat", "notice", "order", "say", "seen", "state"]);
    await stream(caller);
    await refusals(caller);
    await busy(caller);
    await caller.call("/api/reset", { body: { everything: true } });
    const missing = everyCode.filter(({ name, code }) => code !== "INTERNAL" && !caller.seen.has(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  },
);

async function stream({ port, token, seen }: Caller): Promise<void> {
  const operation = operations.find(({ path }) => path === "/api/events")!;
  const checks = streamed(operation);
  const request = { method: "GET", target: "/api/events", headers: { "X-Moth-Token": token } };
  const answer = await send(port, request, (body) => (body.match(/^id: /gm) ?? []).length > 5);
  const parts = answer.body.split("\n\n").slice(0, -1);
  const names = parts.map((part) => {
    const { event = "message", data = "" } = Object.fromEntries(part.split("\n").map((line) => line.split(/: (.*)/s)));
    expect({ part, fits: checks[event]?.(JSON.parse(data)) }).toEqual({ part, fits: true });
    return event;
  });
  expect(names.slice(0, 2)).toEqual(["epoch", "message"]);
  seen.add(`GET /api/events ${answer.status} ${answer.headers["content-type"]?.split(";")[0]}`);
}

async function refusals(caller: Caller): Promise<void> {
  async function isRefused({ operation, code }: (typeof everyCode)[number]): Promise<void> {
    const good = goodRequest(operation, credentials(operation, caller.token));
    for (const request of badRequests(code, good, operation) ?? []) {
      const { what } = await caller.send(operation, request);
      expect({ request, what }).toEqual({ request, what: code });
    }
  }
  // One refusal takes its five seconds.
  for (const one of everyCode) if (one.code !== "TIMEOUT") await isRefused(one);
  await Promise.all(everyCode.filter(({ code }) => code === "TIMEOUT").map(isRefused));
}

/** More connections than moth serves. */
async function busy(caller: Caller): Promise<void> {
  const idle = Array.from({ length: 512 }, () => opened(caller.port));
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  for (const operation of operations) {
    const { what } = await caller.send(operation, goodRequest(operation, credentials(operation, caller.token)));
    expect([operation.path, what]).toEqual([operation.path, "BUSY"]);
  }
  for (const socket of idle) socket.destroy();
}

test("a running moth answers nothing that the document does not describe", async () => {
  const { caller } = await started();
  const ask = (method: string, target: string) =>
    send(caller.port, { method, target, headers: { "X-Moth-Token": caller.token } });
  for (const { path, method } of operations) {
    const others = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"].filter((other) => other !== method);
    for (const other of others) expect([other, path, (await ask(other, path)).headers["allow"]]).toEqual([other, path, method]);
    for (const other of [`${path}/`, `/${path}`, `${path}x`, path.toUpperCase()].filter((one) => one !== "/" && one !== path))
      expect([other, (await ask(method, other)).status]).toEqual([other, 404]);
  }
  // Whatever looks like a path in what runs.
  const code = readFileSync(join(ROOT, "packages", "server", "dist", "index.js"), "utf8");
  const paths = new Set([...code.matchAll(/["'`](\/[\w./-]*)["'`?]/g)].map(([, path = ""]) => path));
  expect(operations.map(({ path }) => path).filter((path) => !paths.has(path))).toEqual([]);
  const found = [...paths].map(async (path) => ((await ask("GET", path)).body.includes(`"NOT_FOUND"`) ? [] : [path]));
  expect((await Promise.all(found)).flat().toSorted()).toEqual(operations.map(({ path }) => path).toSorted());
});
