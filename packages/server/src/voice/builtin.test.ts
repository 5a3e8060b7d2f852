import { OUTCOMES, TURN_CLASSES, type TurnClass } from "@moth-companion/core/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBuiltinVoice } from "./builtin.ts";
import { expand } from "./grammar.ts";
import { LINES } from "./lines.ts";
import { sharesWords } from "./overlap.ts";
import type { Remark, Turn } from "./voice.ts";

/** A small seeded generator (mulberry32), so that a failing case can be seen again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function turn(over: Partial<Turn> = {}): Turn {
  const base: Turn = {
    source: "s",
    session: "1",
    label: "moth-repo",
    class: "done",
    outcome: "done",
    quote: "",
    text: "All good.",
  };
  return { ...base, ...over };
}

async function lines(count: number, over: Partial<Turn> = {}, seed = 1): Promise<string[]> {
  const voice = createBuiltinVoice(seeded(seed));
  const said: string[] = [];
  for (let index = 0; index < count; index += 1) said.push((await voice.react(turn(over)))?.text ?? "");
  return said;
}

describe("the built-in moth", () => {
  it.each(TURN_CLASSES)("has more than 1,000 lines for %s that need neither label nor time", (kind) => {
    const shapes = new Set(expand(LINES, kind));
    expect([...shapes].filter((shape) => !/[{}]/.test(shape)).length).toBeGreaterThan(1000);
  });

  it.each(TURN_CLASSES)("says nothing twice in 1,000 turns with %s, and nothing long", async (kind) => {
    const said = await lines(1000, { class: kind, label: "" });
    expect(new Set(said).size).toBe(1000);
    for (const line of said) {
      expect(line).not.toBe("");
      expect(line.length).toBeLessThanOrEqual(90);
      expect(line).not.toMatch(/[{}]/);
    }
  });

  it("says nothing twice in 1,000 turns of all kinds, with labels, times and details", async () => {
    const voice = createBuiltinVoice(seeded(3));
    const said = new Set<string>();
    const texts = [
      "3 tests failed in `auth.test.ts`.",
      "All 41 tests pass in 7 files.",
      "Shall I delete `old.ts`? Or keep it?",
      "Well.",
    ];
    for (let index = 0; index < 1000; index += 1) {
      const kind = TURN_CLASSES[index % TURN_CLASSES.length] ?? "done";
      const over = {
        class: kind,
        text: texts[index % texts.length] ?? "",
        label: index % 2 === 0 ? "api" : "web",
        took: 660_000,
      };
      said.add((await voice.react(turn(over)))?.text ?? "");
    }
    expect(said.size).toBe(1000);
    expect(said).not.toContain("");
  });

  it.each<[TurnClass, string, RegExp, string[]]>([
    ["failure", "3 tests failed in `src/auth.test.ts`.", /auth\.test\.ts|three/, ["auth.test.ts"]],
    ["done", "All 41 tests pass.", /forty-one/, []],
    ["question", "Shall I delete `old.ts`? Or keep `new.ts`?", /old\.ts|two questions/, ["old.ts"]],
    ["long", "a word ".repeat(700), /six minutes/, []],
  ])("names what a turn with %s is about, and which of its words are the agent's", async (kind, text, name, names) => {
    const voice = createBuiltinVoice(seeded(5));
    const remarks: Remark[] = [];
    for (let index = 0; index < 100; index += 1) remarks.push((await voice.react(turn({ class: kind, text }))) ?? { text: "" });
    const naming = remarks.filter((remark) => name.test(remark.text));
    expect(naming.length).toBeGreaterThan(50);
    for (const remark of remarks) expect(remark.names ?? []).toEqual(names.filter((word) => remark.text.includes(word)));
  });

  it.each(["limit", "interrupted"] as const)("has lines of its own for a turn that ended by %s", async (outcome) => {
    const said = await lines(40, { outcome });
    const own = new Set(expand(LINES, outcome).map((shape) => shape.replace("{label}", "moth-repo")));
    expect(said.filter((line) => !own.has(line))).toEqual([]);
  });

  it("knows how long the turn took, where, and what that feels like", async () => {
    const said = await lines(400, { took: 660_000 });
    expect(said).toContain("eleven minutes in moth-repo. worth the wait.");
    expect((await lines(400, { took: 7000 })).join("\n")).toContain("seven seconds in moth-repo. ");
    expect(said.join("\n")).not.toContain("hardly a flutter");
  });

  it("does not speak of a time or a label it does not know", async () => {
    const said = (await lines(300, { label: "" })).join("\n");
    expect(said).not.toMatch(/undefined|second|minute| in \.|^ is |^\./m);
  });

  it("says the same things in the same order for the same seed, and others for another", async () => {
    expect(await lines(20, {}, 7)).toEqual(await lines(20, {}, 7));
    expect(await lines(20, {}, 7)).not.toEqual(await lines(20, {}, 8));
  });

  it("does not tell a joke again with another label", async () => {
    const voice = createBuiltinVoice(() => 0.95);
    const first = await voice.react(turn({ class: "failure", label: "api" }));
    const second = await voice.react(turn({ class: "failure", label: "web" }));
    expect(second?.text.replace("web", "api")).not.toBe(first?.text);
  });

  it("forgets what it said when everything is forgotten, not for a new chat", async () => {
    const voice = createBuiltinVoice(() => 0);
    const first = await voice.react(turn());
    expect(await voice.react(turn())).not.toEqual(first);
    voice.reset(false);
    expect(await voice.react(turn())).not.toEqual(first);
    voice.reset(true);
    expect(await voice.react(turn())).toEqual(first);
  });

  it("hands the quote on, and leaves it out when there is none", async () => {
    const voice = createBuiltinVoice(seeded(1));
    expect(await voice.react(turn({ quote: "3 tests failed." }))).toMatchObject({ quote: "3 tests failed." });
    expect(await voice.react(turn())).not.toHaveProperty("quote");
  });

  it("repeats no four words of the agent in a row, even when the agent speaks in moth's lines", async () => {
    const all = TURN_CLASSES.flatMap((kind) => expand(LINES, kind));
    const text = all.filter((_, index) => index % 13 === 0).join("\n");
    for (const kind of TURN_CLASSES) {
      const repeats = sharesWords(text);
      const said = await lines(20, { class: kind, text });
      for (const line of said) expect(line.split("moth-repo").some(repeats)).toBe(false);
    }
  });

  it("may name the label, though the agent wrote it too", async () => {
    const label = "my very own little project";
    const said = await lines(200, { label, text: `I worked in ${label} and it is done.` });
    expect(said.some((line) => line.includes(label))).toBe(true);
  });

  it("says nothing rather than something again", async () => {
    // Each part of each line, so that none of four words or more is left.
    const text = expand(LINES, "failure")
      .filter((_, index) => index % 2 === 0 || index < 700)
      .join("\n");
    const said = await lines(5, { class: "failure", text, label: "" });
    for (const line of said) expect(sharesWords(text)(line)).toBe(false);
  });

  it("takes any turn without falling over or growing long", async () => {
    const any = fc.record({
      label: fc.string({ maxLength: 40 }),
      class: fc.constantFrom<TurnClass>(...TURN_CLASSES),
      outcome: fc.constantFrom(...OUTCOMES),
      text: fc.string({ maxLength: 400 }),
      took: fc.integer({ min: -5, max: 1e9 }),
    });
    await fc.assert(
      fc.asyncProperty(any, fc.double({ min: 0, max: 1, noNaN: true }), async (over, number) => {
        const remark = await createBuiltinVoice(() => number).react(turn(over));
        expect(remark?.text.length).toBeLessThanOrEqual(90);
      }),
    );
  });
});

describe("sharesWords", () => {
  it.each<[string, string, boolean]>([
    ["the whole suite passes now", "so the whole suite passes", true],
    ["the whole suite passes now", "the whole suite, it passes", false],
    ["The WHOLE `suite` passes.", "the whole suite passes", true],
    ["one two three", "one two three", false],
    ["", "anything at all goes here", false],
    ["三个测试失败了，因为会话令牌从未设置。", "因为会话令牌，从未设置", true],
    ["三个测试失败了，因为会话令牌从未设置。", "三个测试失败了，真可惜。", false],
    ["セッションの鍵が設定されていません。", "鍵が設定されていません、と。", true],
    ["foo bar 测试 12", "测试 12 foo bar", false],
  ])("of %j and %j is %s", (text, line, shares) => {
    expect(sharesWords(text)(line)).toBe(shares);
  });
});
