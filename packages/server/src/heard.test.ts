import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { handClock, tempHome } from "../test/support.ts";
import { createHeard, lastHeard } from "./heard.ts";

test("the time of each harness's last report is written within a few seconds", () => {
  const env = { MOTH_HOME: tempHome() };
  const clock = handClock(1000);
  const heard = createHeard(env, clock);
  heard.note("pi");
  clock.advance(500);
  heard.note("codex");
  heard.note("pi");
  expect(lastHeard(env)).toEqual({});
  clock.advance(3000);
  expect(lastHeard(env)).toEqual({ pi: 1500, codex: 1500 });
});

test("what is not written yet is written at the end, and nothing is written for nothing", () => {
  const env = { MOTH_HOME: tempHome() };
  const heard = createHeard(env, handClock(7));
  heard.flush();
  expect(lastHeard(env)).toEqual({});
  heard.note("pi");
  heard.flush();
  expect(lastHeard(env)).toEqual({ pi: 7 });
});

test("two servers keep one file: the later time stays", () => {
  const env = { MOTH_HOME: tempHome() };
  const [early, late] = [createHeard(env, handClock(100)), createHeard(env, handClock(200))];
  early.note("pi");
  late.note("pi");
  early.note("codex");
  late.flush();
  early.flush();
  expect(lastHeard(env)).toEqual({ pi: 200, codex: 100 });
});

test.each(["", "[1]", "null", "{ broken", `{"pi": "yesterday", "codex": 5}`])(
  "of a file that holds %j the times are taken, if any",
  (text) => {
    const env = { MOTH_HOME: tempHome() };
    mkdirSync(join(env.MOTH_HOME, "run"));
    writeFileSync(join(env.MOTH_HOME, "run", "heard.json"), text);
    expect(lastHeard(env)).toEqual(text.includes("codex") ? { codex: 5 } : {});
  },
);

test("a source of any name is kept, and only the newest hundred", () => {
  const env = { MOTH_HOME: tempHome() };
  const clock = handClock(1);
  const heard = createHeard(env, clock);
  for (let i = 0; i < 150; i++) {
    heard.note(`s${i}`);
    clock.advance(1);
  }
  heard.note("__proto__");
  heard.flush();
  const kept = JSON.parse(readFileSync(join(env.MOTH_HOME, "run", "heard.json"), "utf8")) as object;
  expect(Object.keys(kept)).toHaveLength(100);
  expect(Object.keys(kept)).toContain("__proto__");
  expect(Object.keys(lastHeard(env))).not.toContain("s0");
});

test("a folder that cannot be written harms nobody", () => {
  const home = tempHome();
  writeFileSync(join(home, "run"), "");
  const heard = createHeard({ MOTH_HOME: home }, handClock());
  heard.note("pi");
  expect(() => heard.flush()).not.toThrow();
});
