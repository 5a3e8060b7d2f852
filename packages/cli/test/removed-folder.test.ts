import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { BIN, createWorld } from "./support/world.ts";

test
  .skipIf(process.platform === "win32")
  .each([
    ["hook", "claude-code", "--project", ".", "--dry-run"],
    ["start", "claude-code", "--cwd", "."],
    ["ps"],
    ["hooks"],
    ["config"],
  ])("in a folder that has been removed `moth %s %s` is no bug of moth's", async (...words) => {
  const world = await createWorld();
  // The shell goes there, and takes it away under itself.
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
  const { stderr, stdout } = spawnSync("/bin/sh", ["-c", script, process.execPath, BIN, ...words.filter(Boolean)], {
    cwd: world.home,
    env: world.env,
    encoding: "utf8",
  });
  expect(stdout + stderr).not.toContain("a bug in moth");
  if (words.includes(".")) expect(stderr).toContain("the folder you are in has been removed");
});
