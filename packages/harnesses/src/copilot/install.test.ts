import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import { applyPlan } from "../install/apply.ts";
import { hookTable } from "../install/settings-hooks.ts";
import type { InstallOptions } from "../types.ts";
import { detect } from "./detect.ts";
import { health, planHook, planUnhook, settingsHooks } from "./install.ts";

const FILE = ".copilot/hooks/moth.json";
let home: TestHome;
beforeEach(() => {
  home = makeTestHome();
});
afterEach(() => home.remove());
const hook = async (options: InstallOptions = home.options): Promise<unknown> => applyPlan(await planHook(options), options.env);
const unhook = async (options: InstallOptions = home.options): Promise<unknown> =>
  applyPlan(await planUnhook(options), options.env);

it.skipIf(process.platform === "win32")("hooks four events in a file of its own, and none that decides anything", async () => {
  home.write(".copilot/config.json", "{}");
  await hook();
  const { hooks } = JSON.parse(home.read(FILE)) as { hooks: Record<string, unknown> };
  expect(Object.keys(hooks)).toEqual(["UserPromptSubmit", "Notification", "Stop", "SessionEnd"]);
  const bash = `exec '${home.path}/.moth/bin/moth-hook' copilot`;
  expect(hooks["Stop"]).toEqual([{ hooks: [{ type: "command", bash, timeoutSec: 3 }] }]);
  expect(await health(home.options)).toEqual({ status: "installed", where: [home.at(FILE)] });
});

it("on Windows by a line of PowerShell that names the Node", () => {
  const { options } = home;
  const node = "C:\\Program Files\\nodejs\\node.exe";
  const entry = hookTable(settingsHooks, { ...options, node }, "win32").entries.get("Stop");
  expect(entry).toMatchObject({ type: "command", timeoutSec: 3 });
  expect(entry?.["powershell"]).toMatch(/^& 'C:\\Program Files\\nodejs\\node\.exe' '.*moth-hook\.cjs' copilot$/);
  expect(entry).not.toHaveProperty("bash");
  expect(hookTable(settingsHooks, options, "win32").isOurs(entry)).toBe(true);
});

describe("gives back every byte", () => {
  it.each<[string, Record<string, string>]>([
    ["nothing there", {}],
    ["a folder of hooks", { ".copilot/hooks/mine.json": '{ "hooks": {} }' }],
    [
      "hooks of the person's in the same file",
      { [FILE]: '{\r\n   "version": 1,\r\n\t"hooks": { "agentStop": [{ "type": "command", "bash":"true" }] }   }' },
    ],
  ])("%s", async (_name, files) => {
    for (const [file, text] of Object.entries(files)) home.write(file, text);
    const before = home.tree();
    await hook();
    expect(await health(home.options)).toMatchObject({ status: "installed" });
    await unhook();
    expect(home.tree()).toEqual(before);
  });
});

it("a comment in the file makes Copilot ignore it, and that is said", async () => {
  await hook();
  home.write(FILE, `// mine\n${home.read(FILE)}`);
  expect(await health(home.options)).toMatchObject({
    status: "broken",
    problem: `${home.at(FILE)}:1:1: GitHub Copilot CLI reads plain JSON and ignores this whole file because of the comment there.`,
  });
});

it("hooks that are switched off in the file are said to be", async () => {
  home.write(FILE, '{ "disableAllHooks": true }');
  await hook();
  expect(await health(home.options)).toMatchObject({ status: "disabled", where: [home.at(FILE)] });
});

it("a project has its hooks in .github/hooks; with both, that is said, and how to undo it", async () => {
  const project = home.at("code/repo");
  mkdirSync(project, { recursive: true });
  await hook();
  const inProject = { ...home.options, project };
  expect((await planHook(inProject)).notes.join(" ")).toContain("where you trust the folder");
  await hook(inProject);
  expect(home.read("code/repo/.github/hooks/moth.json")).toContain("moth-hook");
  expect(await health(home.options)).toMatchObject({
    status: "duplicate",
    advice: `One is enough: moth unhook copilot --project '${project}'`,
  });
  home.write("program.cjs", "// newer");
  expect(await health(inProject)).toMatchObject({
    status: "outdated",
    advice: `To mend that: moth hook copilot --project '${project}'`,
  });
  await unhook();
  expect(home.tree()).toEqual({ "code/": "", "code/repo/": "" });
});

it("follows COPILOT_HOME", async () => {
  const moved = { ...home.options, env: { ...home.options.env, COPILOT_HOME: home.at("my copilot") } };
  expect(await detect(moved.env)).toEqual({ found: false, configDir: home.at("my copilot") });
  await hook(moved);
  expect(home.read("my copilot/hooks/moth.json")).toContain("moth-hook");
  expect((await detect(moved.env)).found).toBe(true);
  // Seen from another environment, it is another profile's.
  home.write("program.cjs", "// newer");
  expect(await health(home.options)).toMatchObject({
    advice: `To mend that: COPILOT_HOME='${join(home.path, "my copilot")}' moth hook copilot`,
  });
});

it("sees the plugin alone and beside the hooks, and not when it is off or its marketplace is gone", async () => {
  const settings = (on: boolean, markets: object): void =>
    home.write(
      ".copilot/settings.json",
      JSON.stringify({ enabledPlugins: { "moth@moth": on, "other@moth": true }, extraKnownMarketplaces: markets }),
    );
  settings(true, { moth: { source: { source: "directory", path: "/somewhere" } } });
  expect(await health(home.options)).toEqual({ status: "installed", where: ["plugin moth@moth"] });
  await hook();
  expect(await health(home.options)).toMatchObject({ status: "duplicate", where: [home.at(FILE), "plugin moth@moth"] });
  settings(false, { moth: {} });
  expect(await health(home.options)).toEqual({ status: "installed", where: [home.at(FILE)] });
  settings(true, {});
  expect(await health(home.options)).toEqual({ status: "installed", where: [home.at(FILE)] });
});
