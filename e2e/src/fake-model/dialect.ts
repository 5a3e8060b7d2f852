import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Conversation } from "./conversation.ts";

/** How one model API is spoken on the wire. What is said is decided elsewhere, once for all of them. */
export interface Dialect {
  id: string;
  /** Whether a POST to this path (without query) asks for an answer. */
  accepts(path: string): boolean;
  /** The harness session that asks, where its requests tell. */
  session(headers: IncomingHttpHeaders, body: unknown): string | undefined;
  read(body: unknown): Conversation;
  /** Begins a streamed answer. */
  stream(response: ServerResponse, body: unknown): AnswerStream;
  /** Answers with an error instead. */
  fail(response: ServerResponse, status: number): void;
}

interface AnswerStream {
  text(text: string): void;
  tool(id: string, name: string, input: unknown): void;
  end(): void;
}

/** A JSON object's field, whatever the object is. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}
