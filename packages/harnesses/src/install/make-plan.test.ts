import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeWholeHome, snapshot, type WholeHome } from "../../test/whole-home.ts";
import { harnesses } from "../registry.ts";
import type { Harness, InstallOptions, Plan } from "../types.ts";
import { applyPlan } from "./apply.ts";
import { makePlan } from "./make-plan.ts";
import { PlanError } from "./plan-error.ts";

interface Repository {
  home: WholeHome;
  folder: string;
  options: InstallOptions;
}

async function makeRepository(): Promise<Repository> {
  const home = await makeWholeHome();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "moth repository "));
  onTestFinished(() => {
    home.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  mkdirSync(home.at("private"));
  return { home, folder, options: { ...home.options, project: folder } };
}

/** The files a harness has in a project; none for those without settings of a project's. */
async function projectFiles(harness: Harness, { folder, options }: Repository): Promise<string[]> {
  try {
    const { changes } = await harness.planHook(options);
    return changes.map(({ file }) => file).filter((file) => !relative(folder, file).startsWith(".."));
  } catch (error) {
    if (error instanceof PlanError && error.code === "NO_PROJECT") return [];
    throw error;
  }
}

/** Puts moth in, and says why not. */
async function tryToHook(harness: Harness, options: InstallOptions): Promise<unknown> {
  try {
    return await applyPlan(await makePlan(harness, "hook", options), options.env);
  } catch (error) {
    return error;
  }
}

// Windows lets only some people make links.
describe.skipIf(process.platform === "win32").each(harnesses.map((harness) => [harness.id, harness] as const))(
  "%s",
  (_, harness) => {
    test("a file or folder of a project that leads out of it is refused, whatever is there, and nothing is touched", async () => {
      const repository = await makeRepository();
      const { home, folder, options } = repository;
      for (const file of await projectFiles(harness, repository)) {
        const ways: string[] = [file];
        for (let way = dirname(file); way !== folder; way = dirname(way)) ways.push(way);
        for (const link of ways) {
          for (const target of link === file ? ["private/secret", "private/broken", "private/not there"] : ["private"]) {
            writeFileSync(home.at("private/secret"), '{"token": "secret"}');
            writeFileSync(home.at("private/broken"), "{{{");
            mkdirSync(dirname(link), { recursive: true });
            symlinkSync(relative(realpathSync(dirname(link)), realpathSync(home.path)) + `/${target}`, link);
            const before = [snapshot(home.path, true), snapshot(folder, true)];
            expect(await tryToHook(harness, options)).toMatchObject({
              code: "LEADS_OUT",
              message: expect.stringMatching(/ leads out of the project, to .*private/) as string,
            });
            expect([snapshot(home.path, true), snapshot(folder, true)]).toEqual(before);
            for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
          }
        }
      }
    });

    test("a link that stays in the project is followed, and named", async () => {
      const repository = await makeRepository();
      const { folder, options } = repository;
      const [file] = await projectFiles(harness, repository);
      if (file === undefined) return;
      mkdirSync(join(folder, "shared"));
      mkdirSync(dirname(dirname(file)), { recursive: true });
      symlinkSync(join(folder, "shared"), dirname(file));
      const plan = await makePlan(harness, "hook", options);
      expect(plan.changes.find((change) => change.file === file)).toMatchObject({
        ...(plan.changes.some((change) => change.file === file && !change.own) && {
          real: expect.stringContaining("/shared/") as string,
        }),
      });
      await applyPlan(plan, options.env);
      expect(existsSync(file)).toBe(true);
      await applyPlan(await makePlan(harness, "unhook", options), options.env);
      expect(existsSync(file)).toBe(false);
    });
  },
);

const reals = (plan: Plan): (string | undefined)[] => plan.changes.map(({ real }) => real).filter((real) => real !== undefined);
const claude = harnesses[0] as Harness;

test.skipIf(process.platform === "win32")("a link that comes between the plan and the deed is refused as well", async () => {
  const { home, folder, options } = await makeRepository();
  mkdirSync(join(folder, ".claude"));
  const file = join(folder, ".claude/settings.json");
  const plan = await makePlan(claude, "hook", options);
  writeFileSync(home.at("private/secret"), "{}");
  symlinkSync(home.at("private/secret"), file);
  await expect(applyPlan(plan, options.env)).rejects.toMatchObject({ code: "LEADS_OUT" });
  expect(home.read("private/secret")).toBe("{}");
});

test.skipIf(process.platform === "win32")(
  "what an older moth put in through such a link is taken out; its copy lies beside the file",
  async () => {
    const { home, folder, options } = await makeRepository();
    home.write("private/secret", '{"token": "secret"}', 0o600);
    mkdirSync(join(folder, ".claude"));
    symlinkSync(home.at("private/secret"), join(folder, ".claude/settings.json"));
    const { changed } = await applyPlan(await claude.planHook(options), options.env);
    expect(changed.find(({ backup }) => backup)?.backup).toMatch(/\/private\/secret\.bak-moth-/);
    await applyPlan(await makePlan(claude, "unhook", options), options.env);
    expect(home.read("private/secret")).toBe('{"token": "secret"}');
    expect(Object.keys(snapshot(folder, true)).filter((file) => file.includes("bak"))).toEqual([]);
  },
);

test.skipIf(process.platform === "win32")(
  "in the person's own home a link is followed, and the plan names the file itself",
  async () => {
    const { home } = await makeRepository();
    home.write("dotfiles/claude.json", "{}");
    mkdirSync(home.at(".claude"));
    expect(reals(await makePlan(claude, "hook", home.options))).toEqual([]);
    symlinkSync("../dotfiles/claude.json", home.at(".claude/settings.json"));
    const plan = await makePlan(claude, "hook", home.options);
    expect(reals(plan)).toEqual([join(realpathSync(home.path), "dotfiles/claude.json")]);
    await applyPlan(plan, home.options.env);
    expect(home.backups()).toEqual([expect.stringMatching(/^dotfiles\/claude\.json\.bak-moth-/)]);
    await applyPlan(await makePlan(claude, "unhook", home.options), home.options.env);
    expect([home.read("dotfiles/claude.json"), home.backups()]).toEqual(["{}", []]);
  },
);
