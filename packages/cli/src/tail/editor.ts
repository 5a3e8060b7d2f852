/** The line being typed: its text, where the cursor stands, and what a key does to them. */
import { oneLine } from "@moth-companion/core/text";
import { graphemes, width } from "../width.ts";

/** A key as `node:readline` names it. */
export interface Key {
  name?: string | undefined;
  ctrl?: boolean | undefined;
  meta?: boolean | undefined;
  shift?: boolean | undefined;
  /** As it came. */
  sequence?: string | undefined;
  /** Nothing came together with it: it is a key, and no part of a text that is pasted into a terminal that does not mark it. */
  isAlone?: boolean;
}

/** What a key asks for beyond editing. */
export type Wish = { do: "send"; text: string } | { do: "leave" } | { do: "suspend" } | { do: "redraw" } | undefined;

const MAX_LENGTH = 16_000;
/** Of a text whose end found no place; nobody is to be told half of it. */
const TOO_LONG = "only 16,000 characters fit in here: its end is missing, and enter does not send it. ctrl-u clears it";
const MAX_HISTORY = 100;

export class Editor {
  /** UTF-16 index, always between two characters as the person sees them. */
  cursor = 0;
  text = "";
  readonly #history: string[] = [];
  /** Which line of the history is shown; its length: none, the person's own. */
  #place = 0;
  #own = "";
  #pasting = false;
  /** Something that was typed or pasted behind the text has found no place. */
  #isFull = false;

  /** What comes is pasted, and no key. */
  get isPasting(): boolean {
    return this.#pasting;
  }

  /** Why it is not sent as it stands. */
  get problem(): string | undefined {
    return this.#isFull ? TOO_LONG : undefined;
  }

  /** Takes one key. */
  press(typed: string | undefined, key: Key): Wish {
    if (key.name === "paste-start" || key.name === "paste-end") {
      this.#pasting = key.name === "paste-start";
      return undefined;
    }
    // Lines that are pasted are one message: nothing is sent before the person says so.
    if (this.#pasting) return this.#insert(key.name === "return" || key.name === "enter" ? " " : typed);
    if (key.ctrl) return this.#control(key.name ?? "");
    if (key.meta) return this.#word(key.name ?? "");
    switch (key.name) {
      case "return":
      case "enter":
        return this.#send();
      case "backspace":
        return this.#cut(this.#before(), this.cursor);
      case "delete":
        return this.#cut(this.cursor, this.#after());
      case "left":
        return this.#go(this.#before());
      case "right":
        return this.#go(this.#after());
      case "home":
        return this.#go(0);
      case "end":
        return this.#go(this.text.length);
      case "up":
        return this.#recall(-1);
      case "down":
        return this.#recall(1);
      default:
        return this.#insert(typed);
    }
  }

  /** Gives a line back that could not be sent, unless the person began another. */
  restore(text: string): void {
    if (this.text !== "") return;
    this.text = text;
    this.cursor = text.length;
  }

  #control(name: string): Wish {
    switch (name) {
      case "c":
        return { do: "leave" };
      case "d":
        return this.text === "" ? { do: "leave" } : this.#cut(this.cursor, this.#after());
      case "z":
        return { do: "suspend" };
      case "l":
        return { do: "redraw" };
      case "a":
        return this.#go(0);
      case "e":
        return this.#go(this.text.length);
      case "b":
        return this.#go(this.#before());
      case "f":
        return this.#go(this.#after());
      case "h":
        return this.#cut(this.#before(), this.cursor);
      case "k":
        return this.#cut(this.cursor, this.text.length);
      case "u":
        return this.#cut(0, this.cursor);
      case "w":
        return this.#cut(this.#wordBefore(), this.cursor);
      case "left":
        return this.#go(this.#wordBefore());
      case "right":
        return this.#go(this.#wordAfter());
      case "p":
        return this.#recall(-1);
      case "n":
        return this.#recall(1);
      default:
        return undefined;
    }
  }

  #word(name: string): Wish {
    if (name === "b" || name === "left") return this.#go(this.#wordBefore());
    if (name === "f" || name === "right") return this.#go(this.#wordAfter());
    if (name === "backspace") return this.#cut(this.#wordBefore(), this.cursor);
    if (name === "d") return this.#cut(this.cursor, this.#wordAfter());
    return undefined;
  }

  #insert(typed: string | undefined): undefined {
    // oneLine() trims, and a space that is being typed must stay.
    const text = (typed ?? "").replace(/\s/g, " ");
    if (text.trim() !== "" && oneLine(text) !== text.trim().replace(/ +/g, " ")) return;
    if (text === "") return;
    this.#isFull ||= this.text.length + text.length > MAX_LENGTH;
    if (this.#isFull) return;
    this.text = this.text.slice(0, this.cursor) + text + this.text.slice(this.cursor);
    this.cursor += text.length;
  }

  #send(): Wish {
    if (this.#isFull) return undefined;
    const text = this.text.trim();
    this.text = "";
    this.cursor = 0;
    if (text === "") return undefined;
    if (this.#history.at(-1) !== text) this.#history.push(text);
    if (this.#history.length > MAX_HISTORY) this.#history.shift();
    this.#place = this.#history.length;
    return { do: "send", text };
  }

  #recall(step: -1 | 1): undefined {
    const place = this.#place + step;
    if (place < 0 || place > this.#history.length) return;
    if (this.#place === this.#history.length) this.#own = this.text;
    this.#place = place;
    this.#isFull = false;
    this.text = this.#history[place] ?? this.#own;
    this.cursor = this.text.length;
  }

  #go(cursor: number): undefined {
    this.cursor = cursor;
  }

  #cut(from: number, to: number): undefined {
    this.#isFull &&= from === to;
    this.text = this.text.slice(0, from) + this.text.slice(to);
    this.cursor = from;
  }

  #before(): number {
    return this.cursor - (graphemes(this.text.slice(0, this.cursor)).at(-1)?.length ?? 0);
  }

  #after(): number {
    return this.cursor + (graphemes(this.text.slice(this.cursor))[0]?.length ?? 0);
  }

  #wordBefore(): number {
    return this.text.slice(0, this.cursor).replace(/\S+\s*$|\s+$/, "").length;
  }

  #wordAfter(): number {
    const rest = this.text.slice(this.cursor);
    return this.cursor + (rest.match(/^\s*\S+|^\s+/)?.[0].length ?? 0);
  }
}

/** Where a prompt and the text behind it come to stand: rows no wider than the terminal, and the cursor's place. */
export interface Layout {
  rows: string[];
  row: number;
  column: number;
}

/** @param prompt shown before the text; may carry no colour */
export function layOut(prompt: string, text: string, cursor: number, columns: number): Layout {
  const rows = [""];
  let used = 0;
  let place: { row: number; column: number } | undefined;
  let index = -prompt.length;
  for (const char of graphemes(prompt + text)) {
    const size = width(char);
    if (used + size > columns) {
      rows.push("");
      used = 0;
    }
    if (index >= cursor) place ??= { row: rows.length - 1, column: used };
    rows[rows.length - 1] += char;
    used += size;
    index += char.length;
  }
  if (place) return { rows, ...place };
  // Behind the last column there is no place for a cursor.
  if (used >= columns) {
    rows.push("");
    used = 0;
  }
  return { rows, row: rows.length - 1, column: used };
}
