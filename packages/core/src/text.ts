/**
 * Text from a stranger made fit to show: agents and folder names may carry anything, and a terminal obeys what it is shown.
 */
import { hasOddBlanks, hidesNothing, withoutHidden } from "./hidden.ts";
import { MAX_ID_LENGTH, MAX_LABEL_LENGTH, type WaitKind } from "./protocol.ts";

/* oxlint-disable no-control-regex -- control characters are what this file is about */

// A string (OSC, DCS, SOS, PM, APC) up to its terminator, a CSI sequence, or a two-character escape. ECMA-48, 8-bit forms too.
// A string stops at the next introducer, so that many that never end cost one pass and not a square.
const ESCAPES =
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;
// Controls, and the marks that embed, override or isolate a reading direction: one left open turns round what a terminal shows after it.
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
const ALL_CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g;
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

// Whatever any of the above could change: nearly every text has none of it.
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/;

// Words of visible ASCII with single spaces between them: nearly every name. Making the patterns for the others ready costs a hook
// more than looking.
const PLAIN = /^[!-~]+(?: [!-~]+){0,9}$/;

/** Without escape sequences and control characters; line ends become `\n`, tabs stay. */
export function cleanText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(/\r\n?/g, "\n").replace(ESCAPES, "").replace(CONTROLS, "").replace(LONE_SURROGATES, "\ufffd");
}

/**
 * Whether a text is seen as it is: nothing in it is taken out before it is shown, shows as nothing, or as something else. What a person
 * is to approve must not be more than what they see.
 * @param kind what is asked: a permission names what will run, where a space that is none makes one word of two. The others are prose,
 * and some languages write it with such spaces
 */
export function showsWhole(text: string, kind: WaitKind = "permission"): boolean {
  if (cleanText(text) !== text.replace(/\r\n?/g, "\n") || !hidesNothing(text)) return false;
  return kind !== "permission" || !hasOddBlanks(text);
}

/** The same on one line: every run of white space becomes one space. */
export function oneLine(text: string): string {
  return cleanText(text).replace(ALL_CONTROLS, " ").replace(/\s+/g, " ").trim();
}

/** A name on one line of at most 40 characters, with nothing in it that hides or turns direction. May be empty. */
export function cleanLabel(label: string): string {
  if (PLAIN.test(label)) return cutText(label, MAX_LABEL_LENGTH);
  return cutText(
    withoutHidden(oneLine(label.slice(0, 4096)))
      .replace(/\s+/g, " ")
      .trim(),
    MAX_LABEL_LENGTH,
  );
}

/** Characters of a folder's path, at most. A longer one is worth nothing: cut, it would name another. */
const MAX_FOLDER_LENGTH = 1024;

/** An absolute path as it stands, of any system; empty when it is none, is too long, or has in it what a terminal would obey. */
export function cleanFolder(path: string): string {
  if (path.length > MAX_FOLDER_LENGTH || !/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) return "";
  return oneLine(path) === path.replace(/\s+/g, " ").trim() && path.search(ALL_CONTROLS) === -1 ? path : "";
}

/** An id of letters, digits and `. _ : / @ + = -`, at most 128 of them. Others become `_`, so that two ids stay two. May be empty. */
export function cleanId(id: string): string {
  return id.slice(0, MAX_ID_LENGTH).replace(/[^A-Za-z0-9._:/@+=-]/g, "_");
}

/** Whether anything of a text shows. */
export function showsAny(text: string): boolean {
  return withoutHidden(cleanText(text)).trim() !== "";
}

/** What moth's server shows of a wait's options, and characters of each, at most: a choice that is cut could be misread. */
const MAX_OPTIONS = 20;
const MAX_OPTION = 160;

/** A wait's options as they are shown, each in its place; undefined: one would not be seen whole, or they cannot be told apart. */
export function clearOptions(labels: readonly string[]): string[] | undefined {
  const options = labels.map(oneLine);
  const isWhole = options.every((one, at) => one !== "" && one.length <= MAX_OPTION && showsWhole(labels[at] ?? "", "question"));
  return isWhole && options.length <= MAX_OPTIONS && new Set(options).size === options.length ? options : undefined;
}

/** What stands for a reply where it is shown: its words, or how many there were when they were not told. */
export function replyText({ text, chars }: { text: string; chars?: number }): string {
  return chars === undefined || text !== ""
    ? text
    : `(${chars.toLocaleString("en-US")} ${chars === 1 ? "character" : "characters"}, not told)`;
}

/**
 * At most `max` UTF-16 units, never half a character: where it is cut, a whole grapheme goes and `…` stands.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 1) return "";
  // The edge can only fall inside the last few graphemes; segmenting a long text whole would be slow.
  const from = Math.max(0, max - 64);
  let end = from;
  for (const { index, segment } of graphemes().segment(text.slice(from, max + 64))) {
    if (from + index + segment.length > max - 1) break;
    end = from + index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

let segmenter: Intl.Segmenter | undefined;
function graphemes(): Intl.Segmenter {
  return (segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" }));
}
