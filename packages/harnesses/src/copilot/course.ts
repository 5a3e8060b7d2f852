/** What a session's records come to: whether the agent is at work, what it waits for, and what runs in the background. */
import type { Outcome, Wait, WaitKind } from "@moth-companion/core/protocol";
import { fields, isHook, type SessionRecord, text } from "./records.ts";

export interface Course {
  /** `stopped`: a turn ended as it should, or none has begun. An outcome: it ended in another way. Undefined: nothing tells. */
  phase: "working" | "stopped" | Exclude<Outcome, "done"> | undefined;
  /** Milliseconds since 1970 of the newest record of that phase. */
  at: number;
  /** Open waits by their id, oldest first. */
  waits: Map<string, OpenWait>;
  /** Waits that are over, and when. */
  ended: Map<string, number>;
  /** Tools that run, by the id of their call. */
  tools: Map<string, string>;
  /** Subagents that run in the background. */
  agents: Set<string>;
}

interface OpenWait {
  wait: Wait;
  at: number;
}

/** Ended waits remembered at most. */
const MAX_ENDED = 64;

/** Tools that ask the person. */
const ASKING: Readonly<Record<string, WaitKind>> = { ask_user: "question", exit_plan_mode: "plan" };

export function newCourse(): Course {
  return { phase: undefined, at: 0, waits: new Map(), ended: new Map(), tools: new Map(), agents: new Set() };
}

export function courseOf(records: readonly SessionRecord[]): Course {
  const course = newCourse();
  for (const record of records) follow(course, record);
  return course;
}

/** Takes in the next record. */
export function follow(course: Course, record: SessionRecord): void {
  const { type, data, agent, time } = record;
  const call = text(data, "toolCallId");
  switch (type) {
    case "permission.requested":
      return requested(course, record);
    case "permission.completed":
      return endWait(course, text(data, "requestId"), time);
    case "tool.execution_start":
      return startTool(course, call, text(data, "toolName") ?? "", time);
    case "tool.execution_complete":
      if (call !== undefined) course.tools.delete(call);
      return endWait(course, call, time);
    case "subagent.started":
      if (agent !== undefined && data["executionMode"] === "background") course.agents.add(agent);
      return;
    case "subagent.completed":
      if (agent !== undefined) course.agents.delete(agent);
      return;
  }
  if (agent === undefined) followTurn(course, record);
}

function followTurn(course: Course, record: SessionRecord): void {
  const { type, data, time } = record;
  const enter = (phase: Course["phase"]): void => {
    course.phase = phase;
    course.at = time;
  };
  switch (type) {
    case "user.message":
    case "assistant.turn_start":
    case "system.notification":
      return enter("working");
    case "hook.start":
      if (isHook(record, "userPromptSubmitted")) return enter("working");
      if (isHook(record, "agentStop")) enter("stopped");
      return;
    // After a turn without a word Copilot calls that an error, too.
    case "session.error":
      return course.phase === "working" ? enter(isLimit(data) ? "limit" : "failed") : undefined;
    case "abort":
      return course.phase === "working" ? enter("interrupted") : undefined;
    case "session.start":
    case "session.resume":
    case "session.shutdown":
      enter("stopped");
      for (const id of course.waits.keys()) endWait(course, id, time);
      course.agents.clear();
      course.tools.clear();
  }
}

function requested(course: Course, { data, time }: SessionRecord): void {
  const id = text(data, "requestId");
  if (id === undefined) return;
  const request = fields(data["permissionRequest"]);
  // Of a subagent's tools the record tells later than of what they ask.
  const tool = course.tools.get(text(request, "toolCallId") ?? "") ?? text(request, "shellType");
  course.waits.set(id, { wait: { id, kind: "permission", ...(tool && { tool }), answerable: false }, at: time });
}

function startTool(course: Course, call: string | undefined, tool: string, time: number): void {
  if (call === undefined) return;
  course.tools.set(call, tool);
  const kind = Object.hasOwn(ASKING, tool) ? ASKING[tool] : undefined;
  if (kind) course.waits.set(call, { wait: { id: call, kind, tool, answerable: false }, at: time });
}

function endWait(course: Course, id: string | undefined, time: number): void {
  if (id === undefined || !course.waits.delete(id)) return;
  course.ended.set(id, time);
  const oldest = course.ended.keys().next().value;
  if (course.ended.size > MAX_ENDED && oldest !== undefined) course.ended.delete(oldest);
}

function isLimit(data: SessionRecord["data"]): boolean {
  return data["errorType"] === "rate_limit" || data["statusCode"] === 402 || data["statusCode"] === 429;
}
