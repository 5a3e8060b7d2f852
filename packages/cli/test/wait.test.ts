import { type ChildProcess, spawn } from "node:child_process";
import { connect, createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createWorld, type World } from "./support/world.ts";

const about = { source: "x", session: "3f2a91bc-1", label: "moth-repo" };
const wait = { id: "w1", kind: "permission", tool: "Bash", answerable: false };

/** A process that stands for the harness's, and ends with the test. */
function harness(): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child as ChildProcess & { pid: number };
}

/** A way to moth that tells when the log is being waited for. */
async function gate(world: World): Promise<{ env: Record<string, string>; waits: (times?: number) => Promise<void> }> {
  let polls = 0;
  const server = createServer((near) => {
    const far = connect(world.port, "127.0.0.1");
    near.on("data", (data) => {
      if (data.includes("GET /api/log?")) polls++;
      far.write(data.toString("latin1").replace(/^Host: .*$/m, `Host: 127.0.0.1:${world.port}`), "latin1");
    });
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    env: { MOTH_URL: `http://127.0.0.1:${port}` },
    waits: (times = 1) => vi.waitFor(() => expect(polls).toBe(times), { timeout: 15_000, interval: 10 }),
  };
}

async function working(more: object = {}): Promise<World> {
  const world = await createWorld();
  await world.up();
  await world.post("/api/state", { ...about, state: "working", ...more });
  return world;
}

test("wait stays until the turn is over, and last then has the reply", async () => {
  const world = await working();
  const { env, waits } = await gate(world);
  const waiting = world.start(["wait", "moth-repo", "--json"], env);
  await waits();
  expect(await world.moth(["last", "moth-repo"])).toEqual({
    code: 1,
    out: "",
    err: `moth: moth has heard no reply of moth-repo since it was started, or was made to forget it
      Replies are kept in memory only: those from before are in the session's own window
`,
  });
  await world.post("/api/agent", { ...about, text: "**All** 12\u001b[31m pass.\n\n- one\n" });
  const { code, out, err } = await waiting.ended;
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ result: "matched", session: { ...about, state: "idle", outcome: "done" } });
  expect(await world.moth(["last", "3f2a"])).toEqual({ code: 0, out: "**All** 12 pass.\n\n- one\n", err: "" });
  expect(JSON.parse((await world.moth(["last", "moth-repo", "--json"])).out)).toEqual({
    ...about,
    text: "**All** 12 pass.\n\n- one",
    outcome: "done",
    time: expect.any(Number) as number,
  });
});

test("last says when it is not the whole reply, beside it and in JSON", async () => {
  const world = await working();
  await world.post("/api/agent", { ...about, text: "The beginning…", chars: 89_090 });
  const { code, out, err } = await world.moth(["last", "moth-repo"]);
  expect([code, out]).toEqual([0, "The beginning…\n"]);
  expect(err).toMatch(/not the whole reply: .* first 14 of its 89,090 characters/);
  const json = JSON.parse((await world.moth(["last", "moth-repo", "--json"])).out) as object;
  expect(json).toMatchObject({ text: "The beginning…", chars: 89_090, cut: true });
});

test("wait ends when the session asks the person, unless that is not what is waited for", async () => {
  const world = await working();
  const { env, waits } = await gate(world);
  const [any, idle] = [
    ["wait", "moth-repo"],
    ["wait", "moth-repo", "--for", "idle"],
  ].map((words) => world.start(words, env));
  await waits(2);
  await world.post("/api/state", { ...about, state: "waiting", wait });
  expect(await any!.ended).toEqual({ code: 0, out: "x · moth-repo waits for a permission (Bash)\n", err: "" });
  await world.post("/api/state", { ...about, state: "idle" });
  expect(await idle!.ended).toEqual({ code: 0, out: "x · moth-repo is idle\n", err: "" });
  // It is so already.
  expect((await world.moth(["wait", "moth-repo", "--for", "idle"])).code).toBe(0);
});

test("2: the time is up", async () => {
  const world = await working();
  expect(await world.moth(["wait", "moth-repo", "--timeout", "1s"])).toEqual({
    code: 2,
    out: "",
    err: "moth: x · moth-repo works still\n",
  });
});

test("3: the session is gone; 0 when that was waited for", async () => {
  const agent = harness();
  const world = await working({ pid: agent.pid });
  const { env, waits } = await gate(world);
  const [any, gone] = [
    ["wait", "moth-repo"],
    ["wait", "moth-repo", "--for", "gone"],
  ].map((words) => world.start(words, env));
  await waits(2);
  agent.kill("SIGKILL");
  expect(await any!.ended).toEqual({ code: 3, out: "x · moth-repo is gone\n", err: "" });
  expect((await gone!.ended).code).toBe(0);
});

test("a restart of moth is lived through, also when moth knows nothing of the session afterwards", async () => {
  const agent = harness();
  const world = await working({ pid: agent.pid });
  const { env, waits } = await gate(world);
  const start = (...more: string[]): ReturnType<World["start"]> => world.start(["wait", "moth-repo", ...more], env);
  const [idle, gone] = [start(), start("--for", "gone")];
  await waits(2);
  await world.moth(["stop"]);
  for (const waiting of [idle, gone]) {
    await vi.waitFor(() => expect(waiting.err()).toBe("moth is asleep; waiting until it is up again.\n"), { timeout: 15_000 });
  }
  await world.up();
  await vi.waitFor(() => expect(idle.err()).toContain("moth is awake again.\n"), { timeout: 15_000 });
  await world.post("/api/agent", { ...about, text: "Done.", session: "another" });
  await world.post("/api/agent", { ...about, text: "Done." });
  expect(await idle.ended).toMatchObject({ code: 0, out: expect.stringContaining("moth-repo") as string });
  await world.moth(["stop"]);
  agent.kill("SIGKILL");
  // Nobody tells that it ended: its process does.
  expect((await gone.ended).code).toBe(0);
});

test.each([
  ["no moth", ["wait", "moth-repo"], /^moth: moth is not running/],
  ["nobody named", ["wait"], /^moth: wait for whom\?/],
  [
    "nothing that can be waited for",
    ["wait", "x", "--for", "lunch"],
    /^moth: "lunch" is nothing to wait for\n {6}Write --for idle\|wait/,
  ],
  ["no time", ["wait", "x", "--timeout", "soon"], /^moth: "soon" is no time/],
  ["an unknown flag", ["wait", "x", "--untill", "idle"], /^moth: unknown flag/],
])("with %s wait ends in 1: 2 and 3 say how the waiting went", async (_what, words, error) => {
  const { code, err } = await (await createWorld()).moth(words);
  expect(code).toBe(1);
  expect(err).toMatch(error);
});
