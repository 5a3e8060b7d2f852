import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import { applyPlan } from "../install/apply.ts";
import { hookTable } from "../install/settings-hooks.ts";
import type { InstallOptions } from "../types.ts";
import { qwen } from "./index.ts";
import { settingsHooks } from "./install.ts";

const SETTINGS = ".qwen/settings.json";
let home: TestHome;
beforeEach(() => {
  home = makeTestHome({ PATH: "" });
});
afterEach(() => home.remove());

const hook = async (options: InstallOptions = home.options): Promise<unknown> =>
  applyPlan(await qwen.planHook(options), options.env);
const unhook = async (options: InstallOptions = home.options): Promise<unknown> =>
  applyPlan(await qwen.planUnhook(options), options.env);
const entryOf = (event: string, platform: string): unknown => hookTable(settingsHooks, home.options, platform).entries.get(event);

it.each<[string, string | undefined]>([
  ["no settings", undefined],
  ["settings with comments", '{\r\n  // mine\r\n  "$version": 4,\r\n  "hooks": { "Stop": [] }\r\n}'],
])("hooks and gives back every byte: %s", async (_name, text) => {
  if (text !== undefined) home.write(SETTINGS, text);
  const before = home.tree();
  await hook();
  expect(await qwen.health(home.options)).toEqual({ status: "installed", where: [home.at(SETTINGS)] });
  expect((await qwen.planHook(home.options)).changes).toEqual([]);
  await unhook();
  expect(home.tree()).toEqual(before);
});

it("settings that moth made go, although Qwen Code has written them anew with its version", async () => {
  await hook();
  const settings = { ...(JSON.parse(home.read(SETTINGS)) as object), $version: 4 };
  home.write(SETTINGS, JSON.stringify(settings, null, 2));
  await unhook();
  expect(home.tree()).toEqual({});
});

it("settings of the person's stay, although there is nothing else in them", async () => {
  home.write(SETTINGS, '{ "$version": 4 }');
  await hook();
  await unhook();
  expect(home.read(SETTINGS)).toBe('{ "$version": 4 }');
});

it("an entry is one line for a shell, in whose place the launcher comes; on Windows for PowerShell, wherever Qwen Code was started", () => {
  expect(entryOf("PostToolUse", "linux")).toEqual({
    type: "command",
    name: "moth",
    command: `exec '${home.path}/.moth/bin/moth-hook' qwen if-waiting`,
    timeout: 3000,
    async: true,
  });
  expect(entryOf("Stop", "win32")).toMatchObject({
    shell: "powershell",
    command: `& ${process.execPath} '${join(home.path, ".moth", "lib", "moth-hook.cjs")}' qwen`,
  });
});

it("takes QWEN_HOME for the folder, in which ~ is the home folder", async () => {
  for (const [given, folder] of [
    [home.at("job"), "job"],
    ["~/other", "other"],
    ["", ".qwen"],
  ] as const) {
    const env = { ...home.options.env, QWEN_HOME: given };
    expect((await qwen.detect(env)).configDir).toBe(home.at(folder));
    await hook({ ...home.options, env });
    expect(home.read(`${folder}/settings.json`)).toContain("moth-hook");
  }
});

it("is disabled with disableAllHooks", async () => {
  home.write(SETTINGS, '{ "disableAllHooks": true }');
  await hook();
  expect(await qwen.health(home.options)).toMatchObject({ status: "disabled" });
});

it("sees the extension alone, and beside the hooks", async () => {
  const folder = home.at(".qwen/extensions/moth");
  home.write(".qwen/extensions/moth/qwen-extension.json", "{}");
  expect(await qwen.health(home.options)).toEqual({ status: "installed", where: [`extension ${folder}`] });
  await hook();
  expect(await qwen.health(home.options)).toMatchObject({
    status: "duplicate",
    where: [home.at(SETTINGS), `extension ${folder}`],
  });
});

it("its hook may hold a permission where that is asked for, and from then on until moth goes", async () => {
  home.write(SETTINGS, '{ "$version": 4 }');
  await hook({ ...home.options, answers: true });
  const held = home.read(SETTINGS);
  expect(held.match(/qwen holds/g)).toHaveLength(1);
  expect(held).toContain(String(24 * 60 * 60 * 1000));
  expect((await qwen.planHook(home.options)).changes).toEqual([]);
  const away = { ...home.options, env: { ...home.options.env, MOTH_ANSWERS: "on", MOTH_AWAY: "on" } };
  expect(await qwen.health(away)).toEqual({ status: "installed", where: [home.at(SETTINGS)] });
  await unhook();
  expect(home.read(SETTINGS)).toBe('{ "$version": 4 }');
  await hook();
  expect(await qwen.health(away)).toMatchObject({
    status: "installed",
    advice: expect.stringMatching(/moth hook qwen --answers$/) as string,
  });
});
