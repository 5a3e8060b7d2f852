import { existsSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPlan } from "../install/apply.ts";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import type { InstallOptions } from "../types.ts";
import { health } from "./health.ts";
import { planHook, planUnhook } from "./install.ts";

const SETTINGS = ".claude/settings.json";
let home: TestHome;
let first: InstallOptions;
beforeEach(() => {
  home = makeTestHome();
  first = { ...home.options, env: { ...home.options.env, MOTH_HOME: home.at(".moth-first") } };
});
afterEach(() => home.remove());

const hook = async (options: InstallOptions): Promise<unknown> => applyPlan(await planHook(options), options.env);
const unhook = async (options: InstallOptions): Promise<unknown> => applyPlan(await planUnhook(options), options.env);

describe("two moth folders, and bytes come back", () => {
  it.each<[string, string | undefined]>([
    ["a folder and no file", undefined],
    ["an object", '{\n  "model": "opus"\n}\n'],
    ["an empty list", '{ "hooks": { "Stop": [] } }'],
    ["an empty table", '{ "hooks": {} }'],
  ])("%s", async (_name, text) => {
    // The backups lie in it.
    home.write(".claude/other.json", "{}");
    if (text !== undefined) home.write(SETTINGS, text);
    const before = home.tree();
    await hook(first);
    expect(await health(home.options)).toMatchObject({
      status: "outdated",
      problem: `moth's hooks in ${home.at(SETTINGS)} belong to another moth folder, ${home.at(".moth-first")}.`,
    });
    await hook(home.options);
    expect(await health(home.options)).toMatchObject({ status: "installed" });
    await unhook(home.options);
    expect(home.tree()).toEqual(before);
    // The first one's notes are old by now: the second's are of what stands there.
    if (text !== undefined) home.write(SETTINGS, "{}\n");
    const later = home.tree();
    await hook(home.options);
    await hook(first);
    await unhook(first);
    expect(home.tree()).toEqual(later);
  });

  it("also when the second only takes the first one's out", async () => {
    home.write(SETTINGS, '{ "hooks": { "Stop": [] } }');
    const before = home.tree();
    await hook(first);
    await unhook(home.options);
    expect(home.tree()).toEqual(before);
  });
});

it("a folder whose notes are gone is taken over all the same", async () => {
  await hook(first);
  rmSync(home.at(".moth-first"), { recursive: true });
  await hook(home.options);
  expect(await health(home.options)).toMatchObject({ status: "installed" });
  await unhook(home.options);
  expect(home.read(SETTINGS)).not.toContain("moth-hook");
  expect(existsSync(home.at(".moth/hooks.json"))).toBe(false);
});
