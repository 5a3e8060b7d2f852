/**
 * What agents say when something failed, when they are sorry and when they ask: one data file per language. `triage.ts` uses them.
 */
import { german } from "./triage-words-de.ts";
import { english } from "./triage-words-en.ts";
import { spanish } from "./triage-words-es.ts";
import { french } from "./triage-words-fr.ts";
import { japanese } from "./triage-words-ja.ts";
import { chinese } from "./triage-words-zh.ts";

/**
 * Every pattern is tried on one sentence, whose code, quotations and names of files have become `x`. The text is a stranger's, so
 * whatever repeats in a pattern has a bound, or ends at a character that cannot begin it again.
 */
export interface Words {
  /** Found in nearly every text of the language, in lower case: without it the other patterns are not tried. */
  spoken: RegExp;
  /** Taken out of a sentence before the search: talk about failures that are none. */
  calm: readonly RegExp[];
  /** Something fails now, or the agent could not do it. */
  failure: readonly RegExp[];
  /** The agent lacks something; if it then asks for it, it is a question and no failure. */
  lack: RegExp;
  /** A failure told as past; none if a later sentence says `mended`. */
  past: RegExp;
  mended: RegExp;
  /** A past failure told with its `cause` is none either if a later sentence says what the agent did (`act`) about it. */
  remedy?: { cause: RegExp; act: RegExp };
  apology: RegExp;
  /** An apology that is none. */
  noApology?: RegExp;
  /** Asks the person without a question mark. */
  asks?: RegExp;
  /** A question with this is put to the person, wherever it stands. */
  addressed: RegExp;
  /** A question that only takes leave. */
  courtesy: RegExp;
}

const ENGLISH: readonly Words[] = [english];
export const WORDS: readonly Words[] = [english, german, chinese, spanish, japanese, french];

/** Characters that tell a text's languages. */
const SAMPLE = 4000;

// Most replies are in English, and tell so in one pass: none of the words or letters that the other languages cannot do without.
const FOREIGN =
  /[\u00a1-\uffff]|\b(?=[a-z])(?:der|die|das|und|ist|nicht|ich|tut|el|la|los|las|una?|que|de|del|al|se|lo|le|les|une|des|du|et|ne|pas|je|est|por|para|con|en|zu|mit|im|von|kein|hecho|listo|fertig|leider|sont|tous|vous)\b/i;

/** The languages that a text may be in. A text is often in two: prose in one, terms in the other. */
export function languagesOf(text: string): readonly Words[] {
  if (!FOREIGN.test(text)) return ENGLISH;
  const sample = (text.length <= SAMPLE ? text : text.slice(0, SAMPLE / 2) + text.slice(-SAMPLE / 2)).toLowerCase();
  return WORDS.filter(({ spoken }) => spoken.test(sample));
}
