/** Where a session's turn stands, by its record. */
import type { Outcome } from "@moth-companion/core/protocol";
import { commandId } from "./payload.ts";
import { field, type RolloutLine } from "./rollout.ts";

export interface Turn {
  /** Undefined: its record says nothing of a turn. */
  running: boolean | undefined;
  /** Milliseconds since 1970 at which it began, or ended. */
  at: number;
  /** How it ended. */
  outcome?: Outcome;
  /** Calls without a result, by their id: the names by which a wait may know them. */
  open: Map<string, string>;
  /** Names of calls that have one, and when it came. */
  answered: Map<string, number>;
}

export function newTurn(): Turn {
  return { running: undefined, at: 0, open: new Map(), answered: new Map() };
}

/** `codex_error_info` values (0.171.0) that say: not now, or not so much. */
const LIMITS = new Set(["usage_limit_exceeded", "rate_limit_exceeded", "session_budget_exceeded", "context_window_exceeded"]);

/** Takes one line in. */
export function advance(turn: Turn, { at, type, payload }: RolloutLine): void {
  switch (type) {
    case "task_started":
      Object.assign(turn, newTurn(), { running: true, at, outcome: undefined });
      return;
    case "turn_aborted":
      Object.assign(turn, { running: false, at, outcome: "interrupted" });
      return;
    case "task_complete": {
      const error = payload["error"];
      const isLimit = LIMITS.has(String(field(error, "codex_error_info")));
      const outcome: Outcome = typeof error !== "object" || error === null ? "done" : isLimit ? "limit" : "failed";
      Object.assign(turn, { running: false, at, outcome });
      return;
    }
  }
  const call = payload["call_id"];
  if (typeof call !== "string") return;
  if (!type.endsWith("_output")) {
    turn.open.set(call, nameOf(payload));
    return;
  }
  for (const name of [call, turn.open.get(call)]) if (name !== undefined) turn.answered.set(name, at);
  turn.open.delete(call);
}

/** When the call that a wait stands for was over; undefined: it is not. */
export function answeredAt(turn: Turn, call: string, since: number): number | undefined {
  const at = turn.answered.get(call);
  if (at !== undefined) return at > since ? at : undefined;
  // A call that the wait's name does not tell: when no call is open any more, it is over, too.
  const last = Math.max(0, ...turn.answered.values());
  return turn.open.size === 0 && last > since ? last : undefined;
}

/** The name that a request for a permission gives a command. */
function nameOf(payload: RolloutLine["payload"]): string {
  try {
    const input: unknown = JSON.parse(String(payload["arguments"]));
    return commandId(field(input, "cmd"), field(input, "justification"));
  } catch {
    return "";
  }
}
