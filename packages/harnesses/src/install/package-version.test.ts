import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { packageVersion } from "./package-version.ts";

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
