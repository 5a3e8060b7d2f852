import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import { applyPlan } from "../install/apply.ts";
import type { InstallOptions } from "../types.ts";
import { health, planHook, planUnhook } from "./install.ts";

const FILE = ".copilot/extensions/moth/extension.mjs";
const BUILT = "// @moth-companion/copilot: a test's\n";
let home: TestHome;
let answers: InstallOptions;
beforeEach(() => {
  home = makeTestHome();
  home.write("plugin.mjs", BUILT);
  answers = { ...home.options, findPlugin: () => home.at("plugin.mjs"), answers: true };
});
afterEach(() => home.remove());
const plain = (): InstallOptions => ({ ...answers, answers: false });
const hook = async (options: InstallOptions): Promise<unknown> => applyPlan(await planHook(options), options.env);
const unhook = async (): Promise<unknown> => applyPlan(await planUnhook(plain()), plain().env);
const experimental = (): void => home.write(".copilot/settings.json", '{ "experimental": true } // mine\n');

it("comes only when it is asked for, and then stays and is kept up to date", async () => {
  home.write(".copilot/config.json", "{}");
  await hook(plain());
  expect(home.tree()).not.toHaveProperty(FILE);
  await hook(answers);
  expect(home.read(FILE)).toBe(BUILT);
  home.write("plugin.mjs", `${BUILT}// newer\n`);
  expect(await health(plain())).toMatchObject({
    status: "outdated",
    advice: expect.stringMatching(/moth hook copilot$/) as string,
  });
  await hook(plain());
  expect(home.read(FILE)).toBe(`${BUILT}// newer\n`);
  const { changes } = await planHook(answers);
  expect(changes).toEqual([]);
});

it("leaves to the person what is the person's: experimental features, and the leave to handle permissions", async () => {
  home.write(".copilot/settings.json", "{}");
  const before = home.tree();
  const { notes } = await planHook(answers);
  expect(notes.join("\n")).toMatch(
    /\/settings experimental on[\s\S]*may handle permission requests[\s\S]*moth config answers on/,
  );
  await hook(answers);
  expect(Object.keys(home.tree())).toEqual(
    [
      ...Object.keys(before),
      FILE,
      ".copilot/extensions/",
      ".copilot/extensions/moth/",
      ".copilot/hooks/",
      ".copilot/hooks/moth.json",
    ].toSorted(),
  );
  expect(home.read(".copilot/settings.json")).toBe("{}");
});

describe("gives back every byte", () => {
  it.each<[string, Record<string, string>]>([
    ["nothing there", {}],
    ["other extensions", { ".copilot/extensions/mine/extension.mjs": "// mine\n", ".copilot/hooks/mine.json": "{}" }],
  ])("%s", async (_name, files) => {
    for (const [file, text] of Object.entries(files)) home.write(file, text);
    const before = home.tree();
    await hook(answers);
    await unhook();
    expect(home.tree()).toEqual(before);
    expect(await health(plain())).toMatchObject({ status: "not-installed" });
  });

  it("in every folder of Copilot's that it was put into", async () => {
    const elsewhere = { ...answers, env: { ...answers.env, COPILOT_HOME: home.at("other") } };
    const before = home.tree();
    await hook(answers);
    await hook(elsewhere);
    await unhook();
    expect(home.tree()).toEqual(before);
  });
});

it("health says that Copilot does not load it, until its experimental features are on", async () => {
  await hook(answers);
  expect(await health(plain())).toMatchObject({
    status: "installed",
    problem: expect.stringContaining("experimental features are off") as string,
    advice: expect.stringContaining("/settings experimental on") as string,
  });
  experimental();
  expect(await health(plain())).toEqual({ status: "installed", where: [home.at(".copilot/hooks/moth.json")] });
});

it("health says that it was changed, or is gone", async () => {
  experimental();
  await hook(answers);
  home.write(FILE, `${BUILT}// mine\n`);
  expect(await health(plain())).toMatchObject({ status: "modified" });
  home.write(FILE, "// another program's\n");
  expect(await health(plain())).toMatchObject({ status: "overwritten" });
  await expect(planHook(answers)).rejects.toThrow("is not moth's");
  await unhook();
  expect(home.read(FILE)).toBe("// another program's\n");
});

it("is no project's", async () => {
  const project = { ...answers, project: home.at("work") };
  await expect(planHook(project)).rejects.toThrow(/--project, or --answers/);
  await hook({ ...project, answers: false });
  expect(home.tree()).not.toHaveProperty(FILE);
});
