import { describe, expect, it } from "vitest";
import { answer } from "./chat.ts";
import type { RosterEntry } from "./voice.ts";

const first = (): number => 0;
const busy: RosterEntry[] = [
  { label: "api", state: "working" },
  { label: "web", state: "working" },
  { label: "moth-repo", state: "waiting", wait: "permission" },
  { label: "old", state: "gone" },
];

describe("asked how things stand", () => {
  it.each<[string, RosterEntry[], string]>([
    ["what's going on?", busy, "two at work, one waits for you in moth-repo."],
    ["who is waiting", busy, "two at work, one waits for you in moth-repo."],
    ["状态如何", [{ label: "a", state: "idle" }], "one at rest."],
    ["status", [], "nobody out there that i can hear. just me and the lamp."],
    ["status", [{ label: "x", state: "gone" }], "nobody out there that i can hear. just me and the lamp."],
    [
      "anyone?",
      [
        { label: "a", state: "waiting", wait: "question" },
        { label: "b", state: "waiting" },
      ],
      "two wait for you in a and b.",
    ],
    ["wer wartet?", [{ label: "", state: "waiting" }], "one waits for you."],
  ])("%s: answers from the roster", (text, roster, expected) => {
    expect(answer(text, roster, first)).toBe(expected);
  });

  it.each<[RosterEntry, string]>([
    [{ label: "api", state: "working" }, "api is at work."],
    [{ label: "api", state: "idle" }, "api rests."],
    [{ label: "api", state: "waiting", wait: "permission" }, "api waits for your yes."],
    [{ label: "api", state: "waiting", wait: "question" }, "api has a question for you."],
    [{ label: "api", state: "waiting", wait: "plan" }, "api has a plan for you to read."],
    [{ label: "api", state: "waiting" }, "api waits for you."],
  ])("names what the session meant is doing (%#)", (entry, expected) => {
    expect(answer("how is API doing?", [{ label: "other", state: "idle" }, entry], first)).toBe(expected);
  });

  it("takes no part of a word for a session", () => {
    expect(answer("what's the status of the rapids", [{ label: "api", state: "idle" }], first)).toBe("one at rest.");
  });

  it("keeps a long list short", () => {
    const many = Array.from({ length: 40 }, (_, index): RosterEntry => ({ label: `project-number-${index}`, state: "waiting" }));
    expect(answer("status", many, first).length).toBeLessThanOrEqual(160);
  });
});

describe("spoken to", () => {
  it.each([
    ["hello moth", "hello. lamp's on."],
    ["你好", "hello. lamp's on."],
    ["thanks!", "any time."],
    ["good night", "sleep well. i'll mind the lamp."],
    ["ugh, I'm so tired of this", "that sounds heavy. sit by the lamp a moment."],
    ["Ich bin so genervt", "that sounds heavy. sit by the lamp a moment."],
    ["who are you?", "a moth. i watch your agents and like lamps."],
    ["it finally shipped", "that's a good light."],
    ["tabs or spaces", "i'm listening."],
    ["", "i'm listening."],
  ])("with %j answers in kind", (text, expected) => {
    expect(answer(text, busy, first)).toBe(expected);
  });

  it("has more than one answer", () => {
    expect(new Set([0, 0.3, 0.6, 0.9, 1].map((number) => answer("hello", [], () => number))).size).toBeGreaterThan(3);
  });
});
