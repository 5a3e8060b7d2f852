/** Answering an agent from the prompt: what is asked is shown whole, a typed answer is named whole, and Enter alone sends it. */
import type { Answer } from "@moth-companion/core/protocol";
import { waitWords } from "../ps/roster.ts";
import type { Style } from "../style.ts";
import { fit, wrap } from "../width.ts";
import { type BodyRow, bodyRows } from "./ask-view.ts";
import type { Ask, OpenAsks } from "./asks.ts";
import { Editor, type Key, layOut, type Wish } from "./editor.ts";
import { hintFor, readReply } from "./reply.ts";

const PROMPT = "answer> ";

/** Nobody says yes to what they have not seen. */
const UNREAD = "read it to its end first: page down";

/** A row as it is laid out, and how it is shown. */
export interface Row {
  text: string;
  paint?: (text: string) => string;
}

/** The prompt as it is laid out, and the cursor's place in it. */
export interface PromptRows {
  rows: Row[];
  row: number;
  column: number;
  /** Rows at its end that are to be seen with the cursor. */
  foot: number;
}

function plain(text: string): Row {
  return { text };
}

export interface AskerParts {
  asks: OpenAsks;
  /** How the person calls a session. */
  nameOf: (ask: Ask) => string;
  /** @returns why it was not taken; undefined: it was */
  send: (ask: Ask, answer: Answer) => Promise<string | undefined>;
  /** Something changed without a key. */
  changed: () => void;
}

export interface Asker {
  readonly isOpen: boolean;
  /** What comes is pasted into an answer. */
  readonly isPasting: boolean;
  /** Opens the newest, or the one before the one that is open; behind the last it closes. @returns whether one is open */
  next(): boolean;
  /** Takes a key while it is open. */
  press(typed: string | undefined, key: Key): Wish;
  /** What is asked may be another by now. @param why what became of it @returns whether it is */
  check(why?: string): boolean;
  /** @param height rows there are */
  layOut(columns: number, height: number, style: Style): PromptRows;
}

/** Which part of what is asked shows, in characters, which hold at every width, and as rows of the last picture. */
interface Place {
  top: number;
  /** What was on the screen, from the beginning on. */
  seen: number;
  /** All of it was, and the line above the answer says what Enter will do. */
  isRead: boolean;
  body: readonly BodyRow[];
  from: number;
  room: number;
}

/** `over`: its keys go nowhere until the person has seen that. */
type State =
  | { is: "asked"; ask: Ask; editor: Editor; problem: string; place: Place }
  | { is: "sending"; ask: Ask }
  | { is: "over"; words: string };

export function createAsker({ asks, nameOf, send, changed }: AskerParts): Asker {
  let state: State | undefined;

  function open(ask: Ask): void {
    state = {
      is: "asked",
      ask,
      editor: new Editor(),
      problem: "",
      place: { top: 0, seen: 0, isRead: false, body: [], from: 0, room: 1 },
    };
  }

  async function answer(ask: Ask, given: Answer): Promise<void> {
    state = { is: "sending", ask };
    const problem = await send(ask, given);
    state = problem === undefined ? undefined : { is: "over", words: `${nameOf(ask)} was not answered: ${problem}` };
    changed();
  }

  function enter(at: State & { is: "asked" }, typed: string, isAlone: boolean): void {
    const reply = readReply(at.ask.wait, typed);
    at.editor.restore(typed);
    if ("problem" in reply) at.problem = reply.problem;
    // What is pasted into a terminal that does not mark it is no key of the person's.
    else if (!isAlone) at.problem = "press enter once more";
    else if (reply.isYes && !at.place.isRead) at.problem = UNREAD;
    else void answer(at.ask, reply.answer);
  }

  return {
    get isOpen() {
      return state !== undefined;
    },
    get isPasting() {
      return state?.is === "asked" && state.editor.isPasting;
    },
    next() {
      if (state?.is === "sending") return true;
      const list = asks.answerable();
      const current = state?.is === "asked" ? state.ask : undefined;
      const at = current ? list.findIndex(({ wait, session }) => wait.id === current.wait.id && session === current.session) : -1;
      const ask = list[at + 1];
      if (ask) open(ask);
      else state = undefined;
      return state !== undefined;
    },
    press(typed, key) {
      if (key.ctrl && ["c", "z", "l"].includes(key.name ?? "")) return new Editor().press(typed, key);
      if (state?.is === "over" && ["return", "enter", "escape"].includes(key.name ?? "")) state = undefined;
      if (state?.is !== "asked") return undefined;
      if (key.name === "escape" && !state.editor.isPasting) {
        state = undefined;
        return undefined;
      }
      state.problem = "";
      if (["up", "down", "pageup", "pagedown"].includes(key.name ?? "") && !key.ctrl && !key.meta) {
        scroll(state.place, key.name ?? "");
        return undefined;
      }
      const wish = state.editor.press(typed, key);
      if (wish?.do !== "send") return wish;
      enter(state, wish.text, key.isAlone ?? false);
      return undefined;
    },
    check(why) {
      if (state?.is !== "asked" || (why === undefined && asks.has(state.ask))) return false;
      state = { is: "over", words: `${nameOf(state.ask)} ${why ?? "asks this no more"}: nothing was sent` };
      return true;
    },
    layOut(columns, height, style) {
      const dim = (text: string): Row => ({ text, paint: style.dim });
      const notes = (words: string): Row[] => wrap(words, columns).map(dim);
      const only = (rows: Row[]): PromptRows => ({ rows, row: rows.length - 1, column: 0, foot: 0 });
      if (!state) return only([]);
      if (state.is === "over") return only([...wrap(state.words, columns).map(plain), ...notes("enter goes back"), plain("")]);
      const { ask } = state;
      const head: Row = { text: fit(`${nameOf(ask)} asks for ${waitWords(ask.wait)}`, columns), paint: style.lamp };
      if (state.is === "sending") return only([head, ...notes("sent; its harness has not said yet that it has it"), plain("")]);
      const { editor } = state;
      const input = layOut(PROMPT, editor.text, editor.cursor, columns);
      const body = bodyRows(ask.wait, columns);
      const room = (words: string): number => Math.max(1, height - 1 - input.rows.length - notes(words).length);
      const end = body.at(-1)?.end ?? 0;
      let says = saying(state, true);
      let place = placeIn(state.place, body, room(says));
      const isRead = place.seen >= end;
      if (!isRead) {
        says = saying(state, false);
        place = placeIn(state.place, body, room(says));
      }
      state.place = { ...place, isRead };
      const shown = body.slice(place.from, place.from + place.room);
      const rows = [head, ...shown.map(({ text }) => plain(text)), ...notes(says)];
      const prompt = input.rows.map((text, index) =>
        index > 0
          ? plain(text)
          : { text, paint: (all: string) => style.dim(all.slice(0, PROMPT.length)) + all.slice(PROMPT.length) },
      );
      const foot = editor.problem === undefined ? [] : notes(editor.problem);
      return { rows: [...rows, ...prompt, ...foot], row: rows.length + input.row, column: input.column, foot: foot.length };
    },
  };
}

/** Which part of what is asked shows where there are so many rows. */
function placeIn(last: Place, body: readonly BodyRow[], room: number): Place {
  const isAtEnd = last.from > 0 && last.from + last.room >= last.body.length;
  const first = isAtEnd ? body.length : body.findIndex(({ end }) => end > last.top);
  const from = Math.max(0, Math.min(first, body.length - room));
  // Only what follows on what was seen counts.
  const follows = (body[from - 1]?.end ?? 0) <= last.seen;
  const seen = follows ? Math.max(last.seen, body.slice(from, from + room).at(-1)?.end ?? 0) : last.seen;
  return { ...last, body, from, room, seen };
}

function scroll(place: Place, key: string): void {
  const { body, from, room } = place;
  const step = (key.startsWith("page") ? Math.max(1, room - 1) : 1) * (key.endsWith("up") ? -1 : 1);
  const to = Math.max(0, Math.min(from + step, body.length - room));
  Object.assign(place, { from: to, top: body[to - 1]?.end ?? 0 });
}

/** What Enter would do now, or what can be typed. @param isRead all of what is asked has been on the screen */
function saying({ ask, editor, problem }: State & { is: "asked" }, isRead: boolean): string {
  if (problem !== "") return problem;
  const typed = editor.text.trim();
  if (typed === "") return `${isRead ? "" : "page down reads on · "}${hintFor(ask.wait)} · esc goes back`;
  const reply = readReply(ask.wait, typed);
  if ("problem" in reply) return reply.problem;
  return reply.isYes && !isRead ? UNREAD : `enter: ${reply.says}`;
}
