import { expect, test } from "vitest";
import { width } from "../width.ts";
import { bodyRows } from "./ask-view.ts";

const wait = { id: "w", kind: "permission", answerable: true } as const;
const TEXT = "cat  <<'E'   > a\n\tif [ x ]\n\n한국어 テスト 👨‍👩‍👧 ééé “quoted” — done\nrm -rf \"a  b\"";

const squeezed = (text: string): string => text.replaceAll(/\s/g, "");

test.each([10, 23, 40, 130])("at %i columns every character stands there, blanks too, in rows that fit", (columns) => {
  const rows = bodyRows({ ...wait, text: TEXT }, columns);
  expect(squeezed(rows.map(({ text }) => text).join(""))).toBe(squeezed(TEXT));
  for (const { text } of rows) expect(width(text)).toBeLessThanOrEqual(columns);
  expect(rows.some(({ text }) => text.includes("a  b")) || columns < 20).toBe(true);
});

test("a place in it is the same at every width", () => {
  const ends = [10, 40, 130].map((columns) => bodyRows({ ...wait, text: TEXT, options: ["Yes", "No"] }, columns).at(-1)?.end);
  expect(new Set(ends).size).toBe(1);
});

test("where a terminal draws characters wider than most do, nothing is cut off", () => {
  // In a Chinese terminal each of these takes two columns.
  expect(bodyRows({ ...wait, text: "é“—".repeat(8) }, 26).map(({ text }) => text.length)).toEqual([14, 14]);
});

test("options have numbers", () => {
  const rows = bodyRows({ ...wait, kind: "question", text: "Which?", options: ["Red", "Blue"] }, 40);
  expect(rows.map(({ text }) => text)).toEqual(["  Which?", "  1 Red", "  2 Blue"]);
});
