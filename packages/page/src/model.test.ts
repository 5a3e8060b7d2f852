import type { MothEvent } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { createModel, filtered, type Item } from "./model.ts";

const about = { source: "pi", session: "s1", label: "api" };
const card = (id: number, text = "Done.", more: object = {}): MothEvent => ({
  id,
  time: id,
  kind: "card",
  ...about,
  text,
  outcome: "done",
  class: "done",
  ...more,
});
const say = (id: number, of?: number): MothEvent => ({
  id,
  time: id,
  kind: "say",
  text: `line ${id}`,
  ...(of === undefined ? {} : { card: of, ...about }),
});
const skip = (id: number, of: number): MothEvent => ({ id, time: id, kind: "skip", card: of, reason: "rate" });
const tool = (id: number, of?: number): MothEvent => ({
  id,
  time: id,
  kind: "tool",
  text: `cat ${id}.md`,
  ...(of === undefined ? {} : { card: of }),
});

function modelOf(events: readonly MothEvent[], limits?: Parameters<typeof createModel>[0]) {
  const model = createModel(limits);
  for (const event of events) model.add(event);
  return model;
}
const ids = (items: readonly Item[]): number[] => items.map(({ id }) => id);

test("moth's line goes under the card it answers, a line to the person stands alone", () => {
  const { items } = modelOf([card(0), card(1), say(2, 0), say(3)]);
  expect(items).toMatchObject([{ id: 0, say: { text: "line 2" } }, { id: 1 }, { kind: "say", id: 3 }]);
});

test("what moth did before its line goes under the card too, what it did for the person stands alone", () => {
  const { items } = modelOf([card(0), tool(1, 0), tool(2, 0), say(3, 0), tool(4), tool(5, 77)]);
  expect(items).toMatchObject([
    { id: 0, tools: [{ id: 1 }, { id: 2 }], say: { id: 3 } },
    { kind: "tool", tool: { text: "cat 4.md" } },
    { kind: "tool", id: 5 },
  ]);
});

test("what a card gains makes another object of it, and only of it", () => {
  const model = modelOf([card(0), card(1)]);
  const [first, second] = model.items;
  model.add(say(2, 0));
  expect(model.items[0]).not.toBe(first);
  expect(model.items[1]).toBe(second);
});

test("skipped cards are counted, once each", () => {
  const model = modelOf([card(0), card(1), skip(2, 0), skip(3, 0)]);
  expect(model.skipped).toBe(1);
});

test("a line about a card that is here no more stands alone, a skip of it is nothing", () => {
  expect(modelOf([say(5, 1), skip(6, 2)]).items).toMatchObject([{ kind: "say", id: 5 }]);
});

test("old items give way, and what comes for those that stay still finds them", () => {
  const events = Array.from({ length: 40 }, (_, id) => card(id));
  const model = modelOf([...events, skip(40, 39), say(41, 38), say(42, 0)], { items: 20, text: 1e6 });
  expect(model.items.length).toBeLessThanOrEqual(20);
  expect(model.items.find(({ id }) => id === 38)).toMatchObject({ say: { text: "line 41" } });
  expect(model.items.find(({ id }) => id === 39)).toMatchObject({ skip: "rate" });
  expect(model.items.at(-1)).toMatchObject({ kind: "say", id: 42 });
});

test("long texts count: fewer of them are kept, the newest always", () => {
  const model = modelOf([card(0, "a".repeat(900)), skip(1, 0), card(2, "b".repeat(900)), card(3, "c".repeat(5000))], {
    items: 20,
    text: 1000,
  });
  expect(ids(model.items)).toEqual([3]);
  expect(model.skipped).toBe(0);
});

test("every change shows in the version; states change nothing here", () => {
  const model = modelOf([card(0)]);
  const before = model.version;
  model.add(say(1, 0));
  expect(model.version).not.toBe(before);
  model.add({ id: 2, time: 2, kind: "state", ...about, state: "idle" });
  expect(ids(model.items)).toEqual([0]);
  model.clear();
  expect([model.items, model.skipped]).toEqual([[], 0]);
});

test("a filter leaves one session's cards, and the talk with moth", () => {
  const { items } = modelOf([
    card(0),
    card(1, "x", { session: "s2" }),
    card(2, "x", { source: "omp" }),
    say(3),
    { id: 4, time: 4, kind: "chat", text: "hi" },
  ]);
  expect(ids(filtered(items, { source: "pi", session: "s1" }))).toEqual([0, 3, 4]);
  expect(filtered(items, undefined)).toBe(items);
});
