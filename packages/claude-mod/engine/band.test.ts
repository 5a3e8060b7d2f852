/**
 * The band in Claude Code's own engine, without a model, a network or a terminal: `claude plugin test`. Vitest does not run this file;
 * the e2e cell `shown-inside` does.
 */
import { expect, mock, test } from "claude-code/testing";

const SETTINGS = "/home/m/.moth/config.json";
const BAND = {
  plugin: "moth-band",
  surface: "terminal",
  component: "AbovePrompt",
  props: {
    hasSurvey: false,
    isCollapsed: false,
    isWorking: false,
    maxRows: 20,
    bodyColumns: 100,
    scroll: { offset: 0, bodyRows: 20, contentRows: 0 },
    view: {},
  },
};

/** A machine with moth's settings, on which moth answers with `says`, one after the other. What it was asked is kept. */
function machine(on, { env = {}, settings = { show_in_harness: true }, says = [], node = true } = {}) {
  const asked = [];
  const world = { asked, settings, session: "s-1", env: { HOME: "/home/m", ...env } };
  ({ settle } = mock.clock(on));
  on("env.get", (_, e) => ({ value: world.env[e.name] }));
  on("fs.read", (_, e) => (e.path === SETTINGS ? { value: JSON.stringify(world.settings) } : { deny: "ENOENT" }));
  on("session.id", () => ({ value: world.session }));
  on("process.hookEnv", () => ({ value: { CLAUDE_PLUGIN_ROOT: "/plugin" } }));
  on("process.spawn", async function* (_, e) {
    if (!node) return { deny: "ENOENT" };
    asked.push({ argv: e.argv, question: JSON.parse(e.input) });
    const line = await Promise.resolve(says.shift());
    yield { stream: "stdout", text: JSON.stringify(line === undefined ? {} : { line }) };
    return { value: { code: 0, signal: null } };
  });
  for (const event of ["session.start", "session.end", "turn.start"]) on(event, (_, e) => e);
  on("turn.complete", (_, e) => ({ text: e.answer }));
  on("ui.render", ($, e) => h($.ui.resolve(e).Box, {}));
  return world;
}

/** What a hook began and did not wait for is done. */
let settle;

async function start($, isInteractive = true) {
  await $.session.start({ cwd: "/w", surface: isInteractive ? "terminal" : null, isInteractive });
  await settle();
}

async function turn($, answer = "Done.", more = {}) {
  await $.turn.start({ text: "go", turnId: "t", ...more });
  await $.turn.complete({ answer, durationMs: 1, isAborted: false, turnId: "t", reason: "answer", ...more });
  await settle();
}

const shown = async (ui) => (await ui.find({ type: "Text", text: /^moth> / }))?.text;
const isEmpty = async (ui) => (await ui.find({ key: "talk" })) === undefined && (await shown(ui)) === undefined;

test("moth's line on this session's turn stands above the prompt, with a field below it", async ($, on) => {
  const { asked } = machine(on, { says: ["dust on the wing."] });
  await start($);
  const ui = await $.ui.mount(BAND);
  expect(await shown(ui)).toBe(undefined);
  await turn($);
  expect(await shown(ui)).toBe("moth> dust on the wing.");
  expect(await ui.find({ type: "Input", key: "talk" })).toBeDefined();
  expect(asked).toHaveLength(1);
  expect(asked[0].argv).toEqual(["node", "/plugin/dist/moth-inside.cjs"]);
  expect(asked[0].question.session).toBe("s-1");
  expect(asked[0].question.after).toBeGreaterThan(Date.now() - 60_000);
});

test("it goes with the next turn, of which moth may have nothing to say", async ($, on) => {
  machine(on, { says: ["first.", undefined, "third."] });
  await start($);
  const ui = await $.ui.mount(BAND);
  await turn($);
  expect(await shown(ui)).toBe("moth> first.");
  await turn($);
  expect(await shown(ui)).toBe(undefined);
  await turn($);
  expect(await shown(ui)).toBe("moth> third.");
});

test("nothing is drawn or asked unless it was turned on", async ($, on) => {
  const { asked } = machine(on, { settings: {}, says: ["never."] });
  await start($);
  const ui = await $.ui.mount(BAND);
  await turn($);
  expect(await isEmpty(ui)).toBe(true);
  expect(asked).toEqual([]);
});

test("the switch is read at every turn; turned off, the band goes, and what moth says then never shows", async ($, on) => {
  const world = machine(on, { says: ["seen.", "seen again."] });
  await start($);
  const ui = await $.ui.mount(BAND);
  await turn($);
  world.settings = { show_in_harness: false };
  await turn($);
  expect(await isEmpty(ui)).toBe(true);
  world.settings = { show_in_harness: "on" };
  await $.turn.start({ text: "go", turnId: "t" });
  await settle();
  expect(await isEmpty(ui)).toBe(false);
  expect(await shown(ui)).toBe(undefined);
  await turn($);
  expect(await shown(ui)).toBe("moth> seen again.");
  expect(world.asked).toHaveLength(2);
});

test("a line that was on its way when it was turned off does not come later", async ($, on) => {
  let arrive;
  const world = machine(on, { says: [new Promise((resolve) => (arrive = resolve))] });
  await start($);
  const ui = await $.ui.mount(BAND);
  await turn($);
  for (const how of [false, true]) {
    world.settings = { show_in_harness: how };
    await $.turn.start({ text: "go", turnId: "t" });
    await settle();
  }
  arrive("too late.");
  await settle();
  expect(await isEmpty(ui)).toBe(false);
  expect(await shown(ui)).toBe(undefined);
});

test("the environment's word beats the file's", async ($, on) => {
  const world = machine(on, { env: { MOTH_SHOW_IN_HARNESS: "1" }, settings: { show_in_harness: false } });
  await start($);
  expect(await isEmpty(await $.ui.mount(BAND))).toBe(false);
  world.env.MOTH_SHOW_IN_HARNESS = "off";
  world.settings = { show_in_harness: true };
  await turn($);
  expect(await isEmpty(await $.ui.mount(BAND))).toBe(true);
});

test("moth's folder and settings file may be elsewhere", async ($, on) => {
  machine(on, { env: { HOME: "/elsewhere", MOTH_CONFIG_FILE: SETTINGS } });
  await start($);
  expect(await isEmpty(await $.ui.mount(BAND))).toBe(false);
});

test("a run without a person at the prompt asks and draws nothing", async ($, on) => {
  const { asked } = machine(on, { says: ["never."] });
  await start($, false);
  await turn($);
  expect(asked).toEqual([]);
});

test("subagents, interrupted turns and turns without a reply ask nothing", async ($, on) => {
  const { asked } = machine(on);
  await start($);
  await $.turn.start({ text: "go", turnId: "t" });
  await turn($, "Searched.", { agentId: "a1" });
  await turn($, "");
  await turn($, "", { reason: "aborted", isAborted: true });
  await turn($, "", { reason: "error" });
  expect(asked).toEqual([]);
});

test("a subagent that begins takes no line away", async ($, on) => {
  machine(on, { says: ["a line."] });
  await start($);
  const ui = await $.ui.mount(BAND);
  await turn($);
  await turn($, "Searched.", { agentId: "a1" });
  expect(await shown(ui)).toBe("moth> a line.");
});

test("what is typed into the field goes to moth, and its reply takes the line's place", async ($, on) => {
  const { asked } = machine(on, { says: ["a line.", "all quiet."] });
  await start($);
  const ui = await $.ui.mount(BAND);
  await turn($);
  await ui.input({ key: "talk", text: "who is at work?" });
  expect(await shown(ui)).toBe("moth> all quiet.");
  await ui.input({ key: "talk", text: "  " });
  expect(await shown(ui)).toBe("moth> all quiet.");
  expect(asked.slice(1).map(({ question }) => question)).toEqual([{ talk: "who is at work?" }]);
});

test("where no program can be started, the field says so and the turn is silent", async ($, on) => {
  machine(on, { node: false });
  await start($);
  const ui = await $.ui.mount(BAND);
  await turn($);
  expect(await shown(ui)).toBe(undefined);
  await ui.input({ key: "talk", text: "hello" });
  expect(await ui.find({ type: "Text", text: /no node on the PATH/ })).toBeDefined();
});

test("a new session in the same window begins without the old one's line, and asks for its own", async ($, on) => {
  const world = machine(on, { says: ["old.", "new."] });
  await start($);
  const ui = await $.ui.mount(BAND);
  await turn($);
  await $.session.end({ reason: "clear", sessionId: "s-1", resume: { id: "s-1" } });
  expect(await shown(ui)).toBe(undefined);
  world.session = "s-2";
  await turn($);
  expect(await shown(ui)).toBe("moth> new.");
  expect(world.asked.map(({ question }) => question.session)).toEqual(["s-1", "s-2"]);
});

test("it gives way to a survey, and is not drawn over an agent's transcript", async ($, on) => {
  machine(on);
  await start($);
  for (const props of [{ hasSurvey: true }, { view: { agentId: "a1" } }]) {
    expect(await isEmpty(await $.ui.mount({ ...BAND, props: { ...BAND.props, ...props } }))).toBe(true);
  }
});
