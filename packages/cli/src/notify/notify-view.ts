/** How notifications are doing, as people read it. */
import type { NotifyAnswer, Session } from "@moth-companion/core/protocol";
import { shortDuration } from "../duration.ts";
import type { Settings } from "../settings.ts";

/** @param answer what the running moth says; undefined when none runs */
export function renderNotify(
  { values }: Settings,
  answer: NotifyAnswer | undefined,
  view: { now: number; sessions: readonly Session[]; self: string },
): string[] {
  if (!values.notify) return [`moth notifies you of nothing. Turn it on: ${view.self} notify on`];
  const lines = [
    `moth notifies you of sessions that wait, fail, hit a limit, or finish after ${values["notify.finished_after"]} seconds of work.`,
  ];
  if (values["notify.quiet"]) lines.push(`quiet hours: ${values["notify.quiet"]}`);
  if (!answer) return [...lines, `moth is not running, so it notifies you of nothing. Start it: ${view.self} up`];
  lines.push(
    answer.by.length > 0
      ? `by: ${answer.by.map((name) => backendWords(name, view.self)).join(", ")}`
      : "by nothing that works here",
  );
  for (const { source, session, until } of answer.muted) {
    const known = view.sessions.find((one) => one.source === source && one.session === session);
    const name = source === undefined ? "everything" : (known?.label ?? `${source} ${session}`);
    lines.push(`muted: ${name}${until === null ? "" : `, for ${shortDuration(until - view.now)} more`}`);
  }
  if (answer.silent) lines.push("it is silent now; a digest comes when that ends");
  return [...lines, ...answer.problems.map((problem) => `problem: ${problem}`)];
}

function backendWords(name: string, self: string): string {
  return name === "terminal" ? `terminal (where ${self} tail runs)` : name;
}
