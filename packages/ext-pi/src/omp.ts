import type { Answering } from "./answering.ts";
import { readApproval, readQuestions } from "./asks.ts";
import { type Place, readSaid } from "./door.ts";
import { field, list, text } from "@moth-companion/core/fields";
import { type Host, listen, listenForPrompts } from "./host.ts";
import type { Listener } from "./listener.ts";

/** Where the agent writes a plan that is ready for the person. */
const PROPOSE = "xd://propose";

/** Hears omp (18.2.3). The end of a turn is an `agent_end` that does not say that it goes on. */
export function hearOmp(host: Host, listener: Listener, answering: Answering): void {
  const plans = new Set<string>();
  /** What the tools that run were called with. */
  const inputs = new Map<string, unknown>();

  for (const moved of ["session_switch", "session_branch", "session_tree"]) {
    listen(host, moved, (_event, place) => listener.moved(place));
  }
  listen(host, "agent_start", (_event, place) => listener.began(place));
  listenForPrompts(host, (place) => listener.prompted(place));
  listen(host, "turn_end", (event, place) => {
    const said = readSaid(field(event, "message"));
    if (said) listener.said(place, said);
  });
  listen(host, "agent_end", (event, place, context) => {
    plans.clear();
    inputs.clear();
    answering.settled();
    if (field(event, "willContinue") !== true) return listener.settled(place);
    // It goes on by itself, or when work in the background is done. A helper's work is the turn's; a shell may run for days.
    const jobs = runningJobs(context);
    if (jobs.length > 0) listener.rests(place, jobs.includes("task") ? "working" : "idle");
  });

  listenToCalls(host, "tool_approval_requested", (id, event, place) => {
    const tool = text(event, "toolName");
    answering.asked(place, { id, kind: "permission", ...(tool !== undefined && { tool }) }, readApproval(tool, inputs.get(id)));
  });
  listenToCalls(host, "tool_approval_resolved", (id, _event, place) => answering.answered(place, id));
  listenToCalls(host, "tool_execution_start", (id, event, place) => {
    const tool = text(event, "toolName");
    const args = field(event, "args");
    inputs.set(id, args);
    if (tool === "ask") answering.asked(place, { id, kind: "question", tool }, readQuestions(list(field(args, "questions"))[0]));
    if (tool === "write" && text(args, "path") === PROPOSE) plans.add(id);
  });
  listenToCalls(host, "tool_execution_end", (id, event, place) => {
    inputs.delete(id);
    if (text(event, "toolName") === "ask") answering.answered(place, id);
    // Only now the person sees it: the turn is stopped and a page with the plan opens.
    if (plans.delete(id) && field(event, "isError") !== true) listener.asked(place, { id, kind: "plan", tool: "propose" });
  });
}

function listenToCalls(host: Host, event: string, hear: (id: string, event: unknown, place: Place) => void): void {
  listen(host, event, (payload, place) => {
    const id = text(payload, "toolCallId");
    if (id !== undefined) hear(id, payload, place);
  });
}

/** Whether the turn goes on by itself behind an `agent_end`, and not only once work in the background is done. */
export function goesOn(event: unknown, context: unknown): boolean {
  return field(event, "willContinue") === true && runningJobs(context).length === 0;
}

/** The kinds (`task`, `bash`) of what runs in the background for this agent. */
function runningJobs(context: unknown): (string | undefined)[] {
  const { getAsyncJobSnapshot } = context as { getAsyncJobSnapshot?: () => unknown };
  return list(field(getAsyncJobSnapshot?.(), "running")).map((job) => text(job, "type"));
}

/** Whether the agent is one that another agent started. Only those can, and must, hand in their work (`yield`). */
export function isOmpHelper(host: Host): boolean {
  return list(host.getActiveTools?.()).includes("yield");
}
