/** What a PermissionRequest hook prints for an answer, in the shape Claude Code gave it. */
import type { Answer } from "@moth-companion/core/protocol";
import type { Ask } from "../types.ts";
import { type Payload, text } from "./events.ts";

/** The answer to a permission. @param name the harness's, for the person */
export function decide(name: string, { choice, text: words }: Answer): ReturnType<Ask["decide"]> {
  if (choice === "deny") return denied(words ?? "The user denied this.");
  if (choice !== "allow") return { problem: `${name} takes no such answer. Answer it in its window.` };
  if (words !== undefined) return { problem: `${name} takes no words with a permission. Deny it with them.` };
  return printed({ behavior: "allow" });
}

/** The turn goes on with the message. */
export function denied(message: string): { print: string } {
  return printed({ behavior: "deny", message });
}

export function printed(decision: object): { print: string } {
  return { print: `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } })}\n` };
}

/** What is asked, with who asks where that is a subagent. */
export function subagentAsks(event: Payload, asked: string): string {
  if (text(event, "agent_id") === undefined) return asked;
  return `A subagent (${text(event, "agent_type") ?? "unnamed"}) asks:\n${asked}`;
}
