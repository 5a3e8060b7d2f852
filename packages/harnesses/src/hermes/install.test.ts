import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyPlan } from "../install/apply.ts";
import type { InstallOptions } from "../types.ts";
import { hermes } from "./index.ts";

const PLUGIN = fileURLToPath(new URL("../../../hermes-plugin/plugin/plugin.yaml", import.meta.url));
const BUILT = [...readdirSync(dirname(PLUGIN)).filter((name) => /\.(py|yaml)$/.test(name)), join("desktop", "plugin.js")];

let root: string;
let options: InstallOptions;
const home = (): string => join(root, ".hermes");
const config = (): string => join(home(), "config.yaml");
const folder = (): string => join(home(), "plugins", "moth");
const hook = async (): Promise<void> => void (await applyPlan(await hermes.planHook(options), options.env));
const unhook = async (): Promise<void> => void (await applyPlan(await hermes.planUnhook(options), options.env));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "moth hermes "));
  const env = { HOME: root, USERPROFILE: root, LOCALAPPDATA: "", HERMES_HOME: home(), MOTH_HOME: join(root, ".moth"), PATH: "" };
  options = { env, hookProgram: "", findPlugin: () => PLUGIN, node: process.execPath };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function isBackup([name]: [string, string]): boolean {
  return name.includes(".bak-moth-");
}

/** What stands in the plugin's folder. */
function installed(): string[] {
  const names = readdirSync(folder(), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name !== "desktop").toSorted();
}

/** Every file below a folder, with what it holds. */
function snapshot(of: string): Record<string, string> {
  const all: Record<string, string> = {};
  for (const entry of readdirSync(of, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    all[path.slice(of.length)] = entry.isFile() ? readFileSync(path, "utf8") : "folder";
  }
  return all;
}

test("hooking copies the plugin and enables it; unhooking leaves nothing, not even what Python made of it", async () => {
  expect(await hermes.health(options)).toEqual({ status: "not-installed", where: [] });
  await hook();
  expect(installed()).toEqual(BUILT.toSorted());
  for (const name of BUILT) expect(readFileSync(join(folder(), name))).toEqual(readFileSync(join(dirname(PLUGIN), name)));
  expect(readFileSync(config(), "utf8")).toBe("plugins:\n  enabled:\n    - moth\n");
  expect(await hermes.health(options)).toEqual({ status: "installed", where: [config(), folder()] });
  write(join(folder(), "__pycache__", "__init__.cpython-311.pyc"), "compiled");
  await unhook();
  expect(existsSync(home())).toBe(false);
  expect(existsSync(join(root, ".moth", "hooks.json"))).toBe(false);
  expect((await hermes.planUnhook(options)).changes).toEqual([]);
});

test("the person's settings and plugins come back byte by byte", async () => {
  const own = "# mine\r\nmodel:\r\n    default: x   # why\r\nplugins:\r\n  enabled:\r\n  - 'other'\r\n  disabled: [ z ]";
  write(config(), own);
  write(join(home(), "plugins", "other", "plugin.yaml"), "name: other\n");
  const before = snapshot(home());
  await hook();
  expect(readFileSync(config(), "utf8")).toBe(own.replace("'other'\r\n", "'other'\r\n  - moth\r\n"));
  const copies = Object.entries(snapshot(home())).filter(isBackup);
  expect(copies.map(([, text]) => text)).toEqual([own]);
  await unhook();
  expect(snapshot(home())).toEqual(before);
});

test("hooking twice changes nothing the second time", async () => {
  await hook();
  const times = [config(), join(folder(), "__init__.py")].map((file) => statSync(file).mtimeMs);
  expect((await hermes.planHook(options)).changes).toEqual([]);
  await hook();
  expect([config(), join(folder(), "__init__.py")].map((file) => statSync(file).mtimeMs)).toEqual(times);
});

test("unhooking works, too, when Hermes has written its settings anew since", async () => {
  write(config(), "model: x # mine\n");
  await hook();
  writeFileSync(config(), "model: x\nplugins:\n  enabled:\n  - moth\nonboarding:\n  seen: true\n");
  await unhook();
  expect(readFileSync(config(), "utf8")).toBe("model: x\nonboarding:\n  seen: true\n");
});

test("an older plugin is outdated, and replaced with all its files", async () => {
  await hook();
  writeFileSync(join(folder(), "text.py"), "# older\n");
  writeFileSync(join(folder(), "gone_since.py"), "# older\n");
  expect((await hermes.health(options)).status).toBe("modified");
  rmSync(join(root, ".moth"), { recursive: true });
  expect((await hermes.health(options)).status).toBe("outdated");
  await hook();
  expect(installed()).toEqual(BUILT.toSorted());
  expect((await hermes.health(options)).status).toBe("installed");
});

test("somebody else's plugin of that name is left alone, both ways", async () => {
  write(join(folder(), "__init__.py"), "def register(ctx): pass\n");
  write(config(), "plugins:\n  enabled: [moth]\n");
  const before = snapshot(home());
  await expect(hermes.planHook(options)).rejects.toMatchObject({ name: "PlanError", code: "UNEXPECTED" });
  expect((await hermes.planUnhook(options)).changes).toEqual([]);
  expect((await hermes.health(options)).status).toBe("overwritten");
  expect(snapshot(home())).toEqual(before);
});

test("settings that are no YAML are left alone, with the line", async () => {
  write(config(), "model:\n  a: [1\nb: 2\n");
  await expect(hermes.planHook(options)).rejects.toMatchObject({ code: "UNPARSABLE", file: config(), line: 3 });
  expect(readdirSync(home())).toEqual(["config.yaml"]);
  expect((await hermes.health(options)).status).toBe("not-installed");
});

test("a plugin that is there and not enabled, or disabled, or gone, is told apart", async () => {
  await hook();
  writeFileSync(config(), "plugins:\n  enabled: []\n");
  expect(await hermes.health(options)).toMatchObject({ status: "disabled", where: [folder()] });
  writeFileSync(config(), "plugins:\n  enabled: [moth]\n  disabled: [moth]\n");
  expect(await hermes.health(options)).toMatchObject({
    status: "disabled",
    advice: "To switch it on: hermes plugins enable moth",
  });
  writeFileSync(config(), "plugins: [\n");
  expect((await hermes.health(options)).status).toBe("broken");
  writeFileSync(config(), "plugins:\n  enabled: [moth]\n");
  rmSync(folder(), { recursive: true });
  expect(await hermes.health(options)).toMatchObject({ status: "broken", where: [config()] });
});

test("its home is that of the environment, else the active profile's, else the usual one", async () => {
  const at = async (env: Record<string, string>): Promise<string> =>
    (await hermes.detect({ ...options.env, HERMES_HOME: "", LOCALAPPDATA: root, ...env })).configDir;
  const usual = process.platform === "win32" ? join(root, "hermes") : home();
  expect(await at({})).toBe(usual);
  write(join(usual, "active_profile"), "work\n");
  expect(await at({})).toBe(join(usual, "profiles", "work"));
  expect(await at({ HERMES_HOME: join(root, "other home") })).toBe(join(root, "other home"));
  write(join(usual, "active_profile"), "../elsewhere");
  expect(await at({})).toBe(usual);
});

test("a project has no plugins of its own", async () => {
  await expect(hermes.planHook({ ...options, project: root })).rejects.toMatchObject({ code: "NO_PROJECT" });
});

test.skipIf(process.platform === "win32")("a pipe where its settings or its plugin belong is not waited at", async () => {
  await hook();
  for (const file of [config(), join(folder(), "__init__.py")]) {
    const text = readFileSync(file);
    rmSync(file);
    execFileSync("mkfifo", [file]);
    const problem = `${file} is not a plain file. Move it away and try again.`;
    await expect(hermes.planHook(options)).rejects.toThrow(problem);
    await expect(hermes.planUnhook(options)).rejects.toThrow(problem);
    expect(await hermes.health(options)).toEqual({ status: "broken", where: [folder()], problem });
    rmSync(file);
    writeFileSync(file, text);
  }
});

test("a profile has a plugin of its own; unhooking without a name takes moth out of all of them", async () => {
  options = { ...options, env: { ...options.env, HERMES_HOME: "" } };
  const work = join(home(), "profiles", "work");
  write(join(work, "config.yaml"), "model: x\n");
  const before = snapshot(root);
  await expect(hermes.planHook({ ...options, profile: "elsewhere" })).rejects.toThrow('no profile "elsewhere"');
  await expect(hermes.planHook({ ...options, profile: "../work" })).rejects.toThrow("no profile");
  const named = { ...options, profile: "work" };
  await applyPlan(await hermes.planHook(named), options.env);
  expect(readFileSync(join(work, "config.yaml"), "utf8")).toBe("model: x\nplugins:\n  enabled:\n    - moth\n");
  expect(existsSync(folder())).toBe(false);
  expect(await hermes.health(options)).toEqual({ status: "installed", where: [join(work, "plugins", "moth")] });
  await hook();
  await applyPlan(await hermes.planUnhook(named), options.env);
  expect(existsSync(folder())).toBe(true);
  await applyPlan(await hermes.planHook(named), options.env);
  await unhook();
  const after = Object.entries(snapshot(root)).filter((entry) => !isBackup(entry) && !entry[0].startsWith("/.moth"));
  expect(Object.fromEntries(after)).toEqual(before);
});
