/** What Codex's older `notify` tells: the end of every turn, those of subagents and of its own requests for a title too (0.171.0). */
import { placeOf } from "@moth-companion/core/label";
import type { HookContext, Report } from "../types.ts";
import { configDir } from "./detect.ts";
import { SOURCE } from "./payload.ts";
import { findRollout } from "./rollout.ts";

/** Whether it is one of its events and not a hook's. */
export function isNotification(payload: unknown): boolean {
  return typeof payload === "object" && payload !== null && (payload as { type?: unknown }).type === "agent-turn-complete";
}

/** Reads one. The turn of a conversation with the person names the client, and the conversation has a record. */
export function readNotification(payload: unknown, { env, seq }: Pick<HookContext, "env" | "seq">): Report[] {
  const event = payload as Readonly<Record<string, unknown>>;
  const session = text(event["thread-id"]);
  const reply = text(event["last-assistant-message"]);
  if (!session || !reply?.trim() || !text(event["client"]) || !findRollout(configDir(env), session)) return [];
  const turn = text(event["turn-id"]);
  const body = {
    source: SOURCE,
    session,
    ...placeOf(text(event["cwd"]), session),
    seq,
    text: reply,
    outcome: "done",
    state: "idle",
    ...(turn && { turn }),
  } as const;
  return [{ to: "agent", body }];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
