/** `docs/matrix.md`: what the last whole run of the suite has shown, for people who choose a harness. */
import { type AnsweringRow, answeringTable } from "./answering-table.ts";
import type { Cell } from "./results.ts";

export interface MatrixPage {
  scenarios: readonly string[];
  /** One for each harness. */
  columns: readonly AnsweringRow[];
  /** Names of the harnesses that moth hears and the suite cannot run. */
  unseen: readonly string[];
  /** "Linux x64, Node 24.21.0". */
  machine: string;
}

const MARKS: Readonly<Record<Cell["status"], string>> = {
  ok: "ok",
  flaky: "ok, 2nd try",
  FAIL: "**fails**",
  "n/a": "–",
  skipped: "skipped",
  "not run": "not run",
};

/** The page's whole text. */
export function matrixPage({ scenarios, columns, unseen, machine }: MatrixPage): string {
  const head = ["", ...columns.map(({ name, page }) => `[${name}](${page})`)];
  const rows = [
    ["version", ...columns.map(({ version }) => version)],
    ...scenarios.map((scenario) => [
      scenario.replaceAll("-", " "),
      ...columns.map(({ cells }) => MARKS[cells[scenario]?.status ?? "not run"]),
    ]),
  ];
  const reasons = columns.flatMap(({ name, cells }) => {
    const told = scenarios.flatMap((scenario) => {
      const { status, reason } = cells[scenario] ?? { status: "not run" as const };
      return status !== "ok" && reason ? [`- ${scenario.replaceAll("-", " ")}: ${reason}`] : [];
    });
    return told.length === 0 ? [] : [`**${name}**`, "", ...new Set(told), ""];
  });
  return [
    "# What works with which harness",
    "",
    `Written by \`npm run e2e\` after a run of everything: the real programs against a fake model API, on ${machine}.`,
    "What each row does is in the file of its name in [e2e/scenarios](../e2e/scenarios).",
    "",
    ...[head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    "",
    "–: the harness has nothing of the kind, or the suite cannot bring it about:",
    "",
    ...reasons,
    "## Answered from where you are",
    "",
    "What each harness takes through moth, and by which door; [answers](answers.md) says how.",
    "",
    ...answeringTable(columns, MARKS),
    "",
    ...(unseen.length === 0 ? [] : [`Not run here, known by its documents and payloads alone: ${unseen.join(", ")}.`, ""]),
  ].join("\n");
}
