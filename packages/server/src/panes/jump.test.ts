import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { jumpTo } from "./jump.ts";

/** A folder for PATH with one program in it that writes down how it was called. */
function fake(name: string, script = "exit 0"): { env: { PATH: string }; called: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), "moth-jump-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, "log");
  const file = join(folder, name);
  writeFileSync(
    file,
    `#!/bin/sh\nfor word in "$@"; do echo "$word" >> ${log}; done\necho "socket=$WEZTERM_UNIX_SOCKET" >> ${log}\n${script}\n`,
  );
  chmodSync(file, 0o755);
  return { env: { PATH: folder }, called: () => readFileSync(log, "utf8").trim().split("\n") };
}

test.skipIf(process.platform === "win32").each([
  ["zellij", "zellij:4@wise-moth", ["--session", "wise-moth", "action", "focus-pane-id", "terminal_4", "socket="]],
  ["wezterm", "wezterm:7@/run/s 1", ["cli", "activate-pane", "--pane-id", "7", "socket=/run/s 1"]],
  ["kitten", "kitty:2@unix:/tmp/k", ["@", "--to", "unix:/tmp/k", "focus-window", "--match", "id:2", "socket="]],
  ["kitten", "kitty:2", ["@", "focus-window", "--match", "id:2", "socket="]],
])("%s is asked for %s by its own command line", async (program, pane, words) => {
  const { env, called } = fake(program);
  expect(await jumpTo(pane, env)).toEqual({ jumped: true });
  expect(called()).toEqual(words);
});

test.skipIf(process.platform === "win32")(
  "iTerm2 is asked by a fixed script, and believed only when it found the session",
  async () => {
    const found = fake("osascript", "echo found");
    expect(await jumpTo("iterm:0F1E2D3C-AAAA", found.env)).toEqual({ jumped: true });
    expect(found.called().slice(-3)).toEqual(["--", "0F1E2D3C-AAAA", "socket="]);
    expect(await jumpTo("iterm:0F1E2D3C-AAAA", fake("osascript").env)).toEqual({
      jumped: false,
      why: "iTerm2 knows that session no more",
    });
  },
);

test("what cannot be is a sentence: no pane, an unknown one, a program that is not there or refuses", async () => {
  expect(await jumpTo(undefined, {})).toMatchObject({ jumped: false, why: "it did not say in which terminal pane it runs" });
  expect(await jumpTo("screen:3", {})).toEqual({ jumped: false, why: 'moth cannot lead to the pane "screen:3"' });
  expect(await jumpTo("wezterm:3", { PATH: "/nowhere" })).toEqual({ jumped: false, why: "wezterm cannot be started (ENOENT)" });
  if (process.platform === "win32") return;
  expect(await jumpTo("kitty:3", fake("kitten", "echo no >&2; exit 1").env)).toEqual({
    jumped: false,
    why: "kitten ended with 1: no",
    next: "kitty must allow it: allow_remote_control yes, and listen_on, in kitty.conf",
  });
});
