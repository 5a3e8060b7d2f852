import { expect, test } from "vitest";
import { createStyle } from "./style.ts";
import { renderPairs, renderTable } from "./table.ts";

const style = createStyle(1);

test("columns take the widest cell; numbers stand right; no line ends in blanks", () => {
  const lines = renderTable(
    [{ title: "NAME" }, { title: "AGE", right: true }, { title: "X" }],
    [
      ["灯", "5s", ""],
      ["moth", "12m", "y"],
    ],
    undefined,
    style,
  );
  expect(lines).toEqual(["NAME  AGE  X", "灯     5s", "moth  12m  y"]);
});

test("what is dispensable goes before anything is shortened further than it may", () => {
  const columns = [
    { title: "A", shrinkTo: 4 },
    { title: "B", dispensable: 1 },
    { title: "C", dispensable: 2 },
  ];
  const rows = [["abcdefgh", "bbbb", "cccc"]];
  expect(renderTable(columns, rows, 20, style)[1]).toBe("abcdefgh  bbbb  cccc");
  expect(renderTable(columns, rows, 16, style)[1]).toBe("abc…  bbbb  cccc");
  expect(renderTable(columns, rows, 15, style)[1]).toBe("abcdefgh  bbbb");
  expect(renderTable(columns, rows, 5, style)[1]).toBe("abcd…");
  expect(renderTable([{ title: "A", shrinkTo: 6 }], rows, 4, style)[1]).toBe("abc…");
});

test("the second of a pair is wrapped beside the first, or below it when there is no room", () => {
  expect(renderPairs([["--flag", "one two three four five six seven"]], 36)).toEqual([
    "  --flag  one two three four five",
    "          six seven",
  ]);
  expect(renderPairs([["--flag", "one two three four five six seven"]], 30)).toEqual([
    "  --flag",
    "      one two three four five",
    "      six seven",
  ]);
});
