import { existsSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { planHook, planUnhook } from "../claude-code/install.ts";
import { applyPlan } from "./apply.ts";
import { installer } from "../../test/installer.ts";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";

const SETTINGS = ".claude/settings.json";
let home: TestHome;
beforeEach(() => {
  home = makeTestHome();
});
afterEach(() => home.remove());

const { hook, unhook } = installer({ planHook, planUnhook }, () => home);

it("two installers at once do not lose either's work", async () => {
  home.write(SETTINGS, '{ "a": 1 }');
  const project = { ...home.options, project: home.at("app") };
  const plans = await Promise.all([planHook(home.options), planHook(project), planHook(home.options)]);
  await Promise.all(plans.map((plan) => applyPlan(plan, home.options.env)));
  expect(home.read(SETTINGS).match(/moth-hook/g)).toHaveLength(7);
  expect(Object.keys(JSON.parse(home.read(".moth/hooks.json")) as object)).toHaveLength(2);
  await unhook();
  await unhook(project);
  expect(home.tree()).toEqual({ ".claude/": "", [SETTINGS]: '{ "a": 1 }' });
});

it("what another program wrote since the plan was made stays", async () => {
  home.write(SETTINGS, '{ "a": 1 }');
  const plan = await planHook(home.options);
  home.write(SETTINGS, '{ "a": 2, "b": 3 }');
  await applyPlan(plan, home.options.env);
  expect(JSON.parse(home.read(SETTINGS))).toMatchObject({ a: 2, b: 3, hooks: {} });
  await unhook();
  expect(home.read(SETTINGS)).toBe('{ "a": 2, "b": 3 }');
});

it("a lock left by one that was killed holds nobody up", async () => {
  home.write(".moth/run/install.lock", "999999999");
  await hook();
  expect(existsSync(home.at(".moth/run/install.lock"))).toBe(false);
});

it("a file that keeps changing is left alone in the end", async () => {
  home.write(SETTINGS, "{}");
  const plan = await planHook(home.options);
  let count = 0;
  plan.again = async () => {
    writeFileSync(home.at(SETTINGS), `{"count": ${count++}}`);
    return { ...plan };
  };
  writeFileSync(home.at(SETTINGS), "{ }");
  await expect(applyPlan(plan, home.options.env)).rejects.toMatchObject({
    code: "BUSY",
    message: expect.stringContaining("keeps changing") as string,
  });
  expect(home.read(SETTINGS)).toBe(`{"count": ${count - 1}}`);
});
