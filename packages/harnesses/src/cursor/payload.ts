/**
 * What Cursor's hook events become. Not run: payloads as its documentation and other people's recordings have them (2026.02.13 to
 * 2026.09.10); `docs/harness/cursor.md` tells which is from where.
 *
 * The reply and the end of its turn come to two processes, so the first leaves a note for the second.
 */
import { contentOn } from "@moth-companion/core/config";
import { sessionLabel } from "@moth-companion/core/label";
import type { Outcome, ReportOrigin, StateReport } from "@moth-companion/core/protocol";
import { forgetNote, readNote, writeNote } from "../kept-note.ts";
import type { HookContext, Report } from "../types.ts";
import { lastReply } from "./transcript.ts";

export const SOURCE: "cursor" = "cursor" as const;

/** The events moth hooks. One name that a version does not know voids the whole file, so only those that were seen in many. */
export const EVENTS = ["sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "stop", "sessionEnd"] as const;

type Payload = Readonly<Record<string, unknown>>;
type Origin = ReportOrigin & { session: string; seq: number };

/** Reads one event. Everything in it is a stranger's: a field of a wrong type counts as missing. */
export async function readPayload(payload: unknown, { env, seq }: HookContext): Promise<Report[]> {
  if (typeof payload !== "object" || payload === null) return [];
  const event = payload as Payload;
  const session = text(event, "conversation_id") ?? text(event, "session_id");
  // Agents that work for another one, or in the background, are nobody's session.
  const helper = event["is_background_agent"] === true || "subagent_id" in event || "parent_conversation_id" in event;
  if (session === undefined || helper) return [];
  const [folder]: unknown[] = Array.isArray(event["workspace_roots"]) ? event["workspace_roots"] : [];
  const cwd = typeof folder === "string" ? folder : undefined;
  // No process id: the hook's parent may be a shell that ends with it.
  const from: Origin = { source: SOURCE, session, label: sessionLabel(cwd, session), seq };
  switch (text(event, "hook_event_name")) {
    case "sessionStart":
      writeNote(env, from, { prompted: false });
      return [state({ ...from, state: "idle" })];
    case "beforeSubmitPrompt":
      writeNote(env, from, { prompted: true });
      return [state({ ...from, state: "working" })];
    case "afterAgentResponse": {
      const reply = text(event, "text");
      // The last one of a turn counts.
      if (reply?.trim()) writeNote(env, from, { prompted: true, ...kept(reply, env), turn: text(event, "generation_id") });
      return [];
    }
    case "stop":
      return [await stopped(event, from, env)];
    case "sessionEnd": {
      const reply = await unheard(event, from, readNote(env, from), cwd, env);
      forgetNote(env, from);
      return [...reply, state({ ...from, seq: seq + 1, state: "gone" })];
    }
    default:
      return [];
  }
}

const OUTCOMES: Readonly<Record<string, Outcome>> = { completed: "done", aborted: "interrupted", error: "failed" };

async function stopped(event: Payload, from: Origin, env: HookContext["env"]): Promise<Report> {
  const status = text(event, "status") ?? "";
  const outcome = Object.hasOwn(OUTCOMES, status) ? OUTCOMES[status] : undefined;
  const note = outcome === "done" ? await noteOfReply(env, from) : undefined;
  writeNote(env, from, { prompted: true });
  const reply = note && replyIn(note);
  if (reply === undefined) return state({ ...from, state: "idle", ...(outcome && { outcome }) });
  return spoken(from, reply, (note && text(note, "turn")) ?? text(event, "generation_id"));
}

/** A reply as reports carry it. */
interface Reply {
  text: string;
  chars?: number;
}

/** What of a reply may lie on the disk until its turn's end. */
function kept(reply: string, env: HookContext["env"]): Payload {
  return contentOn(env) ? { reply } : { chars: reply.length };
}

function replyIn(note: Payload): Reply | undefined {
  const reply = text(note, "reply");
  if (reply !== undefined) return { text: reply };
  return typeof note["chars"] === "number" ? { text: "", chars: note["chars"] } : undefined;
}

/** Whether the hook of a reply has ended when that of the turn's end begins is not known: in all 300 ms. */
const LOOKS_MS = [0, 100, 200];

async function noteOfReply(env: HookContext["env"], from: Origin): Promise<Payload | undefined> {
  for (const delay of LOOKS_MS) {
    // Not `node:timers/promises`: loading it costs a millisecond.
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    const note = readNote(env, from);
    if (note && replyIn(note)) return note;
  }
  return undefined;
}

/**
 * The reply of a run that prints its answer and ends: there neither the prompt nor the reply nor the turn's end is told (2026.02.13 to
 * 2026.09.10), so its transcript has to. Only where the start of the session was told and no prompt was: else it may be an older one.
 */
async function unheard(
  event: Payload,
  from: Origin,
  note: Payload | undefined,
  cwd: string | undefined,
  env: HookContext["env"],
): Promise<Report[]> {
  const how = text(event, "final_status") ?? text(event, "reason");
  if (!note || (how !== undefined && how !== "completed")) return [];
  const heard = replyIn(note);
  if (heard !== undefined) return [spoken(from, heard, text(note, "turn"))];
  if (note["prompted"] !== false) return [];
  const reply = await lastReply(env, from.session, cwd, text(event, "transcript_path"));
  return reply === undefined ? [] : [spoken(from, { text: reply }, text(event, "generation_id"))];
}

function spoken(from: Origin, reply: Reply, turn: string | undefined): Report {
  return { to: "agent", body: { ...from, ...reply, outcome: "done", state: "idle", ...(turn && { turn }) } };
}

function state(body: StateReport): Report {
  return { to: "state", body };
}

function text(from: Payload, key: string): string | undefined {
  const value = from[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
