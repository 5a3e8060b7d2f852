import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { awayOn, parseSwitch, readConfig, showInHarness } from "./config.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-core-"));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});
const write = (text: string): void => writeFileSync(join(home, "config.json"), text);

test.each(["on", "ON", "true", "True", "yes", "1", " on ", true, 1])("%j turns a switch on", (value) => {
  expect(parseSwitch(value)).toBe(true);
});
test.each(["off", "false", "No", "0", "OFF\n", false, 0])("%j turns a switch off", (value) => {
  expect(parseSwitch(value)).toBe(false);
});
test.each(["", "maybe", "2", 2, null, undefined, {}, [], "onn"])("%j is no spelling of a switch", (value) => {
  expect(parseSwitch(value)).toBeUndefined();
});

test("show_in_harness is off until someone turns it on", () => {
  expect(showInHarness({ MOTH_HOME: home })).toEqual({ value: false, origin: "default" });
});

test("the file turns it on, at the next read", () => {
  write(`{"show_in_harness": false}`);
  expect(showInHarness({ MOTH_HOME: home })).toEqual({ value: false, origin: "file" });
  write(`{"show_in_harness": "yes"}`);
  expect(showInHarness({ MOTH_HOME: home })).toEqual({ value: true, origin: "file" });
});

test("the environment beats the file both ways", () => {
  write(`{"show_in_harness": true}`);
  expect(showInHarness({ MOTH_HOME: home, MOTH_SHOW_IN_HARNESS: "0" })).toEqual({ value: false, origin: "env" });
  write(`{"show_in_harness": false}`);
  expect(showInHarness({ MOTH_HOME: home, MOTH_SHOW_IN_HARNESS: "on" })).toEqual({ value: true, origin: "env" });
});

test("a spelling that means nothing leaves the next one in force", () => {
  write(`{"show_in_harness": true}`);
  expect(showInHarness({ MOTH_HOME: home, MOTH_SHOW_IN_HARNESS: "perhaps" }).origin).toBe("file");
  write(`{"show_in_harness": "perhaps"}`);
  expect(showInHarness({ MOTH_HOME: home })).toEqual({ value: false, origin: "default" });
});

test("a missing or empty file is an empty set of settings", () => {
  expect(readConfig({ MOTH_HOME: home })).toEqual({ ok: true, config: {} });
  write("");
  expect(readConfig({ MOTH_HOME: home })).toEqual({ ok: true, config: {} });
});

test("a byte order mark does no harm", () => {
  write(`\uFEFF{"a": 1}`);
  expect(readConfig({ MOTH_HOME: home })).toEqual({ ok: true, config: { a: 1 } });
});

test.each(["{", "[]", "null", `"on"`, "{'a': 1}"])(
  "the broken file %j is told, and moth's switches hold their defaults",
  (text) => {
    write(text);
    const read = readConfig({ MOTH_HOME: home });
    expect(read).toMatchObject({ ok: false, file: join(home, "config.json"), problem: expect.stringMatching(/^is not /) });
    expect(showInHarness({ MOTH_HOME: home })).toEqual({ value: false, origin: "default" });
  },
);

test("a folder where the file should be is told as well", () => {
  expect(readConfig({ MOTH_CONFIG_FILE: home })).toMatchObject({ ok: false, problem: expect.stringContaining("cannot be read") });
});

test("away is off until someone turns it on, and never on without answers", () => {
  const env = { MOTH_HOME: home };
  expect(awayOn(env)).toBe(false);
  write(`{"away": "yes"}`);
  expect(awayOn(env)).toBe(false);
  write(`{"away": "yes", "answers": true}`);
  expect(awayOn(env)).toBe(true);
  expect(awayOn({ ...env, MOTH_AWAY: "off" })).toBe(false);
  expect(awayOn({ ...env, MOTH_CONTENT: "off" })).toBe(false);
});
