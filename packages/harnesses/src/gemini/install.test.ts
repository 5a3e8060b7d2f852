import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import { applyPlan } from "../install/apply.ts";
import { hookTable } from "../install/settings-hooks.ts";
import type { InstallOptions } from "../types.ts";
import { gemini } from "./index.ts";
import { settingsHooks } from "./install.ts";

const SETTINGS = ".gemini/settings.json";
let home: TestHome;
beforeEach(() => {
  home = makeTestHome({ PATH: "" });
});
afterEach(() => home.remove());

const hook = async (options: InstallOptions = home.options): Promise<unknown> =>
  applyPlan(await gemini.planHook(options), options.env);
const unhook = async (options: InstallOptions = home.options): Promise<unknown> =>
  applyPlan(await gemini.planUnhook(options), options.env);
const entryOf = (event: string, platform: string): unknown => hookTable(settingsHooks, home.options, platform).entries.get(event);

it.each<[string, string | undefined]>([
  ["no settings", undefined],
  ["settings with comments", '{\r\n  // mine\r\n  "ui": { "hideTips": true },\r\n  "hooks": { "AfterAgent": [] }\r\n}'],
])("hooks and gives back every byte: %s", async (_name, text) => {
  if (text !== undefined) home.write(SETTINGS, text);
  const before = home.tree();
  await hook();
  expect(await gemini.health(home.options)).toEqual({ status: "installed", where: [home.at(SETTINGS)] });
  expect((await gemini.planHook(home.options)).changes).toEqual([]);
  await unhook();
  expect(home.tree()).toEqual(before);
});

it("an entry is one line for a shell, in whose place the launcher comes; PowerShell calls Node", () => {
  expect(entryOf("AfterTool", "linux")).toEqual({
    type: "command",
    name: "moth",
    command: `exec '${home.path}/.moth/bin/moth-hook' gemini if-waiting`,
    timeout: 3000,
  });
  const { command } = entryOf("AfterAgent", "win32") as { command: string };
  expect(command).toBe(`& ${process.execPath} '${join(home.path, ".moth", "lib", "moth-hook.cjs")}' gemini`);
});

it.skipIf(process.platform === "win32")(
  "the end of a session is hooked for /clear alone: at an exit Gemini CLI would tell of it",
  async () => {
    await hook();
    const { hooks } = JSON.parse(home.read(SETTINGS)) as { hooks: Record<string, [{ matcher?: string }]> };
    expect(hooks["SessionEnd"]?.[0].matcher).toBe("clear");
    expect(hooks["AfterAgent"]?.[0]).not.toHaveProperty("matcher");
  },
);

it("takes GEMINI_CLI_HOME for the home folder", async () => {
  const env = { ...home.options.env, GEMINI_CLI_HOME: home.at("other home") };
  await hook({ ...home.options, env });
  expect(home.read("other home/.gemini/settings.json")).toContain("moth-hook");
  expect((await gemini.detect(env)).configDir).toBe(home.at("other home/.gemini"));
});

it("finds it by its settings, not by the folder that other programs share", async () => {
  home.write(".gemini/oauth_creds.json", "{}");
  expect((await gemini.detect(home.options.env)).found).toBe(false);
  home.write(SETTINGS, "{}");
  expect((await gemini.detect(home.options.env)).found).toBe(true);
});

it.each<[string, string]>([
  ['"hooksConfig": { "enabled": false }', "enabled"],
  ['"hooksConfig": { "disabled": ["moth"] }', "disabled"],
])("is disabled with %s", async (setting, word) => {
  home.write(SETTINGS, `{ ${setting} }`);
  await hook();
  expect(await gemini.health(home.options)).toMatchObject({
    status: "disabled",
    problem: expect.stringContaining(word) as string,
  });
});

it("sees the extension alone, and beside the hooks", async () => {
  const folder = home.at(".gemini/extensions/moth");
  home.write(".gemini/extensions/moth/gemini-extension.json", "{}");
  expect(await gemini.health(home.options)).toEqual({ status: "installed", where: [`extension ${folder}`] });
  await hook();
  expect(await gemini.health(home.options)).toMatchObject({
    status: "duplicate",
    where: [home.at(SETTINGS), `extension ${folder}`],
  });
});
