import { expect, test } from "vitest";
import { matrixPage } from "./matrix-page.ts";

test("the page shows each cell, each reason, and what was not run", () => {
  const page = matrixPage({
    scenarios: ["one-shot", "plan"],
    columns: [
      {
        name: "Lamp",
        version: "1.2.3",
        page: "harness/lamp.md",
        answers: { door: "its socket", permission: true, plan: true },
        orders: { door: "its queue" },
        cells: { "one-shot": { status: "ok", cases: [] }, plan: { status: "n/a", cases: [], reason: "It has no plans." } },
      },
      { name: "Moss", version: "4.0.0", page: "harness/moss.md", cells: { "one-shot": { status: "flaky", cases: [] } } },
    ],
    unseen: ["Fern"],
    machine: "Linux x64, Node 24.21.0",
  });
  expect(page.split("\n").filter((line) => line.startsWith("|"))).toEqual([
    "|  | [Lamp](harness/lamp.md) | [Moss](harness/moss.md) |",
    "| --- | --- | --- |",
    "| version | 1.2.3 | 4.0.0 |",
    "| one shot | ok | ok, 2nd try |",
    "| plan | – | not run |",
    "|  | permission | question | plan | a late answer is refused | while away | message | stop | door | version |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    "| [Lamp](harness/lamp.md) | not run | in its window | – | not run | – | not run | in its window | its socket; its queue | 1.2.3 |",
    "| [Moss](harness/moss.md) | in its window | in its window | – | – | – | in its window | in its window | none | 4.0.0 |",
  ]);
  expect(page).toContain("**Lamp**\n\n- plan: It has no plans.\n");
  expect(page).not.toContain("**Moss**");
  expect(page).toContain("alone: Fern.");
  expect(page).toContain("on Linux x64, Node 24.21.0.");
});
