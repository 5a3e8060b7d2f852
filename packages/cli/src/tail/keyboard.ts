/** What comes from the terminal: keys, whether it has the focus, and where its cursor stands when asked. */
import { emitKeypressEvents } from "node:readline";
import { PassThrough } from "node:stream";
import type { Io } from "../io.ts";
import type { Key } from "./editor.ts";

export interface Keyboard {
  /** Raw mode on, and keys are heard. */
  start(): void;
  stop(): void;
  hasFocus(): boolean;
  /**
   * Asks the terminal for the row its cursor is in, 0 the first, or undefined when it does not say within 500 ms. An older question
   * that is still open gets no answer any more.
   */
  askRow(answer: (row: number | undefined) => void): void;
}

interface Listener {
  key: (typed: string | undefined, key: Key) => void;
  /** The terminal has gone. */
  end: () => void;
}

const ANSWER_MS = 500;
/** Bracketed paste, where what is pasted comes marked, so that its line ends do not send; and focus reports. */
const MODES = ["?2004", "?1004"];

export function createKeyboard({ stdin, stdout }: Pick<Io, "stdin" | "stdout">, listener: Listener): Keyboard {
  const keys = new PassThrough();
  /** What came together. */
  let chunk = "";
  keys.on("data", (data: Buffer) => (chunk = data.toString("latin1")));
  emitKeypressEvents(keys);
  let hasFocus = false;
  let asked: { answer: (row: number | undefined) => void; timer: NodeJS.Timeout } | undefined;

  function settle(row: number | undefined): void {
    const { answer, timer } = asked ?? {};
    asked = undefined;
    clearTimeout(timer);
    answer?.(row);
  }

  function hear(chunk: Buffer): void {
    const text = chunk.toString("latin1");
    // Taken out before keys are read: to those, an answer is half a key and letters. Without a question it is shift-F3.
    // oxlint-disable-next-line no-control-regex -- the escape is what is looked for
    const [found = "", row] = asked ? (/\u001b\[(\d+);\d+R/.exec(text) ?? []) : [];
    keys.write(Buffer.from(found === "" ? text : text.replace(found, ""), "latin1"));
    if (row !== undefined) settle(Number(row) - 1);
  }

  function press(typed: string | undefined, key: Key): void {
    if (key.sequence === "\u001b[I" || key.sequence === "\u001b[O") hasFocus = key.sequence === "\u001b[I";
    else listener.key(typed, { ...key, isAlone: key.sequence === chunk });
  }
  keys.on("keypress", press);

  return {
    start() {
      stdin.setRawMode(true);
      stdin.on("data", hear);
      stdin.on("end", listener.end);
      stdin.resume();
      stdout.write(MODES.map((mode) => `\u001b[${mode}h`).join(""));
    },
    stop() {
      clearTimeout(asked?.timer);
      asked = undefined;
      hasFocus = false;
      stdout.write(
        MODES.toReversed()
          .map((mode) => `\u001b[${mode}l`)
          .join(""),
      );
      stdin.off("data", hear);
      stdin.off("end", listener.end);
      stdin.setRawMode(false);
      stdin.pause();
    },
    hasFocus: () => hasFocus,
    askRow(answer) {
      clearTimeout(asked?.timer);
      asked = { answer, timer: setTimeout(settle, ANSWER_MS, undefined) };
      stdout.write("\u001b[6n");
    },
  };
}
