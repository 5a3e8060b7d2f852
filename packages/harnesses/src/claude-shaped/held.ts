/** A permission that a PermissionRequest hook holds while the person is away, in a harness that shows its dialog once the hook has ended. */
import { WHY_NOT } from "@moth-companion/core/protocol";
import { showsAll } from "../shows-all.ts";
import type { Report } from "../types.ts";
import { decide, subagentAsks } from "./decision.ts";
import { object, type Payload, text } from "./events.ts";

/**
 * @param name the harness's, for the person
 * @param told fields of a command's input whose values are told, the command first; an input with others is told as it is
 * @returns the report of the permission with what is asked; of anything else the report as it was
 */
export function held(name: string, report: Report, event: Payload, told: readonly string[]): Report {
  if (report.to !== "state" || report.body.wait?.kind !== "permission") return report;
  const { wait, ...body } = report.body;
  const asked = subagentAsks(event, askedBy(event, told));
  if (!showsAll(asked)) return { to: "state", body: { ...body, wait: { ...wait, why: WHY_NOT.unseen } } };
  const ask = { decide: (answer: Parameters<typeof decide>[1]) => decide(name, answer), isOver: () => false };
  return { to: "state", body: { ...body, wait: { ...wait, text: asked, answerable: true } }, ask };
}

function askedBy(event: Payload, told: readonly string[]): string {
  const input = object(event["tool_input"]) ?? {};
  const isPlain = text(input, told[0] ?? "") !== undefined && Object.keys(input).every((key) => told.includes(key));
  if (!isPlain) return `${text(event, "tool_name") ?? "A tool"} ${JSON.stringify(input, null, 2)}`;
  return told.flatMap((key) => text(input, key) ?? []).join("\n");
}
