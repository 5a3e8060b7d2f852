import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { InstallOptions } from "../types.ts";
import { agentDir } from "./detect.ts";
import { pi } from "./index.ts";
import { otherWays, pluginFile } from "./install.ts";

const HOME = process.platform === "win32" ? "USERPROFILE" : "HOME";

function options(more: Partial<InstallOptions> = {}): InstallOptions & { home: string } {
  const home = mkdtempSync(join(tmpdir(), "moth-pi-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const built = join(home, "moth.js");
  writeFileSync(built, "// @moth-companion/pi: built\n");
  return { env: { [HOME]: home }, hookProgram: "", node: "", findPlugin: () => built, home, ...more };
}

test("its folder is ~/.pi/agent, or what PI_CODING_AGENT_DIR says, where ~ is the home folder", () => {
  const env = { [HOME]: "/home/me" };
  expect(agentDir(env)).toBe(join("/home/me", ".pi", "agent"));
  expect(agentDir({ ...env, PI_CODING_AGENT_DIR: "" })).toBe(join("/home/me", ".pi", "agent"));
  expect(agentDir({ ...env, PI_CODING_AGENT_DIR: "~/pi here" })).toBe(join("/home/me", "pi here"));
  expect(agentDir({ ...env, PI_CODING_AGENT_DIR: resolve("/elsewhere") })).toBe(resolve("/elsewhere"));
  // Only omp knows this one.
  expect(agentDir({ ...env, PI_CONFIG_DIR: ".other" })).toBe(join("/home/me", ".pi", "agent"));
});

test("the plugin goes to the person's extensions, or to a project's, with a word about trust", async () => {
  const mine = options();
  expect(pluginFile(mine).file).toBe(join(mine.home, ".pi", "agent", "extensions", "moth.js"));
  expect((await pi.planHook(mine)).notes).toEqual(["In a Pi that runs, type /reload."]);
  const project = options({ project: resolve("/code/repo") });
  expect(pluginFile(project).file).toBe(resolve("/code/repo", ".pi", "extensions", "moth.js"));
  expect((await pi.planHook(project)).notes.join(" ")).toContain("trust");
});

test.each([
  ['{"packages":["npm:@moth-companion/pi"]}', true],
  ['{"packages":[{"source":"npm:@moth-companion/pi@1.2.3","extensions":[]}]}', true],
  ['{"packages":["npm:@moth-companion/pixie"],"note":"npm:@moth-companion/pi"}', false],
  ["not JSON", false],
  ["null", false],
])("settings %s: named as a package? %s", (text, named) => {
  const mine = options();
  mkdirSync(agentDir(mine.env), { recursive: true });
  const file = join(agentDir(mine.env), "settings.json");
  writeFileSync(file, text);
  expect(otherWays(mine)).toEqual(named ? [file] : []);
});

test("it is found by its folder, even when its program is not on PATH", async () => {
  const mine = options();
  expect(await pi.detect(mine.env)).toEqual({ found: false, configDir: agentDir(mine.env) });
  mkdirSync(agentDir(mine.env), { recursive: true });
  expect(await pi.detect(mine.env)).toEqual({ found: true, configDir: agentDir(mine.env) });
});

test.skipIf(process.platform === "win32")("a pipe in the place of its settings is not waited at", async () => {
  const mine = options();
  mkdirSync(agentDir(mine.env), { recursive: true });
  execFileSync("mkfifo", [join(agentDir(mine.env), "settings.json")]);
  expect(await pi.health(mine)).toEqual({ status: "not-installed", where: [] });
});
