import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installedVersion, packageVersion } from "./package-version.ts";

let folder: string;
let program: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "moth-package-"));
  mkdirSync(join(folder, "node_modules/@maker/agent/bundle"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  program = join(folder, "bin/agent");
  writeFileSync(join(folder, "node_modules/@maker/agent/bundle/agent.js"), "");
  symlinkSync("../node_modules/@maker/agent/bundle/agent.js", program);
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string): void => writeFileSync(join(folder, "node_modules/@maker/agent/package.json"), text);

it("is that of the package the program lies in", () => {
  write('{ "name": "@maker/agent", "version": "1.2.3" }');
  expect(packageVersion(program, "@maker/agent")).toBe("1.2.3");
  expect(packageVersion(program, "@maker/other")).toBeUndefined();
});

it.each(["{", "null", '{ "name": "@maker/agent" }'])("is unknown when the package says %s", (text) => {
  write(text);
  expect(packageVersion(program, "@maker/agent")).toBeUndefined();
});

it("is unknown when the program is gone, or a script of its own", () => {
  expect(packageVersion(join(folder, "gone"), "@maker/agent")).toBeUndefined();
  writeFileSync(join(folder, "bin/script"), "#!/bin/sh\n");
  expect(packageVersion(join(folder, "bin/script"), "@maker/agent")).toBeUndefined();
});

it.skipIf(process.platform === "win32").each([
  ["GitHub Copilot CLI 1.0.102.", "1.0.102"],
  ["v0.1.0-rc.8 (linux)", "0.1.0-rc.8"],
  ["(2026.1.2)", "2026.1.2"],
  ["1.2.3+build.5, of today", "1.2.3+build.5"],
])("is what a program without a package says: %s", async (said, version) => {
  const script = join(folder, "bin/script");
  writeFileSync(script, `#!/bin/sh\necho '${said}'\n`, { mode: 0o755 });
  expect(await installedVersion(process.env, script, "@maker/agent")).toBe(version);
});

it.skipIf(process.platform === "win32")("is read without running the program, where there is a package", async () => {
  write('{ "name": "@maker/agent", "version": "1.2.3" }');
  const ran = join(folder, "ran");
  writeFileSync(join(folder, "node_modules/@maker/agent/bundle/agent.js"), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  expect(await installedVersion(process.env, program, "@maker/agent")).toBe("1.2.3");
  expect(existsSync(ran)).toBe(false);
});
