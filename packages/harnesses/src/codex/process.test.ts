import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { codexProcess, type Look } from "./process.ts";

/** A family of processes: each is the child of the next one. */
const family = (...words: string[]): Look => {
  const all = words.map((line, at) => ({ words: line.split(" "), parent: at + 2 }));
  return (pid) => all[pid - 1];
};

it("a hook's harness is found through the shells between", async () => {
  const look = family("(pid 1)", "sh moth-hook codex", "/bin/bash -c moth-hook", "/opt/bin/codex --no-daemon", "zsh");
  expect(await codexProcess(2, look)).toBe(4);
});

it("a server of Codex's holds many sessions: its end is nobody's", async () => {
  const look = family("(pid 1)", "sh moth-hook codex", "/opt/bin/codex app-server --listen unix://");
  expect(await codexProcess(2, look)).toBeUndefined();
});

it("what is no child of Codex's, or was started by nobody known, has none", async () => {
  expect(await codexProcess(2, family("(pid 1)", "sh", "zsh", "terminal"))).toBeUndefined();
  expect(await codexProcess(2, family("(pid 1)", "a", "b", "c", "d", "e", "f", "codex"))).toBeUndefined();
  expect(await codexProcess(undefined)).toBeUndefined();
});

it.runIf(process.platform === "linux" || process.platform === "darwin")("a real process is looked at", async () => {
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { argv0: "codex", stdio: "ignore" });
  try {
    await new Promise((resolve) => child.once("spawn", resolve));
    expect(await codexProcess(child.pid)).toBe(child.pid);
  } finally {
    child.kill("SIGKILL");
  }
});
