import type { Payload } from "../claude-shaped/events.ts";
import { held } from "../claude-shaped/held.ts";
import type { HookContext, Report } from "../types.ts";
import { isNotification, readNotification } from "./notify.ts";
import { planId, readPayload } from "./payload.ts";
import { codexProcess } from "./process.ts";
import { planIn } from "./rollout.ts";

interface Event {
  hook_event_name?: unknown;
  transcript_path?: unknown;
  turn_id?: unknown;
}

/** What a hook makes of an event: its payload read, whose process it came from, and whether the turn left a plan to be approved. */
export async function readEvent(payload: unknown, context: HookContext): Promise<Report[]> {
  const [report] = isNotification(payload) ? readNotification(payload, context) : readPayload(payload, context);
  if (!report) return [];
  const pid = await codexProcess(context.caller);
  // In a server's session, such as the daemon's, another door is open, and Codex's own dialog stays usable.
  if (context.answers && pid !== undefined)
    return [
      held("Codex", { ...report, body: { ...report.body, pid } } as Report, payload as Payload, ["command", "description"]),
    ];
  const reports = withPlan(report, payload as Event);
  if (pid !== undefined) for (const { body } of reports) body.pid = pid;
  return reports;
}

/** In plan mode a turn ends with a plan beside the reply, or in its place, and the person is asked about it. */
function withPlan(report: Report, event: Event): Report[] {
  const { transcript_path: rollout, turn_id: turn } = event;
  if (event.hook_event_name !== "Stop" || typeof rollout !== "string" || typeof turn !== "string") return [report];
  if (planIn(rollout, turn) === undefined) return [report];
  const { source, session, label, cwd, seq } = report.body;
  const whose = {
    source,
    ...(session && { session }),
    ...(label && { label }),
    ...(cwd && { cwd }),
    ...(seq !== undefined && { seq }),
  };
  const wait = { id: planId(turn), kind: "plan" as const, answerable: false };
  const asks: Report = { to: "state", body: { ...whose, state: "waiting", wait } };
  return report.to === "agent" ? [report, asks] : [asks];
}
