import { expect, test } from "vitest";
import { documentOf } from "./document.ts";
import { figure } from "./figure.ts";
import { markdownTable, plainTable } from "./table.ts";

const met = figure(
  "a hook",
  "ms",
  [
    { value: 30, baseline: 28 },
    { value: 31, baseline: 28 },
  ],
  { of: "ratio", atMost: 1.25 },
);
const missed = figure("the page", "kB", [{ value: 400 }], { of: "value", atMost: 300 });
const told = figure("curl", "ms", [{ value: 30, baseline: 10 }]);

test("in a terminal: a line for each figure, what is missed to be seen at once", () => {
  expect(plainTable([met, missed, told])).toMatchInlineSnapshot(`
    "      figure    value   baseline  ratio  least to most      goal
    ok    a hook    31 ms   28 ms     1.11x  1.07 to 1.11 of 2  ratio <= 1.25
    MISS  the page  400 kB                                      kB <= 300
    ok    curl      30 ms   10 ms     3x"
  `);
});

test("on a page the goal that is missed stands in bold", () => {
  expect(markdownTable([met, missed])).toMatchInlineSnapshot(`
    "| figure | value | baseline | ratio | least to most | goal |
    | --- | --- | --- | --- | --- | --- |
    | a hook | 31 ms | 28 ms | 1.11x | 1.07 to 1.11 of 2 | ratio <= 1.25 |
    | the page | 400 kB |  |  |  | **missed:** kB <= 300 |"
  `);
});

test("the page says of which machine and day it is, and how many goals were met; what is only told counts for none", () => {
  const machine = { hardware: "a machine", versions: "Node 24", took: "8 minutes", day: "2026-11-30" };
  const text = documentOf(
    [
      { title: "Hooks", figures: [met, told] },
      { title: "The page", figures: [missed] },
    ],
    machine,
  );
  expect(text).toContain("on 2026-11-30, in 8 minutes; not by hand. 1 of 2 goals were met, 1 missed.");
  expect(text).toContain("- Machine: a machine\n- Versions: Node 24\n");
  expect(text).toMatch(/\n## Hooks\n\n\| figure [^]*\n## The page\n\n\| figure /);
  expect(documentOf([{ title: "Hooks", figures: [met] }], machine)).toContain("1 of 1 goals were met.");
});
