import type { Outcome, TurnClass } from "@moth-companion/core/protocol";
import { isFailure } from "./triage-failure.ts";
import { type Sentence, sentences } from "./triage-prose.ts";
import { findQuestion } from "./triage-question.ts";
import { quoteOf } from "./triage-quote.ts";
import { languagesOf } from "./triage-words.ts";

/** What a turn is to the person. */
export interface Triage {
  class: TurnClass;
  /** The one sentence of the agent it stands on: one line, without Markdown marks, at most 160 characters. May be empty. */
  quote: string;
}

const RANK: Record<TurnClass, number> = { failure: 3, apology: 3, question: 2, long: 1, done: 0 };

/** How interesting a class is; larger is more. */
export function rank(c: TurnClass): number {
  return RANK[c];
}

/** Whether moth may speak up at once, though it has just spoken. */
export function isUrgent(c: TurnClass): boolean {
  return c === "failure" || c === "apology" || c === "long";
}

/**
 * A reply is very long from 2,500 characters on, code and all: about 400 English words. A Chinese, Japanese or Korean character
 * says about as much as three letters, so it counts three.
 */
const LONG = 2500;

/** What is read of a reply: so many sentences of its beginning and as many of its end. */
const SENTENCES = 100;

/** Reads an agent's final reply. Pure; a few milliseconds whatever the text. */
export function triage(text: string, outcome: Outcome): Triage {
  const said = sentences(text, SENTENCES);
  const found = classify(said, text);
  const kind = outcome === "failed" ? "failure" : found.class;
  return { class: kind, quote: quoteOf(said, found.sentence, kind === "failure", text) };
}

/** The same of a reply that is not told, by its length. */
export function triageLength(chars: number, outcome: Outcome): Triage {
  return { class: outcome === "failed" ? "failure" : chars >= LONG ? "long" : "done", quote: "" };
}

function classify(said: readonly Sentence[], text: string): { class: TurnClass; sentence?: Sentence } {
  const languages = languagesOf(text);
  const question = findQuestion(said, languages);
  const failure = said.find((_, index) => isFailure(said, index, question !== undefined, languages));
  if (failure) return { class: "failure", sentence: failure };
  const apology = said.find((sentence) =>
    languages.some(({ apology, noApology }) => apology.test(sentence.plain) && !noApology?.test(sentence.plain)),
  );
  if (apology) return { class: "apology", sentence: apology };
  if (question) return { class: "question", sentence: question };
  return { class: weight(text) >= LONG ? "long" : "done" };
}

function weight(text: string): number {
  return text.length + 2 * (text.match(/[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]/g)?.length ?? 0);
}
