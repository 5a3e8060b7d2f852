/** What a terminal makes of lines that are on its screen when its width changes. */
import { stripVTControlCharacters } from "node:util";
import type { Env } from "@moth-companion/core/paths";
import { layOut } from "./editor.ts";
import { width } from "../width.ts";

/**
 * `all`: it breaks every line anew (tmux 3.3, VTE, kitty, iTerm2, WezTerm, Windows Terminal). `not-at-cursor`: but the one the cursor is in
 * (xterm.js 5 and 6, in VS Code). `none`: it cuts them (xterm, urxvt, screen, the Linux console).
 */
export type Reflow = "all" | "not-at-cursor" | "none";

export function reflowOf(env: Env): Reflow {
  if (env["TMUX"]) return "all";
  if (env["TERM_PROGRAM"] === "vscode") return "not-at-cursor";
  return env["XTERM_VERSION"] || /^(?:linux|rxvt|screen)/.test(env["TERM"] ?? "") ? "none" : "all";
}

/** Rows that a printed line, which had a row of its own, takes now. */
export function rowsOf(line: string, columns: number, reflow: Reflow): number {
  if (reflow === "none") return 1;
  const text = stripVTControlCharacters(line);
  return width(text) <= columns ? 1 : layOut("", text, 0, columns).rows.length;
}

/** Rows from the first of a prompt to the cursor in it. @param rows as drawn @param at the cursor's place in them */
export function rowsToCursor(
  rows: readonly string[],
  at: { row: number; column: number },
  columns: number,
  reflow: Reflow,
): number {
  const above = rows.slice(0, at.row).reduce((sum, row) => sum + rowsOf(row, columns, reflow), 0);
  return above + (reflow === "all" ? Math.floor(at.column / columns) : 0);
}
