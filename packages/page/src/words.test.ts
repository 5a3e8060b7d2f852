import type { MothEvent, Session } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { newsOf } from "./news.ts";
import { firstLine, shortDuration, sortSessions, speaker, stateWords, summary } from "./words.ts";

// As the build puts it in.
vi.stubGlobal("SHORT_NAMES", { "claude-code": "claude" });

const session = (name: string, more: object): Session => ({
  source: "pi",
  session: name,
  label: name,
  since: 0,
  heard: 0,
  active: true,
  state: "idle",
  ...more,
});
const wait = { id: "w", kind: "permission", tool: "Bash", answerable: false };

test("those that wait stand first, the longest on top; who is long gone is folded away", () => {
  const now = 3_600_000;
  const sessions = [
    session("idle", { since: 5 }),
    session("waits shorter", { state: "waiting", wait, since: 9 }),
    session("gone", { state: "gone", heard: now - 60_000 }),
    session("gone long", { state: "gone", heard: 0 }),
    session("works", { state: "working", since: 1 }),
    session("waits longer", { state: "waiting", wait, since: 2 }),
    session("idle later", { since: 7 }),
  ];
  const { shown, folded } = sortSessions(sessions, now);
  expect(shown.map((one) => one.session)).toEqual(["waits longer", "waits shorter", "works", "idle later", "idle", "gone"]);
  expect(folded.map((one) => one.session)).toEqual(["gone long"]);
});

test("of many that are gone the five newest are in sight", () => {
  const left = Array.from({ length: 200 }, (_, index) => session(`${index}`, { state: "gone", since: 200 - index }));
  const { shown, folded } = sortSessions([...left, session("here", {})], 1000);
  expect(shown.map((one) => one.session)).toEqual(["here", "0", "1", "2", "3", "4"]);
  expect(folded).toHaveLength(195);
});

test.each<[Session[], number, string]>([
  [[], 0, "0 agents active"],
  [[session("a", {})], 0, "1 agent active"],
  [
    [session("a", {}), session("b", { active: false }), session("c", { state: "waiting", wait })],
    1,
    "2 agents active · 1 waits for you · 1 skipped",
  ],
  [[session("a", { state: "waiting", wait }), session("c", { state: "waiting", wait })], 0, "2 agents active · 2 wait for you"],
])("the summary", (sessions, skipped, expected) => expect(summary(sessions, skipped)).toBe(expected));

test.each([
  [{ state: "waiting", wait }, "waits for a permission (Bash)"],
  [{ state: "waiting", wait: { ...wait, kind: "question" } }, "waits for an answer"],
  [{ state: "working" }, "working"],
  [{ state: "idle", outcome: "done" }, "idle"],
  [{ state: "idle", outcome: "limit" }, "idle (hit its limit)"],
  [{ state: "gone", outcome: "failed" }, "gone (failed)"],
])("%j is %s", (more, expected) => expect(stateWords(session("a", more))).toBe(expected));

test("a harness goes by its short name; one that is not known, by its id", () => {
  expect([speaker({ source: "claude-code", label: "moth-repo" }), speaker({ source: "constructor", label: "" })]).toEqual([
    "claude · moth-repo",
    "constructor",
  ]);
});

test.each([
  ["**Done.** All `12` tests pass.", "Done. All 12 tests pass."],
  ["# Report\n\n- one\n- two", "Report one two"],
  ["```ts\nconst a = 1;\n```\nThat is it.", "That is it."],
  ["```ts\nonly code", "```ts only code"],
  ["a".repeat(300), `${"a".repeat(159)}…`],
])("%j on one line", (text, expected) => expect(firstLine(text)).toBe(expected));

test.each([
  [-5, "0s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [7_200_000, "2h"],
  [200_000_000, "2d"],
])("%i ms is %s", (ms, expected) => expect(shortDuration(ms)).toBe(expected));

test("of what comes at once, who waits is read out, then moth's line, then a card", () => {
  const base = { id: 0, time: 0, source: "pi", session: "a", label: "api" };
  const card = { ...base, kind: "card", text: "**Done.**", outcome: "done", class: "done" } as MothEvent;
  const say = { ...base, kind: "say", text: "well." } as MothEvent;
  const waits = { ...base, kind: "state", state: "waiting", wait } as MothEvent;
  const works = { ...base, kind: "state", state: "working" } as MothEvent;
  expect(newsOf([waits, say, card])).toBe("pi · api waits for a permission (Bash)");
  expect(newsOf([say, card])).toBe("moth: well.");
  expect(newsOf([card, works])).toBe("pi · api said: Done.");
  expect(newsOf([works])).toBeUndefined();
});
