import type { Session } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { createStyle } from "../style.ts";
import { width } from "../width.ts";
import { countStates, renderRoster, sortSessions } from "./roster.ts";

const NOW = 10_000_000;
const base = { source: "claude-code", heard: NOW - 1000, active: true };
const sessions: Session[] = [
  { ...base, session: "77aa01dd-0001", label: "api", state: "working", since: NOW - 14_000 },
  { ...base, session: "0c0c0c0c-0002", label: "docs", state: "idle", since: NOW - 3 * 3_600_000, outcome: "done" },
  {
    ...base,
    session: "3f2a91bc-0003",
    label: "moth-repo",
    state: "waiting",
    since: NOW - 120_000,
    wait: { id: "w1", kind: "permission", tool: "Bash", answerable: false },
  },
  { ...base, session: "99999999-0004", label: "web", state: "idle", since: NOW - 20_000, outcome: "interrupted" },
  {
    ...base,
    session: "55555555-0005",
    label: "a-project-with-a-rather-long-name-indeed",
    state: "waiting",
    since: NOW - 600_000,
    wait: { id: "w2", kind: "question", answerable: false },
  },
  { ...base, session: "66666666-0006", label: "old", state: "gone", since: NOW - 5000 },
  { ...base, session: "88888888-0007", label: "older", state: "gone", since: NOW - 9_000_000, heard: NOW - 9_000_000 },
];
const short = (source: string): string => source.split("-")[0] ?? source;
const draw = (columns: number | undefined, depth = 1): string[] =>
  renderRoster(sessions, { now: NOW, columns, style: createStyle(depth), short, self: "moth" });

const VIEW = { now: NOW, columns: 80, style: createStyle(1), short, self: "moth" };

test("80 columns: who waits comes first, the longest wait on top; who left long ago is counted", () => {
  expect(draw(80).join("\n")).toMatchInlineSnapshot(`
    "SESSION                         HARNESS  STATE                     AGE  ID
    a-project-with-a-rather-long-…  claude   waits: question           10m  55555555
    moth-repo                       claude   waits: permission (Bash)   2m  3f2a91bc
    api                             claude   working                   14s  77aa01dd
    web                             claude   idle (interrupted)        20s  99999999
    docs                            claude   idle                       3h  0c0c0c0c
    old                             claude   gone                       5s  66666666
    1 more is gone: moth ps --all"
  `);
});

test("40 columns: harness and id give way, the rest stays readable", () => {
  expect(draw(40).join("\n")).toMatchInlineSnapshot(`
    "SESSION    STATE                     AGE
    a-projec…  waits: question           10m
    moth-repo  waits: permission (Bash)   2m
    api        working                   14s
    web        idle (interrupted)        20s
    docs       idle                       3h
    old        gone                       5s
    1 more is gone: moth ps --all"
  `);
});

test("without a terminal nothing is cut", () => {
  expect(draw(undefined).join("\n")).toMatchInlineSnapshot(`
    "SESSION                                   HARNESS  STATE                     AGE  ID
    a-project-with-a-rather-long-name-indeed  claude   waits: question           10m  55555555
    moth-repo                                 claude   waits: permission (Bash)   2m  3f2a91bc
    api                                       claude   working                   14s  77aa01dd
    web                                       claude   idle (interrupted)        20s  99999999
    docs                                      claude   idle                       3h  0c0c0c0c
    old                                       claude   gone                       5s  66666666
    1 more is gone: moth ps --all"
  `);
});

test.each([24, 30, 40, 60, 80, 120])("no line is wider than %i columns", (columns) => {
  expect(draw(columns).filter((line) => width(line) > columns)).toEqual([]);
});

test("colour: lamp yellow for what waits, dim for the rest, and the same text", () => {
  const lines = draw(80, 4);
  expect(lines[2]).toContain("\u001b[33mwaits: permission (Bash)\u001b[39m");
  // oxlint-disable-next-line no-control-regex -- the colours are what is taken out
  expect(lines.map((line) => line.replace(/\u001b\[\d+m/g, ""))).toEqual(draw(80));
});

test("an empty roster is a sentence", () => {
  expect(renderRoster([], VIEW)).toEqual([
    "No session yet. A session shows when an agent that moth is hooked into does something.",
  ]);
});

test("of many that are gone the five newest show, and how many more there are; --all has them", () => {
  const left = Array.from({ length: 200 }, (_, index): Session => {
    return { ...base, session: `${index}`.padStart(8, "0"), label: `run-${index}`, state: "gone", since: NOW - index * 1000 };
  });
  const [, ...rows] = renderRoster([...left, ...sessions.slice(0, 2)], VIEW);
  expect(rows.map((row) => row.split(" ")[0])).toEqual(["api", "docs", "run-0", "run-1", "run-2", "run-3", "run-4", "195"]);
  expect(rows.at(-1)).toBe("195 more are gone: moth ps --all");
  expect(renderRoster([...left, ...sessions], { ...VIEW, all: true })).toHaveLength(208);
  const long = { ...base, session: "s", label: "l", state: "gone", since: 0, heard: 0 } as const;
  expect(renderRoster([long], VIEW)).toEqual(["1 is gone: moth ps --all"]);
});

test("sorting leaves the given array alone", () => {
  const before = [...sessions];
  sortSessions(sessions);
  expect(sessions).toEqual(before);
});

test.each([
  [[], "No session runs right now."],
  [sessions.slice(5), "No session runs right now."],
  [sessions.slice(0, 1), "1 session: 1 working."],
  [sessions, "5 sessions: 2 wait for you, 1 working, 2 idle."],
])("%# the sum in words", (some, words) => {
  expect(countStates(some)).toBe(words);
});
