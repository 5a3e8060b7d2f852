import type { Remark, Turn } from "./voice/voice.ts";

/** One message of a model's input. */
export interface Message {
  role: "user" | "assistant";
  content: string;
}

/** What moth remembers: its talk with the person, and one agent turn per session. */
export interface Memory {
  /** moth is about to react to this turn. */
  hear(turn: Turn): void;
  /** What it said; undefined: nothing. */
  reacted(turn: Turn, remark: Remark | undefined): void;
  /** The person spoke, and moth answered. */
  chat(text: string, reply: string): void;
  history(): Message[];
  reset(): void;
}

export function createMemory(): Memory {
  return { hear() {}, reacted() {}, chat() {}, history: () => [], reset() {} };
}
