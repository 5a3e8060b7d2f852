import { cutText, replyText } from "@moth-companion/core/text";
import type { Remark, Turn } from "./voice/voice.ts";

/** One message of a model's input. */
interface Message {
  role: "user" | "assistant";
  content: string;
}

/** What moth remembers for a voice with a model: its talk with the person, and one agent turn per session. */
export interface Memory {
  /** moth is about to react to this turn: it is the last message of the history until `reacted`. */
  hear(turn: Turn): void;
  /** What moth said to it. Undefined: nothing, and the turn is forgotten. A turn that is no longer the session's newest is ignored. */
  reacted(turn: Turn, remark: Remark | undefined): void;
  /** The person spoke, and moth answered. */
  chat(text: string, reply: string): void;
  /** Oldest first; the person and agents are `user`, moth is `assistant`, and they take turns. No session is named by moth. */
  history(): Message[];
  /** The same without a turn that moth is about to react to: it ends with moth, so that the person may speak. */
  talk(): Message[];
  reset(): void;
}

/** What a model was trained to see above an agent's message. */
export const AGENT_MARK = "[the agent said]";
/** Words of an agent's message that stay once moth has reacted to it. */
const KEPT_WORDS = 25;
/** Sessions, and exchanges with the person, that are remembered; the oldest go. */
const MAX_SESSIONS = 16;
const MAX_CHATS = 32;
/** Characters of one message, and of all that is past: many models have room for little more. */
const MAX_MESSAGE = 8000;
const MAX_PAST = 16_000;

interface Exchange {
  /** Which session's turn it is, so that it can be replaced; never part of a message. Undefined: the person. */
  session: string | undefined;
  said: string;
  reply: string | undefined;
}

export function createMemory(): Memory {
  let exchanges: Exchange[] = [];

  function add(exchange: Exchange): void {
    exchanges.push(exchange);
    const chats = exchanges.filter(({ session }) => session === undefined);
    const turns = exchanges.filter(({ session }) => session !== undefined);
    const kept = new Set([...chats.slice(-MAX_CHATS), ...turns.slice(-MAX_SESSIONS)]);
    exchanges = exchanges.filter((one) => kept.has(one));
  }

  function answered(): Message[] {
    let room = MAX_PAST;
    const past: Message[][] = [];
    for (const exchange of exchanges.toReversed()) {
      if (exchange.reply === undefined) continue;
      room -= exchange.said.length + exchange.reply.length;
      if (room < 0) break;
      past.unshift([asked(exchange), { role: "assistant", content: exchange.reply }]);
    }
    return past.flat();
  }

  return {
    hear(turn) {
      const session = keyOf(turn);
      exchanges = exchanges.filter((exchange) => exchange.session !== session);
      add({ session, said: cutText(replyText(turn), MAX_MESSAGE), reply: undefined });
    },
    reacted(turn, remark) {
      const said = cutText(replyText(turn), MAX_MESSAGE);
      const exchange = exchanges.find((one) => one.session === keyOf(turn) && one.reply === undefined && one.said === said);
      if (!exchange) return;
      if (!remark) exchanges = exchanges.filter((one) => one !== exchange);
      else {
        exchange.said = firstWords(replyText(turn), KEPT_WORDS);
        exchange.reply = withoutName(remark.text, turn.label);
      }
    },
    chat(text, reply) {
      add({ session: undefined, said: cutText(text, MAX_MESSAGE), reply: cutText(reply, MAX_MESSAGE) });
    },
    talk: answered,
    history() {
      const pending = exchanges.findLast((exchange) => exchange.reply === undefined);
      return pending ? [...answered(), asked(pending)] : answered();
    },
    reset() {
      exchanges = [];
    },
  };
}

function keyOf(turn: Turn): string {
  return JSON.stringify([turn.source, turn.session]);
}

function asked({ session, said }: Exchange): Message {
  return { role: "user", content: session === undefined ? said : `${AGENT_MARK}\n${said}` };
}

/** moth's line as a model may see it again: the session's name would teach it to tell sessions apart by name. */
function withoutName(text: string, label: string): string {
  if (label === "") return text;
  const name = label.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, "gu"), "that one");
}

let segmenter: Intl.Segmenter | undefined;

/** The first `count` words, in scripts with and without spaces; `…` stands for the rest. */
function firstWords(text: string, count: number): string {
  const start = text.trim().slice(0, count * 40);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  let words = 0;
  for (const { index, isWordLike } of segmenter.segment(start)) {
    if (isWordLike && (words += 1) > count) return `${start.slice(0, index).trimEnd()}…`;
  }
  return start.length < text.trim().length ? `${start}…` : start;
}
