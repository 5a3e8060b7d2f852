import { expect, test } from "vitest";
import { MAX_PANE_LENGTH, paneOf, parsePane } from "./pane.ts";

test.each([
  ["tmux", { TMUX: "/tmp/tmux-1000/default,4242,0", TMUX_PANE: "%3" }, "tmux:%3@/tmp/tmux-1000/default"],
  ["tmux with a comma in its socket", { TMUX: "/tmp/a,1,2/s,4242,0", TMUX_PANE: "%0" }, "tmux:%0@/tmp/a,1,2/s"],
  ["tmux in kitty", { KITTY_WINDOW_ID: "1", TMUX: "/t/s,1,0", TMUX_PANE: "%3" }, "tmux:%3@/t/s"],
  ["tmux over SSH", { SSH_CONNECTION: "a 1 b 2", TMUX: "/t/s,1,0", TMUX_PANE: "%3" }, "tmux:%3@/t/s"],
  ["Zellij", { ZELLIJ: "0", ZELLIJ_PANE_ID: "4", ZELLIJ_SESSION_NAME: "wise-moth" }, "zellij:4@wise-moth"],
  ["WezTerm", { WEZTERM_PANE: "7", WEZTERM_UNIX_SOCKET: "/run/user/1/gui-sock-9" }, "wezterm:7@/run/user/1/gui-sock-9"],
  ["kitty", { KITTY_WINDOW_ID: "2" }, "kitty:2"],
  ["kitty with remote control", { KITTY_WINDOW_ID: "2", KITTY_LISTEN_ON: "unix:/tmp/kitty-1" }, "kitty:2@unix:/tmp/kitty-1"],
  ["kitty by an odd address", { KITTY_WINDOW_ID: "2", KITTY_LISTEN_ON: "tcp:evil.example:80" }, "kitty:2"],
  ["iTerm2", { ITERM_SESSION_ID: "w0t1p0:0F1E2D3C-AAAA-BBBB-CCCC-0123456789AB" }, "iterm:0F1E2D3C-AAAA-BBBB-CCCC-0123456789AB"],
])("the pane by the variables of %s", (_name, env, text) => {
  expect(paneOf(env)).toBe(text);
  expect(parsePane(text)).toBeDefined();
});

test.each([
  ["nothing", {}],
  ["half of it", { TMUX_PANE: "%3" }],
  ["a window of another machine", { SSH_CONNECTION: "a 1 b 2", KITTY_WINDOW_ID: "1" }],
  ["an id that is none", { TMUX: "/t/s,1,0", TMUX_PANE: "-t evil" }],
  ["a name that would be cut", { TMUX: `/${"x".repeat(MAX_PANE_LENGTH)},1,0`, TMUX_PANE: "%3" }],
])("no pane by %s", (_name, env) => expect(paneOf(env)).toBeUndefined());

test.each([
  "",
  "%3",
  "tmux:%3",
  "tmux:%3@relative",
  "tmux:3@/s",
  "zellij:1@-x",
  "zellij:1@a b",
  "kitty:1;2",
  "constructor:1",
  "iterm:x y",
])("%j names no pane", (text) => expect(parsePane(text)).toBeUndefined());

test("a pane is read into its parts", () => {
  expect(parsePane("tmux:%3@/a b@c/s")).toEqual({ kind: "tmux", id: "%3", where: "/a b@c/s" });
  expect(parsePane("kitty:12")).toEqual({ kind: "kitty", id: "12" });
});
