/**
 * What Copilot's hook events become. Payloads as seen on 1.0.102; `docs/harness/copilot.md` tells why each becomes what. None carries the
 * reply or names what is waited for: that stands in the session's own record.
 */
import { placeOf } from "@moth-companion/core/label";
import type { ReportOrigin, StateReport } from "@moth-companion/core/protocol";
import { readTail } from "../tail.ts";
import type { HookContext, Report } from "../types.ts";
import { courseOf } from "./course.ts";
import { copilotHome } from "./detect.ts";
import {
  COURSE,
  COURSE_AND_REPLIES,
  fields,
  type Fields,
  isHook,
  parseRecords,
  recordFile,
  type SessionRecord,
  text,
} from "./records.ts";

export const SOURCE: "copilot" = "copilot" as const;

/** The events moth hooks. None decides anything: a hook on a tool or a permission would, by failing alone. */
export const EVENTS = ["UserPromptSubmit", "Notification", "Stop", "SessionEnd"] as const;

/** Bytes of a record's end that are looked at. */
const TAIL_BYTES = 1024 * 1024;
/** The record may be behind by some 20 to 110 ms when a hook begins. */
const LOOK_EVERY_MS = 20;
const LOOK_FOR_MS = 400;
/** From the hook's beginning: it ends by itself soon after, and what it has to say by then is said. */
const LOOK_UNTIL_MS = 700;
/** A reply that was written so long before its Stop may be of another turn. */
const FRESH_MS = 2000;

type Origin = ReportOrigin & { seq: number };

/** Reads one event. Everything in it is a stranger's: a field of a wrong type counts as missing. */
export async function readPayload(payload: unknown, context: HookContext): Promise<Report[]> {
  const event = fields(payload);
  // VS Code reads the same hook files, for agents of its own.
  if (context.env["COPILOT_CLI"] === undefined) return [];
  // A subagent's Stop names the session's record beside its own id; what it asks comes under the session's.
  if ("agent_id" in event || "agentId" in event) return [];
  // A notification is written in another style than the rest.
  const session = text(event, "session_id") ?? text(event, "sessionId");
  if (session === undefined) return [];
  const { env, seq, caller } = context;
  const from: Origin = {
    source: SOURCE,
    session,
    ...placeOf(text(event, "cwd"), session),
    seq,
    ...(caller !== undefined && { pid: caller }),
  };
  const file = text(event, "transcript_path") ?? recordFile(copilotHome(env), session);
  switch (text(event, "hook_event_name")) {
    case "UserPromptSubmit":
      return [state({ ...from, state: "working" })];
    case "Notification":
      return await asked(event, from, file);
    case "Stop":
      return [await stopped(event, from, file)];
    case "SessionEnd":
      return ended(event, from, file);
    default:
      return [];
  }
}

function state(body: StateReport): Report {
  return { to: "state", body };
}

const ASKING: Readonly<Record<string, "permission" | "question">> = {
  permission_prompt: "permission",
  elicitation_dialog: "question",
};

/** Every wait that is open: two that are asked at once come with two notifications, and neither tells which it is of. */
async function asked(event: Fields, from: Origin, file: string | undefined): Promise<Report[]> {
  const type = text(event, "notification_type") ?? "";
  const kind = Object.hasOwn(ASKING, type) ? ASKING[type] : undefined;
  if (kind === undefined) return [];
  const { records, whole } = await recordsBefore(file, COURSE, "notification", timeOf(event), from.seq);
  const { waits } = courseOf(records);
  if (whole && waits.size > 0)
    return [...waits.values()].map(({ wait, at }) => state({ ...from, seq: at, state: "waiting", wait }));
  // The record tells that it has been answered by itself, as in a run where nobody can be asked.
  if (whole && kind === "permission") return [];
  const wait = { id: `notification-${timeOf(event)}`, kind, answerable: false };
  return [state({ ...from, state: "waiting", wait })];
}

async function stopped(event: Fields, from: Origin, file: string | undefined): Promise<Report> {
  const time = timeOf(event);
  const { records, whole } = await recordsBefore(file, COURSE_AND_REPLIES, "agentStop", time, from.seq);
  const next = courseOf(records).agents.size > 0 ? "working" : "idle";
  const reply = lastReply(records);
  if (!reply || (!whole && time - reply.time > FRESH_MS))
    return state({ ...from, state: next, ...(next === "idle" && { outcome: "done" }) });
  const turn = text(reply.data, "messageId");
  const said = text(reply.data, "content") ?? "";
  return { to: "agent", body: { ...from, text: said, outcome: "done", state: next, ...(turn && { turn }) } };
}

function ended({ reason }: Fields, from: Origin, file: string | undefined): Report[] {
  // A one-shot run tells of its end before its subagents are done, and once more afterwards.
  if (reason === "complete" && courseOf(parseRecords(tail(file), COURSE)).agents.size > 0) return [];
  return [state({ ...from, state: "gone", ...(reason === "error" && { outcome: "failed" }) })];
}

/** The last words of the turn that ends the records; none, if it ended without. */
function lastReply(records: readonly SessionRecord[]): SessionRecord | undefined {
  for (const record of records.toReversed()) {
    if (record.agent !== undefined) continue;
    if (record.type === "user.message" || record.type === "system.notification") return undefined;
    if (record.type !== "assistant.message") continue;
    if (text(record.data, "content")?.trim()) return record;
    const { toolRequests } = record.data;
    if (!Array.isArray(toolRequests) || toolRequests.length === 0) return undefined;
  }
  return undefined;
}

/**
 * What the session's record holds from before a hook began.
 * @param began milliseconds since 1970 at which this process began
 * @returns `whole`: the record has come that far; else what there was of it when the time was up
 */
async function recordsBefore(
  file: string | undefined,
  wanted: RegExp,
  hook: string,
  time: number,
  began: number,
): Promise<{ records: SessionRecord[]; whole: boolean }> {
  const until = Math.min(Date.now() + LOOK_FOR_MS, began + LOOK_UNTIL_MS);
  for (;;) {
    // In a one-shot run the file itself may not be there yet.
    const records = parseRecords(tail(file), wanted);
    const at = records.findLastIndex((record) => isHook(record, hook, time));
    if (at !== -1) return { records: records.slice(0, at), whole: true };
    if (Date.now() >= until) return { records, whole: false };
    // Not `node:timers/promises`: loading it costs a millisecond.
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function tail(file: string | undefined): string {
  return (file !== undefined && readTail(file, TAIL_BYTES)) || "";
}

/** Milliseconds since 1970; events are dated in either way. One without a date is taken for new. */
function timeOf({ timestamp }: Fields): number {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number(timestamp);
  return Number.isFinite(time) ? time : Date.now();
}
