/** The tail's place on the screen: entries above, and in a terminal the line being typed below them. */
import type { Answer } from "@moth-companion/core/protocol";
import { columnsOf, type Io, styleOf } from "../io.ts";
import { fit, graphemes, width, wrap } from "../width.ts";
import { createAsker, type PromptRows, type Row } from "./asker.ts";
import type { Ask, OpenAsks } from "./asks.ts";
import { Editor, type Key, layOut, type Wish } from "./editor.ts";
import { frame, unbroken } from "./frame.ts";
import { createKeyboard } from "./keyboard.ts";
import { reflowOf, rowsOf, rowsToCursor } from "./reflow.ts";
import { createRenderer, type Entry, type View } from "./render.ts";

export interface Pane {
  show: (entries: readonly Entry[]) => void;
  /** A typed line that could not be sent. */
  giveBack: (text: string) => void;
  /** What agents ask has changed. @param why what became of it, where that is not told by `asks` */
  asked: (why?: string) => void;
  /** Whether the terminal has said that the person has it before them. */
  hasFocus: () => boolean;
  /** Leaves the screen as a finished program does. */
  close: () => void;
}

export interface Typist {
  send: (text: string) => void;
  leave: () => void;
  asks: OpenAsks;
  /** The person wants to answer, and there is nothing that can be answered. */
  cannotAnswer: () => void;
  /** Who asks is just being found out. */
  looking: () => Promise<void> | undefined;
  nameOf: (ask: Ask) => string;
  /** @returns why it was not taken; undefined: it was */
  answer: (ask: Ask, answer: Answer) => Promise<string | undefined>;
}

const PROMPT = "you> ";
/** The rows below this one, of which there is one at least. */
const CLEAR_BELOW = "\r\n\u001b[J\u001b[A";
/** Entries that are drawn anew when the terminal changes its size. */
const KEPT = 500;
/** Drawing during each step of a drag would flicker. */
const SETTLE_MS = 60;

/** Lines one after the other, for a pipe, a log, a terminal nobody types into. */
export function createPlainPane(io: Io, view: () => View): Pane {
  const renderer = createRenderer();
  return {
    show(entries) {
      const lines = entries.flatMap((entry) => renderer.lines(entry, view()));
      if (lines.length > 0) io.stdout.write(`${lines.join("\n")}\n`);
    },
    giveBack() {},
    asked() {},
    hasFocus: () => false,
    close() {},
  };
}

/** With a prompt. What arrives is printed above it, and what is half typed stays, with its cursor, also over several rows. */
export function createPromptPane(io: Io, view: () => View, typist: Typist): Pane {
  const { stdout } = io;
  const reflow = reflowOf(io.env);
  const editor = new Editor();
  const { asks, nameOf, answer } = typist;
  const asker = createAsker({ asks, nameOf, send: answer, changed: () => redraw() });
  /** The newest entries, each with its lines as they were printed. */
  const kept: { entry: Entry; lines: string[] }[] = [];
  let renderer = createRenderer();
  /** The prompt's rows as drawn last, and the cursor's place in them. */
  let shown: { rows: string[]; row: number; column: number } = { rows: [], row: 0, column: 0 };
  let drawing = false;
  /** What stands where nothing is typed. */
  let hint = "";
  /** The prompt waits for the first news, good or bad: then it stands where it will stay. */
  let opened = false;
  /** Between a resize and the picture for it, nothing is drawn. */
  let isUnsettled = false;
  let resizes = 0;
  let settling: NodeJS.Timeout | undefined;
  let pending: Entry[] = [];

  const columns = (): number => columnsOf(io) ?? 80;
  const hintNow = (): string =>
    asks
      .answerable()
      .slice(0, 1)
      .map((ask) => `tab answers ${nameOf(ask)}`)
      .join("");
  const layChat = (): PromptRows => {
    const { dim } = styleOf(io);
    hint = hintNow();
    if (editor.text === "" && hint !== "") {
      const text = PROMPT + fit(hint, columns() - PROMPT.length - 1);
      return { rows: [{ text, paint: dim }], row: 0, column: PROMPT.length, foot: 0 };
    }
    const { rows, ...place } = layOut(PROMPT, editor.text, editor.cursor, columns());
    const first = (text: string): string => dim(text.slice(0, PROMPT.length)) + text.slice(PROMPT.length);
    const notes = editor.problem ? wrap(editor.problem, columns()).map((text) => ({ text, paint: dim })) : [];
    const typed = rows.map((text, index) => (index === 0 ? { text, paint: first } : { text }));
    return { rows: [...typed, ...notes], ...place, foot: notes.length };
  };
  /** Lays the prompt out anew. @returns its rows, and what brings the cursor from the last of them to its place */
  const layPrompt = (): { rows: string[]; place: string } => {
    const height = Math.max(1, (stdout.rows || 24) - 1);
    const layout = asker.isOpen ? asker.layOut(columns(), height, styleOf(io)) : layChat();
    // A text longer than the screen shows the rows around the cursor.
    const room = Math.min(layout.rows.length, height);
    const foot = Math.min(layout.foot, room - 1);
    const first = Math.min(Math.max(0, layout.row + foot - room + 1), layout.rows.length - room);
    const rows = layout.rows.slice(first, first + room);
    const row = layout.row - first;
    shown = { rows: rows.map(({ text }) => text), row, column: layout.column };
    // Not by a number of columns: what stands before the cursor is written again, and the terminal knows best how wide that is.
    const at = rows[row] ?? { text: "" };
    const before = paint({ ...at, text: startOf(at.text, layout.column) });
    return { rows: rows.map(paint), place: up(rows.length - 1 - row) + before };
  };
  /**
   * Draws these lines and the prompt below them, over what stands there now. Row by row: to clear from the screen's first place is, to
   * tmux, to put away all that stands there.
   * @param from rows from the cursor up
   */
  const draw = (lines: readonly string[] = [], from: number = shown.row): string => {
    const hadMore = shown.rows.length > 1;
    const { rows, place } = layPrompt();
    const last = lines.length + rows.length - 1;
    // Before the text: behind one that fills its row, its last character would go.
    const clear = (index: number): string => (index > 0 && index === last ? "\u001b[J" : "\u001b[K");
    const below = last === 0 && hadMore ? CLEAR_BELOW : "";
    const prompt = rows.map((row, index) => clear(lines.length + index) + row).join("\r\n");
    return up(from) + lines.map((line) => `\u001b[K${line}\r\n`).join("") + unbroken(prompt + below + place);
  };
  const write = (content: string): void => void stdout.write(frame(content));
  const redraw = (): void => {
    if (!isUnsettled) write(draw());
  };
  const redrawSoon = (): void => {
    // A paste is many keys: it is drawn once.
    if (!drawing) queueMicrotask(() => ((drawing = false), redraw()));
    drawing = true;
  };
  /**
   * The entries on screen and the prompt, for the width there is now. What stood above before moth came, and what has scrolled away
   * wholly or in part, stays as it is.
   * @param cursor the row of the screen it stands in, where the terminal tells
   */
  const repaint = (cursor: number = (stdout.rows || 24) - 1): void => {
    isUnsettled = false;
    let from = Math.min(cursor, rowsToCursor(shown.rows, shown, columns(), reflow));
    let first = kept.length;
    for (; first > 0; first--) {
      const rows = kept[first - 1]!.lines.reduce((sum, line) => sum + rowsOf(line, columns(), reflow), 0);
      if (from + rows > cursor) break;
      from += rows;
    }
    kept.push(...pending.map((entry) => ({ entry, lines: [] })));
    pending = [];
    renderer = createRenderer();
    const fresh = kept.map(({ entry }) => renderer.lines(entry, view()));
    for (let index = first; index < kept.length; index++) kept[index]!.lines = fresh[index] ?? [];
    write(draw(fresh.slice(first).flat(), from));
  };
  /** A terminal breaks lines its own way: where the cursor has come to stand tells most of it. */
  const resettle = (afterMs: number): void => {
    isUnsettled = true;
    clearTimeout(settling);
    const mine = ++resizes;
    // An answer from before the next resize is worth nothing.
    settling = setTimeout(() => keyboard.askRow((row) => mine === resizes && repaint(row)), afterMs);
  };
  const resized = (): void => resettle(SETTLE_MS);

  const heed = (wish: Wish): void => {
    if (wish?.do === "leave") return typist.leave();
    if (wish?.do === "suspend") return suspend();
    if (wish?.do === "redraw") return resettle(0);
    redrawSoon();
    if (wish?.do === "send") typist.send(wish.text);
  };
  const answerNext = (): void => {
    if (!asker.isOpen && asks.answerable().length === 0) typist.cannotAnswer();
    else asker.next();
  };
  const press = (typed: string | undefined, key: Key): Wish => {
    const isTab = key.name === "tab" && !key.shift && !key.ctrl && !key.meta;
    if (isTab && key.isAlone && !editor.isPasting && !asker.isPasting) {
      const looking = typist.looking();
      if (looking) void looking.then(answerNext).then(redrawSoon);
      else answerNext();
      return undefined;
    }
    return asker.isOpen ? asker.press(typed, key) : editor.press(typed, key);
  };
  const keyboard = createKeyboard(io, { key: (typed, key) => heed(press(typed, key)), end: typist.leave });
  const enterScreen = (): void => {
    keyboard.start();
    write(draw());
  };
  const leaveScreen = (): void => {
    clearTimeout(settling);
    isUnsettled = false;
    const below = shown.rows.length > 1 ? CLEAR_BELOW : "";
    stdout.write(`${up(shown.row)}\u001b[K${below}\u001b[0m`);
    shown = { rows: [], row: 0, column: 0 };
    keyboard.stop();
  };
  const suspend = (): void => {
    if (process.platform === "win32") return;
    leaveScreen();
    // Below what stands there, others will write.
    kept.length = 0;
    process.once("SIGCONT", enterScreen);
    process.kill(process.pid, "SIGTSTP");
  };

  const open = (): void => {
    opened = true;
    stdout.on("resize", resized);
    enterScreen();
  };

  return {
    show(entries) {
      if (!opened) open();
      if (isUnsettled) {
        pending.push(...entries);
        return;
      }
      const fresh = entries.map((entry) => ({ entry, lines: renderer.lines(entry, view()) }));
      kept.push(...fresh);
      kept.splice(0, Math.max(0, kept.length - KEPT));
      const lines = fresh.flatMap((one) => one.lines);
      if (lines.length > 0) write(draw(lines));
    },
    giveBack(text) {
      editor.restore(text);
      redraw();
    },
    asked(why) {
      const isHintOld = !asker.isOpen && editor.text === "" && hint !== hintNow();
      if ((asker.check(why) || isHintOld) && opened) redrawSoon();
    },
    hasFocus: () => keyboard.hasFocus(),
    close() {
      if (!opened) return;
      stdout.off("resize", resized);
      process.off("SIGCONT", enterScreen);
      leaveScreen();
    },
  };
}

function paint({ text, paint: look }: Row): string {
  return look?.(text) ?? text;
}

/** To the first column, so many rows up. */
function up(rows: number): string {
  return `\r${rows > 0 ? `\u001b[${rows}A` : ""}`;
}

/** The beginning of a text, so many columns wide. */
function startOf(text: string, columns: number): string {
  let start = "";
  let used = 0;
  for (const char of graphemes(text)) {
    if (used >= columns) break;
    start += char;
    used += width(char);
  }
  return start;
}
