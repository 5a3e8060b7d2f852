import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentDir, configRoot } from "./detect.ts";
import { omp } from "./index.ts";
import { otherWays, pluginFile } from "./install.ts";

const HOME = process.platform === "win32" ? "USERPROFILE" : "HOME";
const env = { [HOME]: "/home/me" };

test("PI_CONFIG_DIR is taken as it stands and always lies in the home folder", () => {
  expect(agentDir(env)).toBe(join("/home/me", ".omp", "agent"));
  expect(agentDir({ ...env, PI_CONFIG_DIR: ".other" })).toBe(join("/home/me", ".other", "agent"));
  expect(agentDir({ ...env, PI_CONFIG_DIR: "/abs/x" })).toBe(join("/home/me", "abs", "x", "agent"));
  expect(agentDir({ ...env, PI_CONFIG_DIR: "~/x" })).toBe(join("/home/me", "~", "x", "agent"));
});

test("PI_CODING_AGENT_DIR names the folder itself, unless a profile is chosen", () => {
  const given = { ...env, PI_CODING_AGENT_DIR: resolve("/elsewhere") };
  expect(agentDir(given)).toBe(resolve("/elsewhere"));
  expect(agentDir({ ...given, OMP_PROFILE: "work" })).toBe(join("/home/me", ".omp", "profiles", "work", "agent"));
  expect(agentDir({ ...given, PI_PROFILE: "work" })).toBe(join("/home/me", ".omp", "profiles", "work", "agent"));
  expect(agentDir({ ...given, OMP_PROFILE: "", PI_PROFILE: "work" })).toBe(resolve("/elsewhere"));
  expect(agentDir({ ...given, OMP_PROFILE: "default" })).toBe(resolve("/elsewhere"));
  expect(agentDir({ ...given, OMP_PROFILE: "../up" })).toBe(resolve("/elsewhere"));
});

test("the plugin goes to the person's extensions, or to a project's", () => {
  const options = { env, hookProgram: "", node: "", findPlugin: () => "" };
  expect(pluginFile(options).file).toBe(join("/home/me", ".omp", "agent", "extensions", "moth.js"));
  const project = { ...options, project: resolve("/code/repo") };
  expect(pluginFile(project).file).toBe(resolve("/code/repo", ".omp", "extensions", "moth.js"));
});

test("the package that omp installed is another way", async () => {
  const home = mkdtempSync(join(tmpdir(), "moth-omp-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const mine = { [HOME]: home };
  const options = { env: mine, hookProgram: "", node: "", findPlugin: () => "" };
  const list = join(configRoot(mine), "plugins", "package.json");
  expect(otherWays(options)).toEqual([]);
  mkdirSync(dirname(list), { recursive: true });
  writeFileSync(list, '{"dependencies":{"@moth-companion/pixie":"1.0.0"}}');
  expect(otherWays(options)).toEqual([]);
  writeFileSync(list, '{"dependencies":{"@moth-companion/pi":"^1.0.0"}}');
  expect(await omp.health(options)).toEqual({ status: "installed", where: [list] });
  if (process.platform === "win32") return;
  rmSync(list);
  // A pipe is not waited at.
  execFileSync("mkfifo", [list]);
  expect(otherWays(options)).toEqual([]);
});

test("a profile has extensions of its own; one that is not there is refused", async () => {
  const home = mkdtempSync(join(tmpdir(), "moth-omp-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, ".omp", "profiles", "work"), { recursive: true });
  const options = { env: { [HOME]: home }, hookProgram: "", node: "", findPlugin: () => "" };
  const fileOf = (profile: string): string => pluginFile({ ...options, profile }).file;
  expect(fileOf("work")).toBe(join(home, ".omp", "profiles", "work", "agent", "extensions", "moth.js"));
  expect(fileOf("default")).toBe(join(home, ".omp", "agent", "extensions", "moth.js"));
  for (const name of ["elsewhere", "../work", "Work"]) expect(() => fileOf(name)).toThrow(`omp has no profile "${name}"`);
});
