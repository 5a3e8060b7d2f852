/** The tail's place on the screen: entries above, and in a terminal the line being typed below them. */
import { emitKeypressEvents } from "node:readline";
import { columnsOf, type Io, styleOf } from "../io.ts";
import { Editor, type Key, layOut, type Wish } from "./editor.ts";
import { createRenderer, type Entry, type View } from "./render.ts";

export interface Pane {
  show: (entries: readonly Entry[]) => void;
  /** A typed line that could not be sent. */
  giveBack: (text: string) => void;
  /** Leaves the screen as a finished program does. */
  close: () => void;
}

export interface Typist {
  send: (text: string) => void;
  leave: () => void;
}

const PROMPT = "you> ";
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
    close() {},
  };
}

/** With a prompt. What arrives is printed above it, and what is half typed stays, with its cursor, also over several rows. */
export function createPromptPane(io: Io, view: () => View, typist: Typist): Pane {
  const { stdin, stdout } = io;
  const editor = new Editor();
  const kept: Entry[] = [];
  let renderer = createRenderer();
  /** Rows from the prompt's first to the cursor, as drawn last. */
  let below = 0;
  let drawing = false;
  /** The prompt waits for the first news, good or bad: then it stands where it will stay. */
  let opened = false;
  let settling: NodeJS.Timeout | undefined;

  const columns = (): number => columnsOf(io) ?? 80;
  const erase = (): string => `\r${below > 0 ? `\u001b[${below}A` : ""}\u001b[J`;
  const draw = (): string => {
    const layout = layOut(PROMPT, editor.text, editor.cursor, columns());
    // A text longer than the screen shows the rows around the cursor.
    const room = Math.max(1, Math.min(layout.rows.length, (stdout.rows || 24) - 1));
    const first = Math.min(Math.max(0, layout.row - room + 1), layout.rows.length - room);
    const rows = layout.rows.slice(first, first + room);
    below = layout.row - first;
    const { dim } = styleOf(io);
    const painted = rows.map((row, index) =>
      index + first === 0 ? dim(row.slice(0, PROMPT.length)) + row.slice(PROMPT.length) : row,
    );
    const up = rows.length - 1 - below;
    return `${painted.join("\r\n")}${up > 0 ? `\u001b[${up}A` : ""}\r${layout.column > 0 ? `\u001b[${layout.column}C` : ""}`;
  };
  const linesOf = (entries: readonly Entry[]): string[] => entries.flatMap((entry) => renderer.lines(entry, view()));
  // One write each: a terminal draws it in one go.
  const redraw = (): void => void stdout.write(erase() + draw());
  const redrawSoon = (): void => {
    // A paste is many keys: it is drawn once.
    if (!drawing) queueMicrotask(() => ((drawing = false), redraw()));
    drawing = true;
  };
  /** Everything anew, from the top: rows that a terminal has broken or joined by itself cannot be found again. */
  const repaint = (): void => {
    renderer = createRenderer();
    const lines = linesOf(kept).slice(-Math.max(1, (stdout.rows || 24) - 1));
    stdout.write(`\u001b[H\u001b[J${lines.map((line) => `${line}\r\n`).join("")}${draw()}`);
  };
  const resized = (): void => {
    clearTimeout(settling);
    settling = setTimeout(repaint, SETTLE_MS);
  };

  const heed = (wish: Wish): void => {
    if (wish?.do === "leave") return typist.leave();
    if (wish?.do === "suspend") return suspend();
    if (wish?.do === "redraw") return repaint();
    redrawSoon();
    if (wish?.do === "send") typist.send(wish.text);
  };
  const pressed = (typed: string | undefined, key: Key): void => heed(editor.press(typed, key));
  const enterScreen = (): void => {
    stdin.setRawMode(true);
    stdin.resume();
    // Bracketed paste: what is pasted comes marked, so that its line ends do not send.
    stdout.write(`\u001b[?2004h${draw()}`);
  };
  const leaveScreen = (): void => {
    stdout.write(`${erase()}\u001b[?2004l`);
    below = 0;
    stdin.setRawMode(false);
    stdin.pause();
  };
  const suspend = (): void => {
    if (process.platform === "win32") return;
    leaveScreen();
    process.once("SIGCONT", enterScreen);
    process.kill(process.pid, "SIGTSTP");
  };

  const open = (): void => {
    opened = true;
    emitKeypressEvents(stdin);
    stdin.on("keypress", pressed);
    stdout.on("resize", resized);
    // The terminal has gone.
    stdin.on("end", typist.leave);
    enterScreen();
  };

  return {
    show(entries) {
      kept.push(...entries);
      kept.splice(0, Math.max(0, kept.length - KEPT));
      const lines = linesOf(entries);
      if (!opened) open();
      if (lines.length > 0) stdout.write(`${erase()}${lines.join("\r\n")}\r\n${draw()}`);
    },
    giveBack(text) {
      editor.restore(text);
      redraw();
    },
    close() {
      if (!opened) return;
      clearTimeout(settling);
      stdin.off("keypress", pressed);
      stdin.off("end", typist.leave);
      stdout.off("resize", resized);
      process.off("SIGCONT", enterScreen);
      leaveScreen();
    },
  };
}
