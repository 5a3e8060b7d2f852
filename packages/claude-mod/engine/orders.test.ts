/** What the person has a session do from elsewhere, in Claude Code's own engine: see `band.test.ts`. */
import { expect, mock, test } from "claude-code/testing";

const SETTINGS = "/home/m/.moth/config.json";

/** A machine on which moth has orders for each session, one after the other; what it is asked and what Claude Code is told is kept. */
function machine(
  on,
  { settings = { answers: true }, env = {}, orders = {}, hangs = false, submit = (e) => ({ text: e.text }) } = {},
) {
  const world = { settings, session: "s-1", asked: [], submitted: [], aborted: [], clock: mock.clock(on) };
  on("env.get", (_, e) => ({ value: { HOME: "/home/m", ...env }[e.name] }));
  on("fs.read", (_, e) => (e.path === SETTINGS ? { value: JSON.stringify(world.settings) } : { deny: "ENOENT" }));
  on("session.id", () => ({ value: world.session }));
  on("process.hookEnv", () => ({ value: { CLAUDE_PLUGIN_ROOT: "/plugin" } }));
  on("process.spawn", async function* (_, e) {
    const question = JSON.parse(e.input);
    world.asked.push(question);
    // Without another order moth is away, or has nothing to say yet. The engine waits a second for what does not end.
    const order = await (orders[question.orders]?.shift() ?? (hangs ? new Promise(() => {}) : undefined));
    yield { stream: "stdout", text: JSON.stringify({ order }) };
    return { value: { code: 0, signal: null } };
  });
  on("prompt.submit", (_, e) => {
    world.submitted.push(e.text);
    return submit(e);
  });
  on("turn.abort", (_, e) => {
    world.aborted.push(e.turnId);
    return { value: undefined };
  });
  for (const event of ["session.start", "session.end", "turn.start"]) on(event, (_, e) => e);
  on("turn.complete", (_, e) => ({ text: e.answer }));
  return world;
}

const start = async ($, world, isInteractive = true) => {
  await $.session.start({ cwd: "/w", surface: isInteractive ? "terminal" : null, isInteractive });
  await world.clock.settle();
};
const began = ($, more = {}) => $.turn.start({ text: "go", turnId: "t", ...more });
const say = (id, text) => ({ id, do: "prompt", text });

test("a message is submitted as the person's own words, and moth is told and asked again", async ($, on) => {
  let origin;
  const world = machine(on, {
    orders: { "s-1": [say("o-1", "and now\nthe docs")] },
    submit: (e) => ((origin = e.origin), { text: e.text }),
  });
  await start($, world);
  expect(world.submitted).toEqual(["and now\nthe docs"]);
  expect(origin.asUser).toBe(true);
  expect(world.asked).toEqual([{ orders: "s-1" }, { orders: "s-1", told: { id: "o-1", taken: true } }]);
});

test("nobody is asked while answers are off, and in a run without a person at the prompt", async ($, on) => {
  const world = machine(on, { settings: {} });
  await start($, world);
  await began($);
  await world.clock.settle();
  world.settings = { answers: true };
  await start($, world, false);
  expect(world.asked).toEqual([]);
});

test("the environment's word beats the file's", async ($, on) => {
  const world = machine(on, { settings: { answers: false }, env: { MOTH_ANSWERS: "1" } });
  await start($, world);
  expect(world.asked).toHaveLength(1);
});

test("the switch is read again at the next turn: turned on, moth is asked, and not twice", async ($, on) => {
  const world = machine(on, { settings: {}, hangs: true });
  await start($, world);
  world.settings = { answers: "on" };
  await began($);
  await began($);
  await world.clock.settle();
  expect(world.asked).toEqual([{ orders: "s-1" }]);
});

test("a moth that is away is asked again at the next turn, and not before", async ($, on) => {
  const world = machine(on);
  await start($, world);
  expect(world.asked).toHaveLength(1);
  await began($);
  await world.clock.settle();
  expect(world.asked).toHaveLength(2);
});

test("messages that wait are handed over one by one, each when the one before has become a turn", async ($, on) => {
  const enter = [];
  let arrive;
  const world = machine(on, {
    orders: { "s-1": [new Promise((resolve) => (arrive = resolve)), say("o-2", "two")] },
    submit: (e) => new Promise((resolve) => enter.push(() => resolve({ text: e.text }))),
  });
  await start($, world);
  await began($);
  arrive(say("o-1", "one"));
  await world.clock.settle();
  // Both are taken while the turn runs: Claude Code has the first, the second is behind it.
  for (const _ of [1, 2]) await world.clock.advance(500);
  expect(world.asked.slice(1).map(({ told }) => told)).toEqual([
    { id: "o-1", taken: true },
    { id: "o-2", taken: true },
  ]);
  expect(world.submitted).toEqual(["one"]);
  enter[0]();
  await world.clock.settle();
  expect(world.submitted).toEqual(["one", "two"]);
});

test("a message that waits and is dropped by Escape in the window is handed over again with the next turn, but not to another session", async ($, on) => {
  const drops = [];
  let arrive;
  const world = machine(on, {
    orders: { "s-1": [new Promise((resolve) => (arrive = resolve))] },
    submit: (e) => new Promise((resolve) => drops.push((drop) => resolve(drop ? { drop: "stopped" } : { text: e.text }))),
  });
  await start($, world);
  await began($);
  arrive(say("o-1", "one"));
  await world.clock.settle();
  await world.clock.advance(500);
  drops.shift()(true);
  await world.clock.settle();
  expect(world.submitted).toEqual(["one"]);
  await began($, { turnId: "t-2" });
  await world.clock.settle();
  expect(world.submitted).toEqual(["one", "one"]);
  drops.shift()(true);
  await $.session.end({ reason: "clear", sessionId: "s-1", resume: { id: "s-1" } });
  await began($, { turnId: "t-3" });
  await world.clock.settle();
  expect(world.submitted).toEqual(["one", "one"]);
});

test("what begins with a slash is refused with a sentence, and never submitted", async ($, on) => {
  const world = machine(on, { orders: { "s-1": [say("o-1", " /clear")] } });
  await start($, world);
  expect(world.submitted).toEqual([]);
  expect(world.asked[1].told.taken).toBe(false);
  expect(world.asked[1].told.problem).toContain("begins with /");
});

test("what Claude Code does not take is told", async ($, on) => {
  const world = machine(on, { orders: { "s-1": [say("o-1", "hello")] }, submit: () => ({ drop: "a Stop stands" }) });
  await start($, world);
  expect(world.asked[1].told).toEqual({ id: "o-1", taken: false, problem: "Claude Code did not take it: a Stop stands" });
});

test("abort ends the main turn that runs, and no other", async ($, on) => {
  let arrive;
  const abort = { do: "abort" };
  const orders = { "s-1": [{ id: "o-1", ...abort }, new Promise((resolve) => (arrive = resolve))] };
  const world = machine(on, { orders });
  await start($, world);
  expect(world.asked[1].told).toEqual({ id: "o-1", taken: false, problem: "Nothing runs in it." });
  await began($, { turnId: "t-7" });
  await began($, { turnId: "helper", agentId: "a1" });
  arrive({ id: "o-2", ...abort });
  await world.clock.settle();
  expect(world.aborted).toEqual(["t-7"]);
  expect(world.asked[2].told).toEqual({ id: "o-2", taken: true });
});

test("after /clear the new session is listened for, and the old one no more", async ($, on) => {
  const world = machine(on);
  await start($, world);
  world.session = "s-2";
  await $.session.end({ reason: "clear", sessionId: "s-1", resume: { id: "s-1" } });
  await world.clock.advance(1500);
  expect(world.asked.map(({ orders }) => orders)).toEqual(["s-1", "s-2"]);
});
