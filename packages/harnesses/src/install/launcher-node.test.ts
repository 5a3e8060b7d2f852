import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { launcherFile, launcherNode, launcherScript } from "./launcher.ts";

function home(): { MOTH_HOME: string } {
  const folder = mkdtempSync(join(tmpdir(), "moth-launcher-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { MOTH_HOME: folder };
}
function install(env: { MOTH_HOME: string }, text: string): void {
  mkdirSync(dirname(launcherFile(env)), { recursive: true });
  writeFileSync(launcherFile(env), text);
}

test.each(["/usr/bin/node", "/home/it's me/node versions/v24/bin/node"])(
  "an installed launcher tells that it tries %s first",
  (node) => {
    const env = home();
    install(env, launcherScript({ env, node, hookProgram: "", findPlugin: () => "" }));
    expect(launcherNode(env)).toBe(node);
  },
);

test("without a launcher, or with another program in its place, there is none", () => {
  const env = home();
  expect(launcherNode(env)).toBeUndefined();
  install(env, "#!/bin/sh\nexit 0\n");
  expect(launcherNode(env)).toBeUndefined();
});
