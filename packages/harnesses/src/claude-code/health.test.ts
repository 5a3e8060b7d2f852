import { chmodSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPlan } from "../install/apply.ts";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import { health } from "./health.ts";
import { planHook, planUnhook } from "./install.ts";

const SETTINGS = ".claude/settings.json";
let home: TestHome;
beforeEach(async () => {
  home = makeTestHome();
  home.write(SETTINGS, '{\n  "a": 1\n}\n');
  await applyPlan(await planHook(home.options), home.options.env);
});
afterEach(() => home.remove());

const hookWith = async (node: string): Promise<unknown> => applyPlan(await planHook({ ...home.options, node }), home.options.env);
const otherNode = (): string => {
  home.write("other/node", "#!/bin/sh\n");
  chmodSync(home.at("other/node"), 0o755);
  return home.at("other/node");
};

it("is well after a hook", async () => {
  expect(await health(home.options)).toEqual({ status: "installed", where: [home.at(SETTINGS)] });
});

it.each<[string, string, RegExp, () => void]>([
  ["not-installed", "moth is not in the file", /^$/, () => home.write(SETTINGS, "{}")],
  [
    "modified",
    "an event is missing",
    /not as moth wrote them/,
    () => home.write(SETTINGS, home.read(SETTINGS).replace(/.*"Stop".*\n/, "")),
  ],
  [
    "modified",
    "it waits longer",
    /not as moth wrote them/,
    () => home.write(SETTINGS, home.read(SETTINGS).replace('"timeout": 3', '"async": true')),
  ],
  [
    "outdated",
    "it is of another home",
    /belong to another moth folder, .*\/\.old\.$/,
    () => home.write(SETTINGS, home.read(SETTINGS).replaceAll(".moth/bin", ".old/bin")),
  ],
  ["outdated", "the program is older", /hook program.*another version/, () => home.write("program.cjs", "// newer")],
  ["broken", "the launcher is gone", /bin\/moth-hook is missing/, () => rmSync(home.at(".moth/bin/moth-hook"))],
  ["broken", "the program is gone", /moth-hook\.cjs is missing/, () => rmSync(home.at(".moth/lib/moth-hook.cjs"))],
  ["broken", "the launcher may not run", /may not be run/, () => chmodSync(home.at(".moth/bin/moth-hook"), 0o644)],
  ["broken", "the settings broke", /settings\.json:1:2 is not JSON/, () => home.write(SETTINGS, "{hooks")],
  [
    "broken",
    "a pipe took its place",
    /settings\.json is not a plain file/,
    () => {
      rmSync(home.at(SETTINGS));
      home.makePipe(SETTINGS);
    },
  ],
  [
    "broken",
    "a pipe took the program's place",
    /moth-hook\.cjs is not a plain file/,
    () => {
      rmSync(home.at(".moth/lib/moth-hook.cjs"));
      home.makePipe(".moth/lib/moth-hook.cjs");
    },
  ],
  [
    "broken",
    "a comment came in",
    /:2:11: Claude Code reads plain JSON/,
    () => home.write(SETTINGS, home.read(SETTINGS).replace("1,", "1, //")),
  ],
  [
    "disabled",
    "hooks are off",
    /disableAllHooks/,
    () => home.write(SETTINGS, home.read(SETTINGS).replace('"a": 1', '"disableAllHooks": true')),
  ],
  [
    "duplicate",
    "the plugin is on as well",
    /2 ways/,
    () => home.write(SETTINGS, home.read(SETTINGS).replace('"a": 1', '"enabledPlugins": {"moth@moth": true}')),
  ],
])("is %s when %s", async (status, _name, problem, change) => {
  change();
  const found = await health(home.options);
  expect([found.status, found.problem ?? ""]).toEqual([status, expect.stringMatching(problem)]);
});

describe("the Node that was recorded at the hooking", () => {
  it("is no matter of the version", async () => {
    await hookWith(otherNode());
    expect(await health(home.options)).toEqual({ status: "installed", where: [home.at(SETTINGS)] });
    home.write(".moth/bin/moth-hook", home.read(".moth/bin/moth-hook").replace("unset NODE_OPTIONS", ""));
    expect(await health(home.options)).toMatchObject({
      status: "outdated",
      problem: expect.stringContaining("another version") as string,
    });
  });

  it("is worth a word when it is gone and another takes its place", async () => {
    await hookWith("/gone/node");
    otherNode();
    expect(await health({ ...home.options, env: { ...home.options.env, PATH: home.at("other") } })).toMatchObject({
      status: "installed",
      problem: expect.stringContaining("/gone/node") as string,
    });
  });

  it("is missed when there is no other", async () => {
    await hookWith("/gone/node");
    const found = await health({ ...home.options, env: { ...home.options.env, PATH: "/nowhere" } });
    expect(found).toMatchObject({ status: "broken", problem: expect.stringContaining("no Node") as string });
  });
});

it("sees the plugin alone", async () => {
  home.write(SETTINGS, '{"enabledPlugins": {"moth@market": true, "other@market": true, "mothball@x": true}}');
  expect(await health(home.options)).toEqual({ status: "installed", where: ["plugin moth@market"] });
});

it("a project that is hooked beside the person is hooked twice", async () => {
  const project = { ...home.options, project: home.at("app") };
  expect((await health(project)).status).toBe("not-installed");
  await applyPlan(await planHook(project), home.options.env);
  expect(await health(project)).toMatchObject({
    status: "duplicate",
    where: [home.at("app/.claude/settings.json"), home.at(SETTINGS)],
  });
});

it("projects that are hooked are seen without naming them, and the person beside them is hooked twice", async () => {
  await applyPlan(await planUnhook(home.options), home.options.env);
  const files = ["a", "b"].map((name) => home.at(`${name}/.claude/settings.json`));
  for (const name of ["a", "b"]) await applyPlan(await planHook({ ...home.options, project: home.at(name) }), home.options.env);
  expect(await health(home.options)).toEqual({ status: "installed", where: files });
  home.write("b/.claude/settings.json", home.read("b/.claude/settings.json").replace(/.*"Stop".*\n/, ""));
  expect(await health(home.options)).toEqual({
    status: "modified",
    where: files,
    problem: `moth's hooks in ${files[1]} are not as moth wrote them.`,
    advice: `To mend that: moth hook claude-code --project '${home.at("b")}'`,
  });
  await applyPlan(await planHook({ ...home.options, project: home.at("b") }), home.options.env);
  await applyPlan(await planHook(home.options), home.options.env);
  expect(await health(home.options)).toMatchObject({ status: "duplicate", where: [home.at(SETTINGS), ...files] });
  await applyPlan(await planUnhook({ ...home.options, project: home.at("a") }), home.options.env);
  home.write("b/.claude/settings.json", "{");
  expect(await health(home.options)).toMatchObject({
    status: "broken",
    where: [files[1], home.at(SETTINGS)],
    problem: expect.stringContaining(String(files[1])) as string,
  });
  rmSync(home.at("b"), { recursive: true });
  expect(await health(home.options)).toEqual({ status: "installed", where: [home.at(SETTINGS)] });
});

it("another profile that is hooked beside the person is no second way", async () => {
  const env = { ...home.options.env, CLAUDE_CONFIG_DIR: home.at("job") };
  await applyPlan(await planHook({ ...home.options, env }), env);
  const where = [home.at(SETTINGS), home.at("job/settings.json")];
  expect(await health(home.options)).toEqual({ status: "installed", where });
  expect(await health({ ...home.options, env })).toEqual({ status: "installed", where: where.toReversed() });
});
