/**
 * Where on the screen a session runs: the id of a pane of a terminal or a multiplexer, and what is needed to reach that one. Written
 * as `<kind>:<id>[@<where>]`, from the variables that terminals set for what runs in them.
 */
import type { Env } from "./paths.ts";

/** Characters of a pane as text, at most. A longer one is worth nothing: cut, it would name another. */
export const MAX_PANE_LENGTH = 200;

export type Pane =
  /** `id` as `%3`; `where`: the server's socket. */
  | { kind: "tmux"; id: string; where: string }
  /** `where`: the session's name. */
  | { kind: "zellij"; id: string; where: string }
  /** `where`: the socket of the window's process. */
  | { kind: "wezterm"; id: string; where?: string }
  /** `where`: the address its remote control listens at. */
  | { kind: "kitty"; id: string; where?: string }
  /** iTerm2's unique id of a session. */
  | { kind: "iterm"; id: string };

/** The pane that a process with these variables runs in, as text; undefined: none that is known, or over SSH. */
export function paneOf(env: Env): string | undefined {
  const text = innermost(env);
  return text !== undefined && text.length <= MAX_PANE_LENGTH && parsePane(text) ? text : undefined;
}

/** A multiplexer hands the variables of the terminal it was started in on to its panes: it comes first. */
function innermost(env: Env): string | undefined {
  const tmux = env["TMUX"];
  // socket,pid,session
  if (tmux && env["TMUX_PANE"]) return `tmux:${env["TMUX_PANE"]}@${tmux.replace(/,\d+,\d+$/, "")}`;
  if (env["ZELLIJ_PANE_ID"] && env["ZELLIJ_SESSION_NAME"]) return `zellij:${env["ZELLIJ_PANE_ID"]}@${env["ZELLIJ_SESSION_NAME"]}`;
  // Over SSH a terminal's own variables name a window of another machine.
  if (env["SSH_CONNECTION"]) return undefined;
  if (env["WEZTERM_PANE"]) return withWhere(`wezterm:${env["WEZTERM_PANE"]}`, env["WEZTERM_UNIX_SOCKET"]);
  if (env["KITTY_WINDOW_ID"]) return withWhere(`kitty:${env["KITTY_WINDOW_ID"]}`, env["KITTY_LISTEN_ON"]);
  // w0t0p0:UUID
  if (env["ITERM_SESSION_ID"]) return `iterm:${env["ITERM_SESSION_ID"].replace(/^.*:/, "")}`;
  return undefined;
}

function withWhere(pane: string, where: string | undefined): string {
  return where && parsePane(`${pane}@${where}`) ? `${pane}@${where}` : pane;
}

const PATH = /^\/[^\n\0]+$/;
const FORMS: Record<Pane["kind"], { id: RegExp; where?: RegExp; needsWhere?: boolean }> = {
  tmux: { id: /^%\d{1,9}$/, where: PATH, needsWhere: true },
  // A name that begins with `-` would be an option.
  zellij: { id: /^\d{1,9}$/, where: /^[^-\s/][^\s/]*$/, needsWhere: true },
  wezterm: { id: /^\d{1,9}$/, where: PATH },
  kitty: { id: /^\d{1,9}$/, where: /^(?:unix:[@/][^\s]+|tcp:(?:localhost|127\.0\.0\.1):\d+)$/ },
  iterm: { id: /^[0-9A-Fa-f-]{8,64}$/ },
};

/** A pane from its text; undefined when it is none that is known. What comes back is safe as an argument of the terminal's program. */
export function parsePane(text: string): Pane | undefined {
  const [, kind = "", id = "", where] = /^([a-z]+):([^@]+)(?:@(.+))?$/s.exec(text) ?? [];
  const form = Object.hasOwn(FORMS, kind) ? FORMS[kind as Pane["kind"]] : undefined;
  if (!form?.id.test(id)) return undefined;
  if (where === undefined ? form.needsWhere : !form.where?.test(where)) return undefined;
  return { kind, id, ...(where === undefined ? {} : { where }) } as Pane;
}
