/**
 * How Codex is answered outside its daemon (0.171.0): by what its PermissionRequest hook prints. It shows no dialog while the hook runs, so
 * the hook waits only while the person is away; Esc ends the turn, and kills the hook.
 */
import { WHY_NOT } from "@moth-companion/core/protocol";
import { decide, subagentAsks } from "../claude-shaped/decision.ts";
import { object, type Payload, text } from "../claude-shaped/events.ts";
import { showsAll } from "../shows-all.ts";
import type { Report } from "../types.ts";

/** The report of a permission with what is asked, where the hook can hand over the answer. */
export function withAsk(report: Report, event: Payload): Report {
  if (report.to !== "state" || report.body.wait?.kind !== "permission") return report;
  const { wait, ...body } = report.body;
  const told = subagentAsks(event, asked(event));
  if (!showsAll(told)) return { to: "state", body: { ...body, wait: { ...wait, why: WHY_NOT.unseen } } };
  return {
    to: "state",
    body: { ...body, wait: { ...wait, text: told, answerable: true } },
    ask: { decide: (answer) => decide("Codex", answer), isOver: () => false },
  };
}

/** A command or a patch with the model's reason, as the dialog has it; all else as it is. */
function asked(event: Payload): string {
  const input = object(event["tool_input"]) ?? {};
  const [command, why] = [text(input, "command"), text(input, "description")];
  const isPlain = command !== undefined && Object.keys(input).every((key) => key === "command" || key === "description");
  if (isPlain) return why === undefined ? command : `${command}\n${why}`;
  return `${text(event, "tool_name") ?? "A tool"} ${JSON.stringify(input, null, 2)}`;
}
