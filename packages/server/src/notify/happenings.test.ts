import { expect, test } from "vitest";
import type { State } from "@moth-companion/core/protocol";
import type { StateChange } from "../sessions.ts";
import { createHappenings } from "./happenings.ts";

type Step = [seconds: number, state: State, more?: Partial<StateChange>];
const wait = { wait: { id: "w1", kind: "permission" as const, answerable: false } };

const change = (session: string, state: State): StateChange => ({
  kind: "state",
  source: "pi",
  session,
  label: session,
  state,
});

/** Plays one session's states and tells what became of each. */
function play(steps: Step[]): string[] {
  const happenings = createHappenings();
  return steps.map(([seconds, state, more]) => {
    const one = happenings.hear({ kind: "state", source: "pi", session: "s1", label: "api", state, ...more }, seconds * 1000);
    return one ? [one.what, one.worked === undefined ? "" : one.worked / 1000].join(" ").trim() : "-";
  });
}

test.each<[string, Step[], string[]]>([
  [
    "a turn that ends is finished, after the time it worked",
    [
      [0, "working"],
      [90, "idle", { outcome: "done" }],
    ],
    ["on", "finished 90"],
  ],
  [
    "an end without an outcome is an end",
    [
      [0, "working"],
      [9, "idle"],
    ],
    ["on", "finished 9"],
  ],
  [
    "waiting for the person is no work",
    [
      [0, "working"],
      [10, "waiting", wait],
      [100, "working"],
      [105, "idle"],
    ],
    ["on", "waits", "on", "finished 15"],
  ],
  [
    "each turn counts for itself",
    [
      [0, "working"],
      [50, "idle"],
      [60, "working"],
      [65, "idle"],
    ],
    ["on", "finished 50", "on", "finished 5"],
  ],
  [
    "a failure and a limit are told as such",
    [
      [0, "working"],
      [3, "idle", { outcome: "failed" }],
      [4, "working"],
      [5, "idle", { outcome: "limit" }],
    ],
    ["on", "failed 3", "on", "limit 1"],
  ],
  [
    "a failure heard after the end still counts",
    [
      [0, "working"],
      [3, "idle"],
      [4, "idle", { outcome: "failed" }],
    ],
    ["on", "finished 3", "failed"],
  ],
  [
    "what the person stopped needs no look",
    [
      [0, "working"],
      [3, "idle", { outcome: "interrupted" }],
    ],
    ["on", "on"],
  ],
  ["a session that merely opens is no news", [[0, "idle"]], ["-"]],
  ["a reply that is the first thing heard is", [[0, "idle", { outcome: "done" }]], ["finished"]],
  [
    "a session that was closed needs no look",
    [
      [0, "working"],
      [3, "idle"],
      [60, "gone"],
    ],
    ["on", "finished 3", "on"],
  ],
  [
    "one that ends by itself after its turn does",
    [
      [0, "working"],
      [3, "idle"],
      [4, "gone"],
    ],
    ["on", "finished 3", "-"],
  ],
  [
    "a wait ends with its session",
    [
      [0, "waiting", wait],
      [3, "gone"],
    ],
    ["waits", "on"],
  ],
  [
    "a clock that jumps back makes no work",
    [
      [100, "working"],
      [10, "idle"],
    ],
    ["on", "finished 0"],
  ],
])("%s", (_, steps, told) => {
  expect(play(steps)).toEqual(told);
});

test("sessions are told apart, and forgotten on clear", () => {
  const happenings = createHappenings();
  happenings.hear(change("a", "working"), 0);
  expect(happenings.hear(change("b", "idle"), 1000)).toBeUndefined();
  happenings.clear();
  expect(happenings.hear(change("a", "idle"), 1000)).toBeUndefined();
});
