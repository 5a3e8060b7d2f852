import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { endTree } from "./processes.ts";
import { PATIENCE, until } from "./wait.ts";

const COLUMNS = 130;
const ROWS = 40;

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
}

export interface Terminal {
  pid: number;
  /** What stands on the screen now: one line per row, ends trimmed, empty rows at the end left out. */
  screen(): string;
  /** Everything ever written, escape sequences and all. */
  output(): string;
  /** Sends text as if typed. */
  type(text: string): void;
  /** Sends a key. */
  press(key: Key): void;
  /** Waits until the screen holds this text, wherever its lines break. */
  waitForText(text: string | RegExp, within?: number): Promise<void>;
  waitForScreen(what: string, match: (screen: string) => boolean, within?: number): Promise<void>;
  /** Waits until the program has ended by itself. */
  ended(within?: number): Promise<void>;
  /** Ends the program as a crash would: it has no chance to say goodbye. */
  kill(): void;
  close(): Promise<void>;
}

const KEYS = {
  enter: "\r",
  escape: "\x1b",
  up: "\x1b[A",
  down: "\x1b[B",
  tab: "\t",
  "ctrl+c": "\x03",
  "ctrl+d": "\x04",
  "ctrl+u": "\x15",
} as const;
export type Key = keyof typeof KEYS;

/** Runs a program in a terminal of its own, as a person would: a real pseudo-terminal, and a screen that understands it. */
export function openTerminal(program: string, args: readonly string[], options: TerminalOptions): Terminal {
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, scrollback: 2000, allowProposedApi: true });
  const pty = spawn(program, [...args], {
    name: "xterm-256color",
    cols: COLUMNS,
    rows: ROWS,
    cwd: options.cwd,
    env: options.env,
  });
  let output = "";
  let exited = false;
  pty.onData((data) => {
    output += data;
    screen.write(data);
  });
  // A program asks its terminal questions (where is the cursor, which colours) and may wait for the answers.
  screen.onData((reply) => {
    if (!exited) pty.write(reply);
  });
  pty.onExit(() => (exited = true));

  const text = (): string => {
    const buffer = screen.buffer.active;
    const rows = Array.from({ length: ROWS }, (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "");
    return rows.join("\n").trimEnd();
  };
  const facts = (): string => `${exited ? "The program has ended. Its last screen:" : "The screen:"}\n${framed(text())}`;
  const waitForScreen = async (what: string, match: (screen: string) => boolean, within = PATIENCE): Promise<void> => {
    await until(`the terminal to show ${what}`, () => match(text()), { within, facts });
  };
  const ended = async (within = PATIENCE): Promise<void> => {
    await until("the program to end", () => exited, { within, facts });
  };

  return {
    pid: pty.pid,
    screen: text,
    output: () => output,
    type: (typed) => pty.write(typed),
    press: (key) => pty.write(KEYS[key]),
    waitForScreen,
    waitForText: (wanted, within) =>
      waitForScreen(
        String(wanted),
        (now) => (typeof wanted === "string" ? squash(now).includes(squash(wanted)) : wanted.test(now)),
        within,
      ),
    ended,
    kill: () => endTree(pty.pid),
    async close() {
      if (!exited) pty.kill();
      await ended(3000).catch(() => endTree(pty.pid));
      await ended(10_000).finally(() => screen.dispose());
    },
  };
}

/** Text without its white space: where a terminal breaks a line says nothing. */
export function squash(text: string): string {
  return text.replace(/\s+/g, "");
}

function framed(screen: string): string {
  const line = "-".repeat(COLUMNS);
  return `${line}\n${screen}\n${line}`;
}
