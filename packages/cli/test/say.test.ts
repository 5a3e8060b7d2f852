import { spawn } from "node:child_process";
import { once } from "node:events";
import { listenForOrders } from "@moth-companion/core/orders";
import type { Order } from "@moth-companion/core/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { BIN, createWorld, type World } from "./support/world.ts";

const about = { source: "x", session: "3f2a91bc-1", label: "moth-repo" };

/** An idle session, with somebody who takes its messages. */
async function idle(): Promise<{ world: World; orders: Order[] }> {
  const world = await createWorld();
  expect((await world.moth(["config", "answers", "on"])).code).toBe(0);
  await world.up();
  await world.post("/api/state", { ...about, state: "idle" });
  const orders: Order[] = [];
  const listener = listenForOrders({
    source: about.source,
    session: about.session,
    takes: ["prompt", "abort"],
    env: { ...world.env, MOTH_URL: `http://127.0.0.1:${world.port}` },
    async take(order) {
      orders.push(order);
      await world.post("/api/state", { ...about, state: order.do === "abort" ? "idle" : "working" });
      return { taken: true };
    },
  });
  onTestFinished(() => listener.stop());
  listener.look();
  await vi.waitFor(async () => expect((await world.moth(["ps", "--json"])).out).toContain('"takes"'), { timeout: 10_000 });
  return { world, orders };
}

test("say sends the text as it stands, or what is piped in; abort ends the turn; tail tells of both", async () => {
  const { world, orders } = await idle();
  const text = '-v $(reboot) `x` "quoted"\nand /compact';
  expect(await world.moth(["say", "moth-repo", "--", text])).toEqual({ code: 0, out: "moth-repo has your message.\n", err: "" });
  expect(JSON.parse((await world.moth(["abort", "3f2a", "--json"])).out)).toEqual({ ok: true, ...about });
  const piped = { do: "prompt", text: "from a file\n\nwith lines" };
  for (const words of [["moth-repo"], ["moth-repo", "-"]]) {
    const piping = spawn(process.execPath, [BIN, "say", ...words], { env: world.env, stdio: ["pipe", "ignore", "inherit"] });
    piping.stdin.end("from a file\n\nwith lines\n");
    // oxlint-disable-next-line no-await-in-loop -- the order of the messages is looked at
    expect(await once(piping, "close")).toEqual([0, null]);
  }
  expect(orders).toEqual([{ do: "prompt", text }, { do: "abort" }, piped, piped]);
  const tail = world.start(["tail", "--watch", "--history", "50"]);
  await vi.waitFor(() => expect(tail.out()).toContain("moth-repo was told to stop (cli)"), { timeout: 10_000 });
  expect(tail.out()).toContain('moth-repo was told: "from a file with lines" (cli)');
});

test.each([
  ["whom it is for", ["say"], 2, /^moth: say it to whom\?/],
  ["a session there is", ["say", "other", "hello"], 2, /^moth: there is no session "other"/],
  ["something in what is piped in", ["say", "moth-repo", "-"], 2, /^moth: there is nothing to say/],
  ["something to say", ["say", "moth-repo", " "], 2, /^moth: there is nothing to say/],
  ["something to end", ["abort", "moth-repo"], 1, /^moth: It is idle: there is nothing to end/],
  ["whose turn", ["abort"], 2, /^moth: whose turn\?/],
])("say and abort need %s", async (_what, words, code, error) => {
  const { world, orders } = await idle();
  const told = await world.moth(words);
  expect(told.code).toBe(code);
  expect(told.err).toMatch(error);
  expect(orders).toEqual([]);
});

test("a session that nobody listens for, and one while answers are off, is told so", async () => {
  const world = await createWorld();
  await world.up();
  await world.post("/api/state", { ...about, state: "idle" });
  expect(await world.moth(["say", "moth-repo", "hello"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("Talking to agents through moth is off. Turn it on with: moth config answers on") as string,
  });
  await world.moth(["config", "answers", "on"]);
  await vi.waitFor(async () =>
    expect(await world.moth(["say", "moth-repo", "hello"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("It takes no messages through moth. Type it in its own window") as string,
    }),
  );
});

test("one that takes none through moth is told with its window", async () => {
  const { world } = await idle();
  await world.post("/api/state", {
    ...about,
    session: "other",
    label: "other",
    state: "idle",
    pane: "tmux:%4@/tmp/tmux-0/default",
  });
  expect(await world.moth(["say", "other", "hello"])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/It takes no messages through moth\. [^]*\n {6}Its window: tmux %4\n$/) as string,
  });
});
