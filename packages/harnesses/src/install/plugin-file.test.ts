import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { InstallOptions, Plan } from "../types.ts";
import { applyPlan } from "./apply.ts";
import { PlanError } from "./plan-error.ts";
import { planNoPluginFile, planPluginFile, type PluginFile, pluginFileHealth } from "./plugin-file.ts";

const BUILT = "// @moth-companion/thing: version 2\nexport default 2;\n";
const OLDER = "// @moth-companion/thing: version 1\nexport default 1;\n";

let home: string;
let options: InstallOptions;
let target: PluginFile;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-plugin-file-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const built = join(home, "built.js");
  writeFileSync(built, BUILT);
  options = { env: { MOTH_HOME: join(home, ".moth") }, hookProgram: "", node: "", findPlugin: () => built };
  target = { harness: "thing", file: join(home, "a", "b", "moth.js"), plugin: "@moth-companion/thing/moth.js" };
});

const apply = async (plan: Promise<Plan>): Promise<unknown> => applyPlan(await plan, options.env);
const health = (): string => pluginFileHealth(options, target, []).status;

test("the plugin is put in its place with its folders, and all of it goes again", async () => {
  expect(health()).toBe("not-installed");
  await apply(planPluginFile(options, target));
  expect(readFileSync(target.file, "utf8")).toBe(BUILT);
  expect(health()).toBe("installed");
  await apply(planNoPluginFile(options, target));
  expect(existsSync(join(home, "a"))).toBe(false);
  expect(existsSync(join(home, ".moth", "hooks.json"))).toBe(false);
  expect(health()).toBe("not-installed");
});

test("a second time nothing is written", async () => {
  await apply(planPluginFile(options, target));
  const { mtimeMs } = statSync(target.file);
  const again = await planPluginFile(options, target);
  expect(again.changes).toEqual([]);
  expect(statSync(target.file).mtimeMs).toBe(mtimeMs);
});

test("an older one is replaced, and the folders are still known afterwards", async () => {
  writeFileSync(options.findPlugin(""), OLDER);
  await apply(planPluginFile(options, target));
  writeFileSync(options.findPlugin(""), BUILT);
  expect(health()).toBe("outdated");
  await apply(planPluginFile(options, target));
  expect(health()).toBe("installed");
  await apply(planNoPluginFile(options, target));
  expect(existsSync(join(home, "a"))).toBe(false);
});

test("one that somebody changed is modified; without moth's notes nobody can tell it from an older one", async () => {
  await apply(planPluginFile(options, target));
  writeFileSync(target.file, OLDER);
  expect(health()).toBe("modified");
  rmSync(join(home, ".moth"), { recursive: true });
  expect(health()).toBe("outdated");
});

test("what else lives in the folders stays, and so do the folders", async () => {
  mkdirSync(join(home, "a"));
  await apply(planPluginFile(options, target));
  writeFileSync(join(home, "a", "b", "mine.js"), "mine");
  await apply(planNoPluginFile(options, target));
  expect(readFileSync(join(home, "a", "b", "mine.js"), "utf8")).toBe("mine");
  expect(existsSync(target.file)).toBe(false);
});

test("another program's file of that name is left alone, by hook and by unhook", async () => {
  mkdirSync(join(home, "a", "b"), { recursive: true });
  writeFileSync(target.file, "export default () => {}; // @moth-companion/thing: no\n");
  expect(health()).toBe("overwritten");
  await expect(planPluginFile(options, target)).rejects.toThrow(PlanError);
  await expect(planPluginFile(options, target)).rejects.toThrow(target.file);
  expect((await planNoPluginFile(options, target)).changes).toEqual([]);
});

test("unhook takes moth's own file away even when moth's notes are gone", async () => {
  await apply(planPluginFile(options, target));
  rmSync(join(home, ".moth"), { recursive: true });
  await apply(planNoPluginFile(options, target));
  expect(existsSync(target.file)).toBe(false);
});

test("a plugin that a settings file names, too, is loaded twice; one that only it names is installed", async () => {
  expect(pluginFileHealth(options, target, ["settings.json"])).toEqual({ status: "installed", where: ["settings.json"] });
  await apply(planPluginFile(options, target));
  expect(pluginFileHealth(options, target, ["settings.json"])).toMatchObject({
    status: "duplicate",
    where: [target.file, "settings.json"],
  });
});

test("a folder in its place is a problem that is told", () => {
  mkdirSync(target.file, { recursive: true });
  expect(pluginFileHealth(options, target, [])).toMatchObject({
    status: "broken",
    problem: expect.stringContaining(target.file) as string,
  });
});

test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "a folder that may not be written is an error for the person",
  async () => {
    mkdirSync(join(home, "a"));
    chmodSync(join(home, "a"), 0o500);
    await expect(apply(planPluginFile(options, target))).rejects.toThrow(/cannot be written/);
  },
);

test.skipIf(process.platform === "win32")("a pipe in its place is not waited at", async () => {
  await apply(planPluginFile(options, target));
  rmSync(target.file);
  execFileSync("mkfifo", [target.file]);
  const problem = `${target.file} is not a plain file. Move it away and try again.`;
  await expect(planPluginFile(options, target)).rejects.toThrow(problem);
  await expect(planNoPluginFile(options, target)).rejects.toThrow(problem);
  expect(pluginFileHealth(options, target, [])).toEqual({ status: "broken", where: [], problem });
});

test("a project's is seen and taken out without naming the project; a project that is gone is forgotten", async () => {
  const inProject = (name: string): PluginFile => ({ ...target, file: join(home, name, "moth.js") });
  for (const name of ["one", "two", "three"]) {
    const project = join(home, name);
    mkdirSync(project);
    await apply(planPluginFile({ ...options, project }, inProject(name)));
  }
  rmSync(join(home, "two"), { recursive: true });
  const where = [inProject("one").file, inProject("three").file];
  expect(pluginFileHealth(options, target, [])).toEqual({ status: "installed", where });
  writeFileSync(options.findPlugin(""), `${BUILT}// newer\n`);
  expect(pluginFileHealth(options, target, [])).toMatchObject({ status: "outdated", where });
  await apply(planNoPluginFile({ ...options, project: join(home, "one") }, inProject("one")));
  expect(existsSync(inProject("three").file)).toBe(true);
  await apply(planNoPluginFile(options, target));
  expect(["one", "three"].flatMap((name) => readdirSync(join(home, name)))).toEqual([]);
  expect(existsSync(join(home, ".moth", "hooks.json"))).toBe(false);
});
