import { type Command, command } from "../command.ts";
import { shortDuration } from "../duration.ts";
import { EXIT } from "../errors.ts";
import { type HookReport, healthWords, isHooked, notifierWords, reportHooks } from "../hook-report.ts";
import { columnsOf, print, printJson, styleOf } from "../io.ts";
import { isSick, nextStep, troubleOf } from "../next-step.ts";
import { commandName } from "../self.ts";
import type { Style } from "../style.ts";
import { type Column, renderTable } from "../table.ts";
import { wrap } from "../width.ts";

const COLUMNS: readonly Column[] = [
  { title: "HARNESS", shrinkTo: 10 },
  { title: "FOUND", shrinkTo: 8, dispensable: 1 },
  { title: "MOTH", shrinkTo: 10 },
  { title: "LAST HEARD" },
];

export const hooks: Command = command({
  args: { json: { type: "boolean", description: "print them as a JSON array" } },
  async run(args, io) {
    const reports = await reportHooks(io.env);
    if (args.json) printJson(io, reports);
    else
      print(
        io,
        ...renderHooks(reports, { now: io.now(), columns: columnsOf(io), style: styleOf(io), self: commandName(io.env) }),
      );
    return EXIT.ok;
  },
});

/** The table of `moth hooks`, what is wrong below it, and the next step. */
export function renderHooks(
  reports: readonly HookReport[],
  view: { now: number; columns: number | undefined; style: Style; self: string },
): string[] {
  const rows = reports.map((report) => [
    report.name,
    report.found ? (report.version ?? "yes") : "no",
    healthWords(report.status),
    lastHeardWords(report, view.now),
  ]);
  const troubles = reports
    .filter((report) => report.problem !== undefined)
    .flatMap((report) => wrapped(troubleOf(report, view.self), view.columns));
  const untried = reports.flatMap(({ name, notVerified }) =>
    notVerified === undefined ? [] : wrapped(untriedWords(name, notVerified), view.columns),
  );
  const notifiers = reports
    .filter((report) => report.notifiers.length > 0)
    .flatMap((report) => wrapped(`${report.name}: ${notifierWords(report)}`, view.columns));
  return [
    ...renderTable(COLUMNS, rows, view.columns, view.style),
    ...(untried.length > 0 ? ["", ...untried] : []),
    ...(notifiers.length > 0 ? ["", ...notifiers] : []),
    ...(troubles.length > 0 ? ["", ...troubles] : []),
    ...(reports.some(isSick) ? [] : ["", ...wrapped(nextStep(reports, view.self), view.columns)]),
  ];
}

function untriedWords(name: string, why: string): string {
  return `${name}: not verified live, since ${why}.`;
}

function lastHeardWords(report: HookReport, now: number): string {
  if (report.lastHeard !== undefined) return `${shortDuration(now - report.lastHeard)} ago`;
  return isHooked(report) ? "never" : "";
}

function wrapped(text: string, columns: number | undefined): string[] {
  return columns === undefined ? [text] : wrap(text, columns);
}
