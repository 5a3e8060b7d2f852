import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "./folder.ts";

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "moth-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("makes every missing folder on the way, with the mode, and leaves what is there", () => {
  const inner = join(tempFolder(), "a/b/c");
  makeFolder(inner, 0o700);
  makeFolder(inner, 0o755);
  for (const path of [inner, join(inner, "..")]) expect(statSync(path).mode & 0o777).toBe(0o700);
});

test.skipIf(process.platform !== "linux")("ends where no folder can be made: under /proc", () => {
  expect(() => makeFolder("/proc/no-such-folder/moth/run", 0o700)).toThrow(/ENOENT/);
});

test("a file in the way is the system's error", () => {
  const file = join(tempFolder(), "file");
  writeFileSync(file, "");
  expect(() => makeFolder(join(file, "folder"))).toThrow(/ENOTDIR|EEXIST/);
});
