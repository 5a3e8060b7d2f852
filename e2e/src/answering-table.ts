/** What of each harness can be answered and said through moth, by which door, as the last whole run has shown. Part of `docs/matrix.md`. */
import type { HarnessDriver } from "./driver.ts";
import type { Cell } from "./results.ts";

export interface AnsweringRow {
  answers?: HarnessDriver["answers"];
  away?: HarnessDriver["away"];
  orders?: HarnessDriver["orders"];
  plan?: object | undefined;
  name: string;
  version: string;
  /** Where the person reads more, from `docs/`. */
  page: string;
  /** By scenario. */
  cells: Readonly<Record<string, Cell>>;
}

const HEAD = [
  "",
  "permission",
  "question",
  "plan",
  "a late answer is refused",
  "while away",
  "message",
  "stop",
  "door",
  "version",
];

/** The table's lines. */
export function answeringTable(rows: readonly AnsweringRow[], marks: Readonly<Record<Cell["status"], string>>): string[] {
  const lines = rows.map(({ name, version, page, cells, answers, away, orders, plan }) => {
    const shown = (isThere: boolean | undefined, scenario: string): string =>
      isThere ? marks[cells[scenario]?.status ?? "not run"] : "in its window";
    const doors = new Set([answers?.door, orders?.door].filter((door) => door !== undefined));
    return [
      `[${name}](${page})`,
      shown(answers?.permission, "answered-permission"),
      shown(answers?.question, "answered-question"),
      plan ? shown(answers?.plan, "plan") : "–",
      answers ? shown(true, "stale-answer") : "–",
      away ? shown(true, "away") : "–",
      shown(orders !== undefined, "follow-up"),
      shown(orders?.abort, "follow-up"),
      [...doors].join("; ") || "none",
      version,
    ];
  });
  return [HEAD, HEAD.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`);
}
