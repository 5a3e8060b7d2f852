import { spawn } from "@lydell/node-pty";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";
import { expect, onTestFinished } from "vitest";
import type { Run } from "./picture.ts";
import { BIN } from "./world.ts";

/** A command in a real terminal, as a person sees it. */
export interface Terminal {
  pid: number;
  /** The rows on screen, ends trimmed, empty rows at the end left out. */
  rows(): string[];
  /** Rows that scrolled off the top too. */
  all(): string[];
  cursor(): { row: number; column: number };
  /** The column behind the last character of a row on screen. */
  end(row: number): number;
  /** The rows on screen down to the last that is not empty, as runs of characters that look alike. */
  runs(): Run[][];
  /** The modes a program may have left behind. */
  modes(): { bracketedPaste: boolean; focus: boolean; wrap: boolean; synchronized: boolean };
  /** Everything written, escape sequences and all. */
  output(): string;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  waitFor(check: () => void): Promise<void>;
  ended: Promise<number>;
}

export interface TerminalOptions {
  env: Record<string, string>;
  cwd: string;
  columns?: number;
  rows?: number;
  /** What stands on the screen before, line by line, as a shell has left it. */
  before?: readonly string[];
  /** How wide it draws characters: as terminals do today, or as xterm did long ago, an emoji as one column. */
  widths?: "graphemes" | "old";
}

export function openTerminal(args: readonly string[], options: TerminalOptions): Terminal {
  const { columns: cols = 60, rows: height = 16, before = [], widths = "graphemes" } = options;
  const screen = new xterm.Terminal({ cols, rows: height, scrollback: 500, allowProposedApi: true });
  if (widths === "graphemes") screen.loadAddon(new UnicodeGraphemesAddon());
  screen.write(before.map((line) => `${line}\r\n`).join(""));
  const pty = spawn(process.execPath, [BIN, ...args], {
    name: "xterm-256color",
    cols,
    rows: height,
    cwd: options.cwd,
    // What draws here is VS Code's terminal.
    env: { TERM: "xterm-256color", TERM_PROGRAM: "vscode", ...options.env },
  });
  let output = "";
  let exited = false;
  pty.onData((data) => {
    output += data;
    screen.write(data);
  });
  screen.onData((reply) => {
    if (!exited) pty.write(reply);
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => {
      exited = true;
      // What came last is still on its way to the screen.
      screen.write("", () => resolve(exitCode));
    });
  });
  onTestFinished(async () => {
    if (!exited) pty.kill("SIGKILL");
    await ended;
    screen.dispose();
  });
  const read = (from: number): string[] => {
    const buffer = screen.buffer.active;
    const lines: string[] = [];
    for (let row = from; row < buffer.baseY + screen.rows; row++)
      lines.push(buffer.getLine(row)?.translateToString(true).trimEnd() ?? "");
    while (lines.at(-1) === "") lines.pop();
    return lines;
  };
  return {
    pid: pty.pid,
    rows: () => read(screen.buffer.active.baseY),
    all: () => read(0),
    cursor: () => ({ row: screen.buffer.active.cursorY, column: screen.buffer.active.cursorX }),
    end(row) {
      const line = screen.buffer.active.getLine(screen.buffer.active.baseY + row);
      let column = screen.cols;
      while (column > 0 && (line?.getCell(column - 1)?.getChars() ?? "") === "" && line?.getCell(column - 1)?.getWidth() !== 0)
        column--;
      return column;
    },
    runs() {
      const { baseY } = screen.buffer.active;
      return Array.from({ length: Math.max(read(baseY).length, screen.buffer.active.cursorY + 1) }, (_, row) =>
        runsOf(screen.buffer.active.getLine(baseY + row)),
      );
    },
    modes: () => ({
      bracketedPaste: screen.modes.bracketedPasteMode,
      focus: screen.modes.sendFocusMode,
      wrap: screen.modes.wraparoundMode,
      synchronized: screen.modes.synchronizedOutputMode,
    }),
    output: () => output,
    type: (text) => pty.write(text),
    resize(columns, rows) {
      screen.resize(columns, rows);
      pty.resize(columns, rows);
    },
    async waitFor(check) {
      // The screen itself says most about why a check fails.
      const look = (): string => (passes(check) ? "as expected" : read(0).join("\n"));
      await expect.poll(look, { timeout: 10_000, interval: 20 }).toBe("as expected");
    },
    ended,
  };
}

function runsOf(line: xterm.IBufferLine | undefined): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < (line?.length ?? 0); column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const look = { dim: cell.isDim() !== 0, lamp: !cell.isFgDefault() };
    const text = cell.getChars() || " ";
    const last = runs.at(-1);
    if (last && last.dim === look.dim && last.lamp === look.lamp) {
      last.text += text;
      last.columns += cell.getWidth();
    } else runs.push({ text, column, columns: cell.getWidth(), ...look });
  }
  return runs.map(trimmed).filter(({ text }) => text !== "");
}

/** Blanks at either end are paper. */
function trimmed(run: Run): Run {
  const text = run.text.trim();
  const before = run.text.length - run.text.trimStart().length;
  return { ...run, text, column: run.column + before, columns: run.columns - (run.text.length - text.length) };
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
