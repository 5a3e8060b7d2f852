/** moth's lines in a window, with a real moth behind them. In the real harnesses: `e2e/scenarios/shown-inside.test.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOutbox } from "@moth-companion/core/outbox";
import { ownLine } from "@moth-companion/core/own-line";
import { sendTurn } from "@moth-companion/core/report";
import { expect, test, vi } from "vitest";
import { started, tempHome } from "../../server/test/support.ts";
import { bringCommand, hasCommand } from "../src/command.ts";
import { createDisplay, type Display } from "../src/display.ts";
import type { Host } from "../src/host.ts";
import { createListener } from "../src/listener.ts";
import { readScreen } from "../src/screen.ts";

/** The harness's window: what stands above its editor, and its notices. */
function window(mode = "tui"): { context: object; above: () => string[]; notices: string[] } {
  let widget: string[] = [];
  const notices: string[] = [];
  const ui = {
    setWidget: (key: string, lines: string[] | undefined) => (widget = key === "moth" ? (lines ?? []) : ["not moth's"]),
    notify: (text: string, kind: string) => notices.push(`${kind}: ${text}`),
  };
  return { context: { hasUI: true, mode, ui }, above: () => widget, notices };
}

interface Stage extends ReturnType<typeof window> {
  display: Display;
  env: Record<string, string>;
  /** Turns the lines on or off, as `moth config` does. */
  turn: (how: "on" | "off") => void;
  /** A turn of the session ends. */
  ends: (text: string) => Promise<void>;
  /** moth holds its tongue until it is let go. */
  thinks: () => () => void;
  stop: () => Promise<void>;
}

const PLACE = { session: "s-1", folder: "/home/ada/repo", attended: true };

async function stage(mode?: string): Promise<Stage> {
  const home = tempHome();
  let thought = Promise.resolve();
  const server = await started({
    env: { MOTH_HOME: home },
    batch: { reactEvery: 0, quietAfter: 0, batchWindow: 0 },
    voice: {
      react: async ({ source, text }) => (await thought, { text: `${source}: ${text}` }),
      chat: async (text) => (await thought, { text: `so you say ${text}` }),
      reset: () => undefined,
    },
  });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const seen = window(mode);
  const display = createDisplay("pi", env);
  return {
    ...seen,
    display,
    env,
    turn: (how) => writeFileSync(join(home, "config.json"), JSON.stringify({ show_in_harness: how })),
    ends: async (text) => {
      const now = Date.now();
      display.turned({ ...PLACE, screen: readScreen(seen.context) }, now);
      await sendTurn({ source: "pi", session: PLACE.session, text }, { env });
    },
    thinks: () => {
      const go: { on?: () => void } = {};
      thought = new Promise((resolve) => (go.on = resolve));
      return () => go.on?.();
    },
    stop: () => server.stop(),
  };
}

/** A busy machine is slow. */
function eventually(holds: () => void): Promise<void> {
  return vi.waitFor(holds, { timeout: 10_000 });
}

/** Waits until moth has said its line on the newest turn of a session; whoever else waited for it has it then, too. */
async function said(env: Record<string, string>, source: string, session: string): Promise<void> {
  expect(await ownLine({ source, session }, 0, { env })).toBeDefined();
}

test("it is off until it is turned on, and what was said before does not come later", async () => {
  const { ends, env, turn, above } = await stage();
  await ends("in the dark");
  await said(env, "pi", "s-1");
  expect(above()).toEqual([]);
  turn("on");
  await ends("in the light");
  await eventually(() => expect(above()).toEqual(["moth> pi: in the light"]));
});

const OTHERS = [
  { source: "pi", session: "s-2" },
  { source: "omp", session: "s-1" },
];

test("only the line of its own session shows, whoever speaks before and after", async () => {
  const { ends, env, turn, above, thinks } = await stage();
  turn("on");
  const others = async (): Promise<void> => {
    const now = Date.now();
    await sendTurn({ source: "pi", session: "s-2", text: `of another session at ${now}` }, { env });
    await sendTurn({ source: "omp", session: "s-1", text: `of another harness at ${now}` }, { env });
    await Promise.any(OTHERS.map(async (of) => expect(await ownLine(of, now, { env })).toBeDefined()));
  };
  await others();
  const go = thinks();
  await ends("its own");
  go();
  await others();
  await eventually(() => expect(above()).toEqual(["moth> pi: its own"]));
  await others();
  expect(above()).toEqual(["moth> pi: its own"]);
});

test("a line goes when the person goes on, and a late one still comes", async () => {
  const { ends, turn, above, thinks, display } = await stage();
  turn("on");
  await ends("one");
  await eventually(() => expect(above()).toEqual(["moth> pi: one"]));
  display.clear();
  expect(above()).toEqual([]);
  const go = thinks();
  await ends("two");
  display.clear();
  go();
  await eventually(() => expect(above()).toEqual(["moth> pi: two"]));
});

test.each<[string, (stage: Stage) => void]>([
  ["it is turned off", ({ turn }) => turn("off")],
  ["the session is left", ({ display }) => display.left()],
])("when %s while moth thinks, the line does not come", async (_what, happens) => {
  const made = await stage();
  made.turn("on");
  const go = made.thinks();
  await made.ends("too late");
  happens(made);
  go();
  await said(made.env, "pi", "s-1");
  await said(made.env, "pi", "s-1");
  expect(made.above()).toEqual([]);
});

test("a turn's way: its line comes, goes when the next turn begins, and stays when that one is tried again", async () => {
  const { env, turn, above, context, display } = await stage();
  turn("on");
  const listener = createListener({ source: "pi", pid: process.pid, reports: createOutbox({ env }), display });
  const place = { ...PLACE, screen: readScreen(context) };
  const settle = (words: string): void => {
    listener.said(place, { outcome: "done", text: words });
    listener.settled(place);
  };
  listener.met(place);
  listener.began(place);
  settle("one");
  await eventually(() => expect(above()).toEqual(["moth> pi: one"]));
  listener.began(place);
  expect(above()).toEqual([]);
  display.say("hello", readScreen(context)!);
  await eventually(() => expect(above()).toHaveLength(2));
  listener.began(place);
  expect(above()).toEqual(["you> hello", "moth> so you say hello"]);
  settle("two");
  await eventually(() => expect(above()).toEqual(["moth> pi: two"]));
  listener.met({ ...place, session: "s-2" });
  expect(above()).toEqual([]);
  // Where nobody looks there is nothing to show.
  expect(readScreen({ ...context, hasUI: false })).toBeUndefined();
});

test("what the person says and moth's answer stand above the editor; while it is off the answer is a notice", async () => {
  const { command, above, notices, turn, thinks, display } = await withCommand();
  await command(" good   evening ");
  await eventually(() => expect(notices).toEqual(["info: moth> so you say good evening"]));
  expect(above()).toEqual([]);
  turn("on");
  const go = thinks();
  await command("hello");
  expect(above()).toEqual(["you> hello"]);
  // The person goes on, and moth answers all the same.
  display.clear();
  go();
  await eventually(() => expect(above()).toEqual(["you> hello", "moth> so you say hello"]));
  expect(notices).toHaveLength(1);
});

test("in a window without an editor, which a program shows, only the person's own words are answered", async () => {
  const { command, above, notices, turn, ends, env } = await withCommand("rpc");
  turn("on");
  await ends("a turn");
  await said(env, "pi", "s-1");
  await command("hello");
  await eventually(() => expect(notices).toEqual(["info: moth> so you say hello"]));
  expect(above()).toEqual([]);
});

test("a moth that sleeps: the person is told how to wake it, and nothing stays above the editor", async () => {
  const { command, above, notices, turn, stop } = await withCommand();
  turn("on");
  await stop();
  await command("hello");
  await eventually(() => expect(notices).toEqual([expect.stringMatching(/^warning: .*moth up -d/)]));
  expect(above()).toEqual([]);
});

test("without words the command says what it does, and how to see more or less", async () => {
  const { command, notices, turn } = await withCommand();
  await command(" ");
  turn("on");
  await command("");
  expect(notices).toEqual([
    expect.stringMatching(/^info: .*The agent does not hear it.*moth config show_in_harness on$/),
    expect.stringMatching(/^info: .*The agent does not hear it.*moth config show_in_harness off$/),
  ]);
});

test("the command is over before moth answers, survives any context, and says nothing where nobody looks", async () => {
  const { command, thinks, notices } = await withCommand();
  const go = thinks();
  await command("hello");
  expect(notices).toEqual([]);
  const broken = { setWidget: () => fail(), notify: () => fail() };
  const strange = new Proxy({}, { get: () => fail() });
  for (const context of [undefined, null, 1, {}, { hasUI: true }, { hasUI: true, mode: "tui", ui: broken }, strange])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await command("hello", context);
  go();
  await eventually(() => expect(notices).toHaveLength(1));
});

interface Commanding extends Stage {
  /** Types `/moth words`. */
  command: (words: string, context?: unknown) => Promise<void>;
}

async function withCommand(mode?: string): Promise<Commanding> {
  const made = await stage(mode);
  const commands = new Map<string, (words: string, context: unknown) => Promise<void>>();
  const host: Host = {
    on: () => {},
    getCommands: () => [...commands.keys()].map((name) => ({ name })),
    registerCommand: (name, { handler }) => void commands.set(name, handler),
  };
  expect(hasCommand(host)).toBe(false);
  bringCommand(host, made.display);
  expect(hasCommand(host)).toBe(true);
  return {
    ...made,
    command: async (words, ...contexts) => {
      await commands.get("moth")?.(words, contexts.length > 0 ? contexts[0] : made.context);
    },
  };
}

function fail(): never {
  throw new Error("nobody may look");
}
