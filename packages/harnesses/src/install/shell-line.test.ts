import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { readShellLine, type Shell, shellLine } from "./shell-line.ts";

test.each<[Shell, string, string[], string]>([
  ["posix", "/home/ada/.moth/bin/moth-hook", ["some", "if-waiting"], "exec /home/ada/.moth/bin/moth-hook some if-waiting"],
  ["posix", "/home/ada lovelace/it's/bin/moth-hook", ["some"], "exec '/home/ada lovelace/it'\\''s/bin/moth-hook' some"],
  ["posix", "/home/$ada/`x`/bin/moth-hook", ["some"], "exec '/home/$ada/`x`/bin/moth-hook' some"],
  [
    "powershell",
    "C:\\Program Files\\nodejs\\node.exe",
    ["C:\\Users\\Ada's\\.moth\\lib\\moth-hook.cjs", "some"],
    "& 'C:\\Program Files\\nodejs\\node.exe' 'C:\\Users\\Ada''s\\.moth\\lib\\moth-hook.cjs' some",
  ],
  [
    "cmd",
    "C:\\Program Files\\nodejs\\node.exe",
    ["C:\\Users\\Ada's\\.moth\\lib\\moth-hook.cjs", "some"],
    '"C:\\Program Files\\nodejs\\node.exe" "C:\\Users\\Ada\'s\\.moth\\lib\\moth-hook.cjs" some',
  ],
])("a line for %s names %s, and is read back", (shell, command, args, line) => {
  expect(shellLine({ command, args }, shell)).toBe(line);
  expect(readShellLine(line)).toEqual({ command, args });
});

test.skipIf(process.platform === "win32").each(["/bin/sh", "bash"])("%s runs the program in its own place", (shell) => {
  const line = shellLine({ command: process.execPath, args: ["-p", "process.ppid", "it's $HOME"] }, "posix");
  expect(execFileSync(shell, ["-c", line], { encoding: "utf8" })).toBe(`${process.pid}\n`);
});

test.each<[unknown, object | undefined]>([
  ["/x/bin/moth-hook some", { command: "/x/bin/moth-hook", args: ["some"] }],
  ['"/x y/bin/moth-hook"   some', { command: "/x y/bin/moth-hook", args: ["some"] }],
  ["exec", undefined],
  ["", undefined],
  [null, undefined],
  [["a"], undefined],
])("%j, mended by hand or none of moth's, is read as %j", (line, words) => {
  expect(readShellLine(line)).toEqual(words);
});
