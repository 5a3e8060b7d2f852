import type { HookContext, Report } from "../types.ts";
import { readPayload } from "./payload.ts";
import { isEarlierReply } from "./transcript.ts";

/** What a hook makes of an event: its payload read, a reply that is not this turn's left out, a wait told whole where it is answered. */
export async function readEvent(payload: unknown, context: HookContext): Promise<Report[]> {
  const reports = readPayload(payload, context);
  const [report] = reports;
  // Loaded only then: every other event does without.
  if (context.answers && report?.to === "state" && report.body.wait)
    return [(await import("./ask.ts")).withAsk(report.body, report.body.wait, payload, context)];
  if (report?.to !== "agent" || report.body.turn === undefined) return reports;
  const { transcript_path: transcript } = payload as { transcript_path?: unknown };
  const { text, turn, state = "idle", ...origin } = report.body;
  if (typeof transcript !== "string" || !(await isEarlierReply(transcript, turn, text))) return reports;
  const { outcome, ...whose } = origin;
  return [{ to: "state", body: { ...whose, state, ...(state === "idle" && outcome && { outcome }) } }];
}
