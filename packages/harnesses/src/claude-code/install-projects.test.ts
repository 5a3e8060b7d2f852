import { existsSync, rmSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { applyPlan } from "../install/apply.ts";
import { installer } from "../../test/installer.ts";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import type { InstallOptions } from "../types.ts";
import { planHook, planUnhook } from "./install.ts";

const SETTINGS = ".claude/settings.json";
let home: TestHome;
beforeEach(() => {
  home = makeTestHome();
});
afterEach(() => home.remove());

const { hook, unhook } = installer({ planHook, planUnhook }, () => home);
const inProject = (name: string): InstallOptions => ({ ...home.options, project: home.at(name) });

it("unhook without a project takes moth out of every project, and forgets those that are gone", async () => {
  home.write(SETTINGS, "{}");
  home.write("one/.claude/settings.json", '{ "model": "opus" }');
  home.write("two/readme", "");
  const before = home.tree();
  for (const options of [home.options, inProject("one"), inProject("two"), inProject("gone")]) await hook(options);
  rmSync(home.at("gone"), { recursive: true });
  await unhook(inProject("one"));
  expect(home.read("two/.claude/settings.json")).toContain("moth-hook");
  await hook(inProject("one"));
  await unhook();
  expect(Object.entries(home.tree()).filter(([file]) => !file.includes(".bak-"))).toEqual(Object.entries(before));
  expect(existsSync(home.at(".moth/hooks.json"))).toBe(false);
});

it("unhook says which project it cannot mend, does the others, and keeps its notes of that one", async () => {
  for (const name of ["one", "two"]) await hook(inProject(name));
  const text = home.read("one/.claude/settings.json");
  home.write("one/.claude/settings.json", "{");
  const plan = await planUnhook(home.options);
  expect(plan.notes.join()).toMatch(/moth stays in .*one.*not JSON/);
  await applyPlan(plan, home.options.env);
  expect(existsSync(home.at("two"))).toBe(false);
  home.write("one/.claude/settings.json", text);
  await unhook();
  expect(home.tree()).toEqual({});
});
