/** What things are called, and in which order they stand. Pure. */
import type { AnswerEvent, CardEvent, Session, State, StateEvent, Wait } from "@moth-companion/core/protocol";
import { cutText, oneLine } from "@moth-companion/core/text";

/** Harness ids and their short names, put in by the build. */
declare const SHORT_NAMES: Readonly<Record<string, string>>;

/** A session that is gone stays in sight this long, while it is one of the newest so many: a script may leave hundreds. */
const GONE_SHOWN_MS = 30 * 60_000;
const GONE_SHOWN = 5;
const ORDER: readonly State[] = ["waiting", "working", "idle", "gone"];
/** Of a reply that shows on one line. */
const LINE = 160;

export function shortName(source: string): string {
  return Object.hasOwn(SHORT_NAMES, source) ? SHORT_NAMES[source]! : source;
}

/**
 * Those that need the person first, the one that waits longest on top; among the others the latest on top.
 * @returns `folded`: those that are gone and need not be in sight
 */
export function sortSessions(sessions: readonly Session[], now: number): { shown: Session[]; folded: Session[] } {
  const sorted = [...sessions].sort((a, b) => {
    if (a.state !== b.state) return ORDER.indexOf(a.state) - ORDER.indexOf(b.state);
    return a.state === "waiting" ? a.since - b.since : b.since - a.since;
  });
  const isInSight = ({ state, heard }: Session): boolean => state !== "gone" || now - heard < GONE_SHOWN_MS;
  const present = sorted.filter(({ state }) => state !== "gone").length;
  const shown = sorted.filter(isInSight).slice(0, present + GONE_SHOWN);
  return { shown, folded: sorted.filter((session) => !shown.includes(session)) };
}

export function countWaiting(sessions: readonly Session[]): number {
  return sessions.filter(({ state }) => state === "waiting").length;
}

/** "2 agents active · 1 waits for you · 1 skipped". */
export function summary(sessions: readonly Session[], skipped: number): string {
  const active = sessions.filter((session) => session.active).length;
  const waiting = countWaiting(sessions);
  return [
    `${active} ${active === 1 ? "agent" : "agents"} active`,
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? "waits" : "wait"} for you`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(" · ");
}

export function sessionName({ label, session, source }: Pick<Session, "label" | "session" | "source">): string {
  return label || session.slice(0, 8) || shortName(source);
}

export function stateWords(session: Session): string {
  if (session.state === "waiting") return `waits for ${waitWords(session.wait)}`;
  if (session.state === "working" || !session.outcome || session.outcome === "done") return session.state;
  return `${session.state} (${session.outcome === "limit" ? "hit its limit" : session.outcome})`;
}

/** What a wait is for, after "waits for". */
export function waitWords(wait: Wait): string {
  if (wait.kind === "question") return "an answer";
  if (wait.kind === "plan") return "a yes to its plan";
  return `a permission${wait.tool ? ` (${wait.tool})` : ""}`;
}

/** "claude · moth-repo". */
export function speaker({ source, label }: { source: string; label: string }): string {
  return label ? `${shortName(source)} · ${label}` : shortName(source);
}

const ASKED = { permission: "asked for a permission", question: "asked", plan: "asked for a yes to its plan" };

/** What stands between a session's name and the answer it was given. */
export function answerWords({ about }: Pick<AnswerEvent, "about">): string {
  return `${ASKED[about] ?? "asked"}, and was told:`;
}

export function verb({ outcome }: Pick<CardEvent, "outcome">): string {
  return { done: "said", failed: "failed", interrupted: "was interrupted", limit: "hit its limit" }[outcome] ?? "said";
}

/** A reply's beginning on one line, without the marks of Markdown that only matter when it is laid out. */
export function firstLine(text: string): string {
  const head = text.slice(0, 2000);
  const prose = head.replace(/^\s*```[^]*?(?:^\s*```|$(?![^]))/gm, "").replace(/^\s*(?:#{1,6}|>|[-*+])\s+/gm, "");
  return cutText(oneLine(prose.replace(/\*\*|__|`/g, "")) || oneLine(head), LINE);
}

/** What a state change tells someone who listens; undefined: nothing worth a word. */
export function stateNews(event: StateEvent): string | undefined {
  return event.state === "waiting" && event.wait ? `${speaker(event)} waits for ${waitWords(event.wait)}` : undefined;
}

/** A length of time in its largest unit: `14s`, `2m`, `3h`, `5d`. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
