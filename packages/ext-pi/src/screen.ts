import { field } from "@moth-companion/core/fields";

/** A person's window, as far as moth uses it. Nothing here throws, and none of it is part of the conversation. */
export interface Screen {
  /** Whether lines can stand above an editor. A program that shows the harness's dialogs counts as a window, too, and has none. */
  hasEditor: boolean;
  /** Puts lines there, in place of moth's earlier ones; none: takes those away. */
  above(lines: readonly string[]): void;
  /** Shows a line once, where the harness shows its own news. */
  notice(text: string, kind: "info" | "warning"): void;
}

interface Ui {
  setWidget?(key: string, lines: string[] | undefined): void;
  notify?(text: string, kind: string): void;
}

/**
 * Reads an event handler's or a command's context. Shape as in Pi 1.6.0 and omp 18.2.3.
 * @returns undefined where nobody looks: in a run without a window
 */
export function readScreen(context: unknown): Screen | undefined {
  const ui = field(context, "ui") as Ui | undefined;
  if (field(context, "hasUI") !== true || !ui) return undefined;
  return {
    hasEditor: field(context, "mode") === "tui",
    above: (lines) => attempt(() => ui.setWidget?.("moth", lines.length > 0 ? [...lines] : undefined)),
    notice: (text, kind) => attempt(() => ui.notify?.(text, kind)),
  };
}

function attempt(draw: () => void): void {
  try {
    draw();
  } catch {
    // The window may be gone by now.
  }
}
