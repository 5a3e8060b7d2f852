/** moth's lines in a window, with a real moth behind them. In the real harnesses: `e2e/scenarios/shown-inside.test.ts`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDisplay, type Display, NOWHERE } from "../src/window/display.ts";
import { eventually, type Stage, stage } from "./stage.ts";

interface Drawing extends Stage {
  display: Display;
  notices: string[];
  lines: (session?: string) => readonly string[];
  /** How often something was drawn. */
  drawn: () => number;
  /** A turn begins and ends. */
  goes: (text: string, session?: string) => Promise<void>;
}

async function drawing(): Promise<Drawing> {
  const made = await stage();
  const notices: string[] = [];
  let drawn = 0;
  const display = createDisplay({
    source: "opencode",
    env: made.env,
    changed: () => drawn++,
    notice: (text, kind) => notices.push(`${kind}: ${text}`),
  });
  return {
    ...made,
    display,
    notices,
    lines: (session = "s-1") => display.lines(session),
    drawn: () => drawn,
    goes: async (text, session = "s-1") => {
      display.busy(session);
      await made.ends(text, session);
      display.busy(session);
      display.idle(session);
      display.idle(session);
    },
  };
}

test("it is off until it is turned on, what was said before does not come later, and it goes when it is turned off", async () => {
  const { goes, turn, said, lines, drawn } = await drawing();
  await goes("in the dark");
  await said();
  turn("on");
  expect(drawn()).toBe(0);
  await goes("in the light");
  await eventually(() => expect(lines()).toEqual(["moth> opencode: in the light"]));
  turn("off");
  await goes("in the dark again");
  await said();
  expect(lines()).toEqual([]);
});

test("each session has its own line, whoever speaks between, and keeps it while another one is looked at", async () => {
  const { goes, turn, ends, lines, thinks } = await drawing();
  turn("on");
  const go = thinks();
  await goes("of the first");
  await ends("of one that is not in this window", "s-3");
  await ends("of another harness", "s-1", "kilo");
  await goes("of the second", "s-2");
  go();
  await eventually(() => expect([lines(), lines("s-2")].flat()).toHaveLength(2));
  expect([lines(), lines("s-2")]).toEqual([["moth> opencode: of the first"], ["moth> opencode: of the second"]]);
  expect(lines("s-3")).toEqual([]);
});

test("a line goes when its session works again, and only then", async () => {
  const { goes, turn, lines, display } = await drawing();
  turn("on");
  await goes("one");
  await eventually(() => expect(lines()).toHaveLength(1));
  display.busy("s-2");
  expect(lines()).toHaveLength(1);
  display.busy("s-1");
  expect(lines()).toEqual([]);
});

test.each<[string, (made: Drawing) => void]>([
  ["the person goes on", ({ display }) => display.busy("s-1")],
  ["it is turned off", ({ turn }) => turn("off")],
  ["the window closes", ({ display }) => display.close()],
])("when %s while moth thinks, the line does not come", async (_, happens) => {
  const made = await drawing();
  made.turn("on");
  const go = made.thinks();
  await made.goes("too late");
  happens(made);
  go();
  await made.said();
  await made.said();
  expect(made.lines()).toEqual([]);
});

test("the person's words and moth's answer stand where they were said; while it is off the answer is a notice", async () => {
  const { turn, lines, notices, display, thinks } = await drawing();
  display.say("good   evening", NOWHERE);
  await eventually(() => expect(notices).toEqual(["info: so you say good evening"]));
  turn("on");
  const go = thinks();
  display.say("hello\u001b[31m", "s-1");
  expect(lines()).toEqual(["you> hello"]);
  go();
  await eventually(() => expect(lines()).toEqual(["you> hello", "moth> so you say hello"]));
  expect(lines(NOWHERE)).toEqual([]);
  display.say("  ", "s-1");
  expect(lines()).toHaveLength(2);
});

test("a moth that sleeps: the person is told how to wake it, and nothing stays", async () => {
  const { turn, stop, lines, notices, display } = await drawing();
  turn("on");
  await stop();
  display.say("hello", "s-1");
  await eventually(() => expect(notices).toEqual([expect.stringMatching(/^warning: .*moth up -d/)]));
  expect(lines()).toEqual([]);
});

test("of the lines only those of the last 50 sessions are kept", async () => {
  const { turn, display, lines, thinks } = await drawing();
  turn("on");
  thinks();
  for (let index = 0; index < 60; index++) display.say("hello", `s-${index}`);
  expect(lines("s-9")).toEqual([]);
  expect(lines("s-10")).toEqual(["you> hello"]);
  display.close();
});

test("the built file asks for what the harness supplies in the one way in which that is found", () => {
  const built = readFileSync(join(import.meta.dirname, "../dist/moth-window.js"), "utf8");
  const imports = built.match(/\bfrom ?"(?:@opentui\/solid|solid-js)"/g);
  expect(imports).toEqual(['from "@opentui/solid"', 'from "solid-js"']);
  expect(built.startsWith("// @moth-companion/opencode:")).toBe(true);
});
