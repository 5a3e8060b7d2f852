import { expect, test } from "vitest";
import { hold, MAX_SHOWN, newer, NEWEST, older, partOf, STEP, type Window } from "./window.ts";

/** Items with gaps between their ids, as the log's are. */
const items = (count: number): { id: number }[] => Array.from({ length: count }, (_, index) => ({ id: index * 3 }));
const edges = (list: readonly { id: number }[], window: Window): (number | undefined)[] => {
  const { shown, older: before, newer: after } = partOf(list, window);
  return [shown[0]?.id, shown.at(-1)?.id, before, after];
};

test("the newest show, and follow", () => {
  expect(edges(items(100), NEWEST)).toEqual([(100 - STEP) * 3, 99 * 3, 100 - STEP, 0]);
  expect(edges(items(5), NEWEST)).toEqual([0, 12, 0, 0]);
  expect(edges([], NEWEST)).toEqual([undefined, undefined, 0, 0]);
});

test("held, it stays while more come, and while the oldest go", () => {
  const held = hold(items(100), NEWEST);
  expect(edges(items(130), held)).toEqual([(100 - STEP) * 3, 99 * 3, 100 - STEP, 30]);
  expect(edges(items(130).slice(50), held)).toEqual([150, 99 * 3, 0, 30]);
  expect(partOf(items(300).slice(200), held).shown).toEqual([]);
  expect(hold([], NEWEST)).toBe(NEWEST);
});

test("steps back and forth never show more than the bound, and end where they should", () => {
  const list = items(1000);
  let window: Window = NEWEST;
  for (let count = 0; count < 30; count++) {
    window = older(list, window);
    expect(partOf(list, window).shown.length).toBeLessThanOrEqual(MAX_SHOWN);
  }
  expect(edges(list, window).slice(0, 3)).toEqual([0, (MAX_SHOWN - 1) * 3, 0]);
  let steps = 0;
  while (window.at !== "end" && steps++ < 30) {
    window = newer(list, window);
    expect(partOf(list, window).shown.length).toBeLessThanOrEqual(MAX_SHOWN);
  }
  expect(window).toBe(NEWEST);
});
