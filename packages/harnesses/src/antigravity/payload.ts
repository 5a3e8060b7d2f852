/**
 * What Antigravity's hook events become. Not run: payloads as its documentation and other people's recordings have them (1.0.14 to
 * 1.2.7); `docs/harness/antigravity.md` tells which is from where.
 *
 * No event carries a reply, and the transcript is written after the `Stop` hook, which the agent waits for. So the hook ends at once,
 * and a process of its own looks for the reply.
 */
import { sessionLabel } from "@moth-companion/core/label";
import type { Outcome, ReportOrigin, StateReport } from "@moth-companion/core/protocol";
import { readNote, writeNote } from "../kept-note.ts";
import type { HookContext, Report } from "../types.ts";
import { lastStep, replyAfter } from "./transcript.ts";

export const SOURCE: "antigravity" = "antigravity" as const;

/** The events moth hooks: the two that were seen in every version. A hook on a tool would deny it by failing. */
export const EVENTS = ["PreInvocation", "Stop"] as const;

type Payload = Readonly<Record<string, unknown>>;
type Origin = ReportOrigin & { session: string; seq: number };

/** Reads one event. Everything in it is a stranger's: a field of a wrong type counts as missing. */
export async function readPayload(payload: unknown, context: HookContext): Promise<Report[]> {
  if (typeof payload !== "object" || payload === null) return [];
  const event = payload as Payload;
  const session = text(event, "conversationId");
  if (session === undefined) return [];
  const [folder]: unknown[] = Array.isArray(event["workspacePaths"]) ? event["workspacePaths"] : [];
  const label = sessionLabel(typeof folder === "string" ? folder : undefined, session);
  // No process id: the hook's parent may be a shell that ends with it.
  const from: Origin = { source: SOURCE, session, label, seq: context.seq };
  const transcript = text(event, "transcriptPath");
  // Events do not say their name.
  if (typeof event["invocationNum"] === "number") return [begun(event["invocationNum"], from, transcript, context)];
  if (!STOP_FIELDS.some((name) => name in event)) return [];
  if (!context.later) return await found(event, from, transcript);
  return stopped(event, from, context);
}

/** A turn asks the model as often as it needs to; the first time is a new prompt. */
function begun(invocation: number, from: Origin, transcript: string | undefined, { env }: HookContext): Report {
  // What stands in the transcript now is older than the reply.
  if (invocation === 0) writeNote(env, from, { step: transcript === undefined ? -1 : lastStep(transcript) });
  return state({ ...from, state: "working" });
}

const STOP_FIELDS = ["fullyIdle", "terminationReason", "executionNum"];

function stopped(event: Payload, from: Origin, { env, later }: HookContext): Report[] {
  // Something in the background goes on, and this end is not the last.
  if (event["fullyIdle"] === false) return [];
  const outcome = outcomeOf(event);
  const step = readNote(env, from)?.["step"];
  // Without knowing what is older, nothing is a reply.
  if (outcome === "done" && typeof step === "number") later?.({ ...event, mothLater: { step, seq: from.seq } });
  return [state({ ...from, state: "idle", outcome })];
}

/** Looks for the reply of a turn that has ended. */
async function found(event: Payload, from: Origin, transcript: string | undefined): Promise<Report[]> {
  const { step, seq } = (event["mothLater"] ?? {}) as { step?: unknown; seq?: unknown };
  if (typeof step !== "number" || typeof seq !== "number" || transcript === undefined) return [];
  const reply = await replyAfter(transcript, step);
  if (!reply) return [];
  // In the order of its turn's end: the next turn may have begun.
  const turn = `${from.session}-${reply.step}`;
  return [{ to: "agent", body: { ...from, seq, text: reply.text, outcome: "done", state: "idle", turn } }];
}

/** `NO_TOOL_CALL`, or no word at all: it ended by itself. The other values are known by their sense only. */
function outcomeOf(event: Payload): Outcome {
  const reason = text(event, "terminationReason") ?? "";
  if (text(event, "error") !== undefined || /error/i.test(reason)) return "failed";
  if (reason === "" || reason === "NO_TOOL_CALL") return "done";
  if (/cancel|interrupt|abort/i.test(reason)) return "interrupted";
  return /max|limit|quota/i.test(reason) ? "limit" : "failed";
}

function state(body: StateReport): Report {
  return { to: "state", body };
}

function text(from: Payload, key: string): string | undefined {
  const value = from[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
