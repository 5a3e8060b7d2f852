import { describe, expect, it } from "vitest";
import { createMemory, type Memory } from "./memory.ts";
import type { Turn } from "./voice/voice.ts";

function turn(session: string, text: string, over: Partial<Turn> = {}): Turn {
  return { source: "agent-x", session, label: `label-${session}`, class: "done", outcome: "done", quote: "", text, ...over };
}

type Step = [who: string, said: string, moth?: string];

/** Plays steps: `you` chats, anybody else is a session's turn; without moth's line, moth is still thinking. */
function play(steps: Step[]): Memory {
  const memory = createMemory();
  for (const [who, said, moth] of steps) {
    if (who === "you") memory.chat(said, moth ?? "");
    else {
      memory.hear(turn(who, said));
      if (moth !== undefined) memory.reacted(turn(who, said), { text: moth });
    }
  }
  return memory;
}

function lines(memory: Memory): string[] {
  return memory.history().map(({ role, content }) => `${role}: ${content}`);
}

const agent = (text: string): string => `user: [the agent said]\n${text}`;

describe("the history", () => {
  it.each<[string, Step[], string[]]>([
    ["is empty at first", [], []],
    ["has what the person and moth said", [["you", "hi", "hello."]], ["user: hi", "assistant: hello."]],
    [
      "ends with the turn moth is about to react to",
      [
        ["you", "hi", "hello."],
        ["a", "Built."],
      ],
      ["user: hi", "assistant: hello.", agent("Built.")],
    ],
    ["has the reaction under its turn", [["a", "Built.", "nice."]], [agent("Built."), "assistant: nice."]],
    [
      "keeps one turn of each session, the newest, with moth's line to it",
      [
        ["a", "One.", "1."],
        ["b", "Two.", "2."],
        ["a", "Three.", "3."],
        ["b", "Four.", "4."],
      ],
      [agent("Three."), "assistant: 3.", agent("Four."), "assistant: 4."],
    ],
    [
      "has dropped the session's older turn already when moth reacts to the newer",
      [
        ["b", "Old.", "old."],
        ["a", "One.", "1."],
        ["b", "New."],
      ],
      [agent("One."), "assistant: 1.", agent("New.")],
    ],
    [
      "keeps the conversation though agents talk on",
      [["you", "hi", "hello."], ...Array.from({ length: 50 }, (_, index): Step => ["a", `Turn ${index}.`, "ok."])],
      ["user: hi", "assistant: hello.", agent("Turn 49."), "assistant: ok."],
    ],
    [
      "leaves out a turn moth has not answered when a newer one is asked about",
      [
        ["a", "One."],
        ["b", "Two."],
      ],
      [agent("Two.")],
    ],
  ])("%s", (_, steps, expected) => {
    expect(lines(play(steps))).toEqual(expected);
  });

  it("puts a late reaction where its turn stands", () => {
    const memory = play([
      ["a", "One."],
      ["b", "Two.", "2."],
    ]);
    memory.reacted(turn("a", "One."), { text: "1." });
    expect(lines(memory)).toEqual([agent("One."), "assistant: 1.", agent("Two."), "assistant: 2."]);
  });

  it("ignores a late reaction to a turn that a newer one has replaced", () => {
    const memory = play([
      ["a", "One."],
      ["a", "Two.", "2."],
    ]);
    memory.reacted(turn("a", "One."), { text: "1." });
    expect(lines(memory)).toEqual([agent("Two."), "assistant: 2."]);
  });

  it("forgets a turn moth had nothing to say to", () => {
    const memory = play([["a", "One."]]);
    memory.reacted(turn("a", "One."), undefined);
    expect(lines(memory)).toEqual([]);
  });

  it("tells sessions of different harnesses apart, though their ids are alike", () => {
    const memory = createMemory();
    for (const source of ["x", "y"]) {
      memory.hear(turn("1", source, { source }));
      memory.reacted(turn("1", source, { source }), { text: "ok." });
    }
    expect(memory.history()).toHaveLength(4);
  });

  it("takes turns between user and assistant, whatever happens", () => {
    const memory = play([
      ["a", "One."],
      ["you", "hi", "hello."],
      ["b", "Two.", "2."],
      ["c", "Three."],
      ["you", "so?", "so."],
      ["a", "Four."],
    ]);
    const roles = memory.history().map(({ role }) => role);
    expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
  });

  it("is empty after reset", () => {
    const memory = play([
      ["a", "One.", "1."],
      ["you", "hi", "hello."],
      ["b", "Two."],
    ]);
    memory.reset();
    expect(memory.history()).toEqual([]);
  });
});

describe("an agent's message", () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");

  it("is whole until moth has reacted, then 25 words long", () => {
    const memory = play([["a", words]]);
    expect(memory.history()[0]?.content).toBe(`[the agent said]\n${words}`);
    memory.reacted(turn("a", words), { text: "long." });
    expect(memory.history()[0]?.content).toBe(`[the agent said]\n${words.split(" ").slice(0, 25).join(" ")}…`);
  });

  it("of at most 25 words stays as it is", () => {
    const short = words.split(" ").slice(0, 25).join(" ");
    expect(lines(play([["a", short, "ok."]]))[0]).toBe(agent(short));
  });

  it("is cut by words also where no spaces stand between them", () => {
    const memory = play([["a", "测试已经全部通过，按钮现在是蓝色的。".repeat(40), "ok."]]);
    const content = memory.history()[0]?.content ?? "";
    expect(content.length).toBeGreaterThan(40);
    expect(content.length).toBeLessThan(120);
  });

  it("without any words is cut as well", () => {
    expect(play([["a", "🦋".repeat(5000), "ok."]]).history()[0]?.content.length).toBeLessThan(1100);
  });
});

it("never shows a model which session a turn came from, nor how moth called it", () => {
  const memory = createMemory();
  const one = turn("session-4711", "Built.", { label: "moth-repo" });
  memory.hear(one);
  const before = JSON.stringify(memory.history());
  memory.reacted(one, { text: "eleven minutes in moth-repo. worth the wait.", quote: "Built." });
  const both = before + JSON.stringify(memory.history());
  for (const mark of ["agent-x", "session-4711", "moth-repo"]) expect(both).not.toContain(mark);
  expect(lines(memory).at(-1)).toBe("assistant: eleven minutes in that one. worth the wait.");
});

it.each([
  ["a", "a long one. bring a: a.", "that one long one. bring that one: that one."],
  ["c++ (3f2a)", "trouble in c++ (3f2a).", "trouble in that one."],
  ["", "all done.", "all done."],
  ["moth", "mothers of moth.", "mothers of that one."],
])("takes the label %j out of moth's line, as a whole word", (label, said, kept) => {
  const memory = createMemory();
  memory.hear(turn("s", "Built.", { label }));
  memory.reacted(turn("s", "Built.", { label }), { text: said });
  expect(memory.history().at(-1)?.content).toBe(kept);
});

it("is bounded in sessions, in conversation and in the length of a message", () => {
  const memory = createMemory();
  for (let index = 0; index < 200; index += 1) {
    memory.chat(`question ${index}`, "x".repeat(5000));
    const one = turn(`s${index}`, "word ".repeat(20_000));
    memory.hear(one);
    if (index % 2 === 0) memory.reacted(one, { text: "ok." });
  }
  const history = memory.history();
  expect(history.length).toBeLessThanOrEqual(2 * (16 + 32) + 1);
  expect(JSON.stringify(history).length).toBeLessThan(16_000 + 8000 + 10_000);
  expect(history.map(({ content }) => content)).toContain("question 199");
});
