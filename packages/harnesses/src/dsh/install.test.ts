import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyPlan } from "../install/apply.ts";
import type { InstallOptions } from "../types.ts";
import { dsh } from "./index.ts";

const BUILT = "// @moth-companion/dsh: built\n";
const ROW =
  "- insert: [{ id: moth, name: ../../moth.mjs, disabled: !!js \"process.getBuiltinModule?.('node:fs').existsSync(new URL('../../moth.mjs', baseUrl)) === false\" }]";

let root: string;
let options: InstallOptions;
const at = (name: string): string => join(root, ".dsh", name);
const read = (name: string): string => readFileSync(at(name), "utf8");
const hook = async (): Promise<void> => void (await applyPlan(await dsh.planHook(options), options.env));
const unhook = async (): Promise<void> => void (await applyPlan(await dsh.planUnhook(options), options.env));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "moth dsh "));
  writeFileSync(join(root, "built.mjs"), BUILT);
  const env = { HOME: root, USERPROFILE: root, PATH: "" };
  options = { env, hookProgram: "", findPlugin: () => join(root, "built.mjs"), node: process.execPath };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}

test("hooking puts a file and a row; unhooking leaves neither, and no folder", async () => {
  expect(await dsh.health(options)).toEqual({ status: "not-installed", where: [] });
  await hook();
  expect(read("moth.mjs")).toBe(BUILT);
  expect(read("cordis.patch.yml")).toBe(`${ROW}\n`);
  expect(await dsh.health(options)).toEqual({ status: "installed", where: [at("cordis.patch.yml"), at("moth.mjs")] });
  expect((await dsh.planHook(options)).changes).toEqual([]);
  await unhook();
  expect(existsSync(join(root, ".dsh"))).toBe(false);
  expect(existsSync(join(root, ".moth", "hooks.json"))).toBe(false);
  expect((await dsh.planUnhook(options)).changes).toEqual([]);
});

test("the file comes before the row, and goes after it: at no moment is there a row without one", async () => {
  expect(await order(dsh.planHook(options))).toEqual([at("moth.mjs"), at("cordis.patch.yml")]);
  await hook();
  expect(await order(dsh.planUnhook(options))).toEqual([at("cordis.patch.yml"), at("moth.mjs")]);
});

async function order(plan: ReturnType<typeof dsh.planHook>): Promise<string[]> {
  return (await plan).changes.map(({ file }) => file).filter((file) => file.startsWith(join(root, ".dsh")));
}

test.each(['# mine\r\n-   id: web   # why\r\n    disabled: !!js "1 > 2"', "[]\n", "# none yet\n"])(
  "a person's own %j comes back to the byte",
  async (text) => {
    write("cordis.patch.yml", text);
    await hook();
    expect(read("cordis.patch.yml")).toContain(ROW.slice(2));
    await unhook();
    expect(read("cordis.patch.yml")).toBe(text);
  },
);

test("what the person adds while moth is in stays, and dsh can still read the file when moth goes", async () => {
  await hook();
  write("cordis.patch.yml", `# mine\n${read("cordis.patch.yml")}`);
  await unhook();
  // dsh starts with no file, but not with one of comments alone.
  expect(read("cordis.patch.yml")).toBe("# mine\n[]\n");
});

test("another plugin with moth's id is not replaced, and a file that is no list is left alone", async () => {
  write("cordis.patch.yml", "- insert: [{ id: moth, name: ./lamp.mjs }]\n");
  await expect(dsh.planHook(options)).rejects.toThrow(/another plugin with the id "moth"/);
  write("cordis.patch.yml", "insert: []\n");
  await expect(dsh.planHook(options)).rejects.toThrow(/no list of patches/);
  expect(existsSync(at("moth.mjs"))).toBe(false);
  expect(await dsh.health(options)).toMatchObject({ status: "not-installed", problem: expect.stringContaining("no list") });
});

test("health tells a missing file, a missing row, a disabled row, a changed one and another's file", async () => {
  await hook();
  rmSync(at("moth.mjs"));
  expect(await dsh.health(options)).toMatchObject({ status: "broken", problem: expect.stringContaining("missing: dsh starts") });
  await hook();
  expect((await dsh.health(options)).status).toBe("installed");
  write("cordis.patch.yml", "[]\n");
  expect(await dsh.health(options)).toMatchObject({ status: "broken", problem: expect.stringContaining("row is missing") });
  write("cordis.patch.yml", "- insert:\n    - id: moth\n      name: ../../moth.mjs\n      disabled: true\n");
  expect((await dsh.health(options)).status).toBe("disabled");
  write("cordis.patch.yml", `- insert: [{ id: moth, name: ${at("moth.mjs")} }]\n`);
  expect((await dsh.health(options)).status).toBe("modified");
  await hook();
  expect(read("cordis.patch.yml")).toBe(`${ROW}\n`);
  write("moth.mjs", "// another's\n");
  expect((await dsh.health(options)).status).toBe("overwritten");
  await expect(dsh.planHook(options)).rejects.toThrow(/not moth's/);
});

test("a bundle in a profile is a way, too, and with the row it is the same one", async () => {
  write("profiles/web/package.json", '{"dsh":{"profile":{"bundles":["@deepseek-ai/dsh-base","@moth-companion/dsh"]}}}');
  write("profiles/odd/package.json", "{");
  expect(await dsh.health(options)).toEqual({ status: "installed", where: [at("profiles/web/package.json")] });
  await hook();
  expect(await dsh.health(options)).toMatchObject({ status: "installed" });
});

test("a project is refused: dsh has no settings there", async () => {
  await expect(dsh.planHook({ ...options, project: root })).rejects.toThrow(/without --project/);
});

test("`DSH_HOME` is where it is put, `~` and blanks as dsh reads them", async () => {
  for (const [given, folder] of [
    ["~/other", join(root, "other")],
    ["  ", join(root, ".dsh")],
    [join(root, "third"), join(root, "third")],
  ] as const)
    expect((await dsh.detect({ ...options.env, DSH_HOME: given })).configDir).toBe(folder);
  expect(readdirSync(root)).toEqual(["built.mjs"]);
});
