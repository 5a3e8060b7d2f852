/** Takes the person to a pane, by its terminal's own command line. Arguments only, never a shell. */
import { type Pane, parsePane } from "@moth-companion/core/pane";
import type { Env } from "@moth-companion/core/paths";
import { runProgram } from "../run-program.ts";
import { jumpInTmux } from "./tmux.ts";

export type Jump =
  /** `note`: what is left to the person. */
  | { jumped: true; note?: string }
  /** Both sentences; `next`: what to do instead. */
  | { jumped: false; why: string; next?: string };

/** @param pane as the roster has it; undefined: the session told none. Never rejects */
export async function jumpTo(pane: string | undefined, env: Env): Promise<Jump> {
  if (pane === undefined) {
    const next = "moth can lead to sessions in tmux, Zellij, WezTerm, kitty and iTerm2";
    return { jumped: false, why: "it did not say in which terminal pane it runs", next };
  }
  const parsed = parsePane(pane);
  if (!parsed) return { jumped: false, why: `moth cannot lead to the pane "${pane}"` };
  try {
    if (parsed.kind === "tmux") {
      const note = await jumpInTmux(parsed, env);
      return note === undefined ? { jumped: true } : { jumped: true, note };
    }
    const { argv, more } = command(parsed);
    const printed = await runProgram(argv, { ...env, ...more });
    if (parsed.kind === "iterm" && printed.trim() !== "found") return { jumped: false, why: "iTerm2 knows that session no more" };
    return { jumped: true };
  } catch (error) {
    const next = ADVICE[parsed.kind];
    return { jumped: false, why: error instanceof Error ? error.message : String(error), ...(next ? { next } : {}) };
  }
}

const ADVICE: Partial<Record<Pane["kind"], string>> = {
  kitty: "kitty must allow it: allow_remote_control yes, and listen_on, in kitty.conf",
  zellij: "This needs Zellij 0.44 or newer",
};

/** From the programs' documentation (WezTerm 20230326, kitty 0.49, Zellij 0.44, iTerm2 3); never seen running by us. */
function command(pane: Exclude<Pane, { kind: "tmux" }>): { argv: string[]; more?: Env } {
  if (pane.kind === "iterm") return { argv: ["osascript", ...ITERM.flatMap((line) => ["-e", line]), "--", pane.id] };
  const { id, where } = pane;
  if (pane.kind === "zellij") return { argv: ["zellij", "--session", pane.where, "action", "focus-pane-id", `terminal_${id}`] };
  if (pane.kind === "wezterm") {
    const argv = ["wezterm", "cli", "activate-pane", "--pane-id", id];
    return where === undefined ? { argv } : { argv, more: { WEZTERM_UNIX_SOCKET: where } };
  }
  const to = where === undefined ? [] : ["--to", where];
  return { argv: ["kitten", "@", ...to, "focus-window", "--match", `id:${id}`] };
}

const ITERM = [
  "on run argv",
  'tell application "iTerm2"',
  "repeat with aWindow in windows",
  "repeat with aTab in tabs of aWindow",
  "repeat with aSession in sessions of aTab",
  "if unique ID of aSession is (item 1 of argv) then",
  "select aWindow",
  "select aTab",
  "select aSession",
  "activate",
  'return "found"',
  "end if",
  "end repeat",
  "end repeat",
  "end repeat",
  "end tell",
  "end run",
];
