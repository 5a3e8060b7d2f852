import { chmodSync, symlinkSync } from "node:fs";
import { delimiter } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProgram, programVersion } from "./find-program.ts";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";

let home: TestHome;
beforeEach(() => {
  home = makeTestHome();
});
afterEach(() => home.remove());

function makeProgram(file: string, does: string): string {
  home.write(file, `#!/bin/sh\n${does}\n`);
  chmodSync(home.at(file), 0o755);
  return home.at(file);
}

describe.skipIf(process.platform === "win32")("a program", () => {
  it("is the first of its name on PATH that can run, else in the given places", () => {
    home.write("a/tool", "not executable", 0o644);
    home.write("b/tool/folder", "");
    const real = makeProgram("c/tool", "");
    const env = { PATH: ["", ".", "relative", home.at("a"), home.at("b"), home.at("c")].join(delimiter) };
    expect(findProgram(env, "tool")).toBe(real);
    expect(findProgram({ PATH: "" }, "tool", ["/nowhere/tool", real])).toBe(real);
    expect(findProgram({}, "tool")).toBeUndefined();
    symlinkSync("nothing", home.at("dangling"));
    expect(findProgram({}, "tool", [home.at("dangling")])).toBeUndefined();
  });

  it("says its version, in time or never", async () => {
    const env = { PATH: process.env["PATH"] };
    expect(await programVersion(env, makeProgram("v", 'echo "2.1.332 (Some Tool)"'))).toBe("2.1.332");
    expect(await programVersion(env, makeProgram("n", "echo none; exit 1"))).toBeUndefined();
    expect(await programVersion(env, home.at("gone"))).toBeUndefined();
    const started = Date.now();
    expect(await programVersion(env, makeProgram("slow", "exec sleep 30"))).toBeUndefined();
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});
