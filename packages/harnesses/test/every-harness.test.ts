/** What holds of every harness there is, the ones that will be added too. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { healthOf } from "../src/health.ts";
import { applyPlan } from "../src/install/apply.ts";
import { PlanError } from "../src/install/plan-error.ts";
import { harnesses } from "../src/registry.ts";
import type { Harness, Health, InstallOptions } from "../src/types.ts";
import { checkCasesInTurn } from "./generate/dice.ts";
import { installPrograms, makeWholeHome, snapshot, type WholeHome, writeSettings } from "./whole-home.ts";

const MINUTES = 5 * 60_000;

async function wholeHome(env: Record<string, string> = {}): Promise<WholeHome> {
  const home = await makeWholeHome(env);
  onTestFinished(() => home.remove());
  return home;
}

const hook = async (harness: Harness, options: InstallOptions): Promise<unknown> =>
  applyPlan(await harness.planHook(options), options.env);
const unhook = async (harness: Harness, options: InstallOptions): Promise<unknown> =>
  applyPlan(await harness.planUnhook(options), options.env);

test(
  "all are hooked into one home, again, and out: every byte, mode and link is as before, and no folder is left",
  { timeout: MINUTES },
  async () => {
    await checkCasesInTurn(8, async (dice, note) => {
      const home = await makeWholeHome();
      try {
        if (!dice.once(4)) writeSettings(dice, home.path, home.settings);
        const before = snapshot(home.path);
        note(JSON.stringify(before, null, 1));
        const hooked: Harness[] = [];
        for (const harness of harnesses) {
          try {
            await hook(harness, home.options);
            hooked.push(harness);
          } catch (error) {
            // A shape of file that it must leave alone.
            if (!(error instanceof PlanError)) throw error;
            continue;
          }
          note(harness.id);
          expect((await harness.planHook(home.options)).changes).toEqual([]);
        }
        for (const harness of dice.once(2) ? hooked : hooked.toReversed()) await unhook(harness, home.options);
        expect(snapshot(home.path)).toEqual(before);
        expect(existsSync(home.at(".moth/hooks.json"))).toBe(false);
      } finally {
        home.remove();
      }
    });
  },
);

test("what the person adds to a file while moth is in it stays when moth goes", { timeout: MINUTES }, async () => {
  await checkCasesInTurn(3, async (dice, note) => {
    const home = await makeWholeHome();
    try {
      writeSettings(dice, home.path, home.settings);
      const files = home.settings.map(({ file }) => file).filter((file) => existsSync(file));
      const before = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
      note(JSON.stringify([...before]));
      const hooked: Harness[] = [];
      for (const harness of harnesses)
        await hook(harness, home.options).then(
          () => hooked.push(harness),
          () => undefined,
        );
      for (const file of files) appendFileSync(file, added(file));
      for (const harness of hooked) await unhook(harness, home.options);
      for (const file of files) expect(essence(readFileSync(file, "utf8"))).toBe(essence(before.get(file) + added(file)));
    } finally {
      home.remove();
    }
  });
});

function added(file: string): string {
  return /\.jsonc?$/.test(file) ? "\n/* mine */\n" : "\n# mine\n";
}

/** Without the white space, and without the empty list that a file of comments may get where its program needs one. */
function essence(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/ \[\]$/, "");
}

describe.each(harnesses.map((harness) => [harness.id, harness] as const))("%s", (_, harness) => {
  test("is found by its program", async () => {
    const home = await wholeHome();
    const PATH = installPrograms(home.path);
    expect(await harness.detect({ ...home.options.env, PATH })).toMatchObject({
      found: true,
      program: join(home.path, "bin", process.platform === "win32" ? `${harness.program}.CMD` : harness.program),
    });
  });

  test("is not found where it is not", async () => {
    const home = await wholeHome();
    const { found, configDir } = await harness.detect(home.options.env);
    expect(found).toBe(false);
    expect(configDir.startsWith(home.path)).toBe(true);
  });

  test.each(harness.movedBy)("%s moves its settings: moth is put there, seen there, and taken out there", async (name) => {
    const usual = await wholeHome();
    const value = name.endsWith("PROFILE") ? "elsewhere" : join(usual.path, "elsewhere");
    const options = { ...usual.options, env: { ...usual.options.env, [name]: value } };
    const { configDir } = await harness.detect(options.env);
    expect(configDir).toContain("elsewhere");
    await hook(harness, options);
    const { where } = await harness.health(options);
    expect(where.length).toBeGreaterThan(0);
    for (const path of where) expect(path).toContain("elsewhere");
    const made = Object.entries(snapshot(usual.path)).filter(([, what]) => !what.endsWith(" folder"));
    expect(made.map(([path]) => path).filter((path) => !path.includes("elsewhere"))).toEqual([
      "moth-hook-program.js",
      "program.cjs",
    ]);
    await unhook(harness, options);
    expect(Object.keys(snapshot(usual.path))).toEqual(["moth-hook-program.js", "program.cjs"]);
  });

  test("its health tells apart what is right, older, changed, and gone", async () => {
    const home = await wholeHome();
    const status = async (): Promise<string> => {
      const health = await healthOf(harness, home.options);
      expectSentences(health);
      return health.status;
    };
    expect(await status()).toBe("not-installed");
    const { changes } = await harness.planHook(home.options);
    await hook(harness, olderMoth(home));
    expect(await status()).toBe("outdated");
    await hook(harness, home.options);
    expect(await status()).toBe("installed");

    const files = changes.map(({ file }) => file).filter((one) => !one.startsWith(home.at(".moth")));
    const file = files.find((one) => /\.(m?js|py|json)$/.test(one)) ?? "";
    const text = readFileSync(file, "utf8");
    writeFileSync(file, changedByHand(file, text));
    expect(await status()).toBe("modified");
    await hook(harness, home.options);
    expect(await status()).toBe("installed");

    // Each one alone, and what they run.
    for (const one of [...files, ...ran(home)]) {
      const bytes = readFileSync(one);
      rmSync(one);
      await status();
      writeFileSync(one, bytes, { mode: 0o755 });
    }
    expect(await status()).toBe("installed");

    for (const one of files) rmSync(one, { force: true });
    expect(await healthOf(harness, home.options)).toMatchObject({ status: "overwritten", problem: expect.any(String) as string });
    await unhook(harness, home.options);
    expect(await status()).toBe("not-installed");
  });
});

/** Settings as their harness cannot mean them: what a person has made by mistake. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  ".json": ["[]\n", '"text"\n', '{ "hooks": 1, "moth": 1 }\n', '{ "hooks": [], "moth": [] }\n', "{ \n"],
  ".jsonc": ["[]\n", '"text"\n', '{ "plugin": 1 }\n', '{ "plugin": {} }\n', "{ \n"],
  ".yaml": ["plugins: 1\n", "plugins: [moth]\n", "- a\n", "plugins: {enabled: 1}\n", "plugins: [\n"],
  ".yml": ["a: 1\n", "text\n", "[\n"],
};

describe.each(harnesses.map((harness) => [harness.id, harness] as const))("%s", (_, harness) => {
  test("settings that keep moth out are said to, with the file, before it is hooked", async () => {
    const home = await wholeHome();
    const files = (await harness.planHook(home.options)).changes.filter(({ own }) => !own).map(({ file }) => file);
    for (const file of files)
      for (const text of WRONG[extname(file)] ?? []) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        const health = await healthOf(harness, home.options);
        const refused = await harness.planHook(home.options).then(
          () => undefined,
          (error: unknown) => error as PlanError,
        );
        const shape = JSON.stringify(text);
        expect([shape, health.status]).toEqual([shape, "not-installed"]);
        expect([shape, health.problem]).toEqual([shape, refused?.message]);
        if (health.problem !== undefined) expect(health.problem).toContain(file);
        // Braces that hold no hooks are the only ones that moth may write into.
        if (text.startsWith("[") || text.startsWith('"')) expect([shape, refused?.name]).toEqual([shape, "PlanError"]);
      }
  });

  test("a plugin file that the person changed is kept when moth goes, and when it comes anew", async () => {
    const home = await wholeHome();
    await hook(harness, home.options);
    const plugins = (await harness.planUnhook(home.options)).changes
      .filter(({ file, own }) => own && !file.startsWith(home.at(".moth")) && /\.(m?js|py)$/.test(file))
      .map(({ file }) => file);
    for (const action of [unhook, hook])
      for (const file of plugins) {
        await hook(harness, home.options);
        appendFileSync(file, "\n# mine\n");
        await action(harness, home.options);
        const kept = home.backups().map((name) => readFileSync(home.at(name), "utf8"));
        expect(kept).toEqual([expect.stringMatching(/# mine\n$/)]);
        for (const name of home.backups()) rmSync(home.at(name));
      }
    await hook(harness, olderMoth(home));
    await hook(harness, home.options);
    await unhook(harness, home.options);
    expect(home.backups()).toEqual([]);
  });
});

/** A moth of another version: other programs, other plugins, and in settings other entries. */
function olderMoth(home: WholeHome): InstallOptions {
  const { options } = home;
  home.write("older/moth-hook.cjs", "// what started an older hook program\n");
  home.write("older/moth-hook-program.js", "// an older hook program\n");
  const findPlugin = (specifier: string): string => {
    const built = options.findPlugin(specifier);
    const folder = home.at(`older/${specifier}`);
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(dirname(built)).filter((one) => /\.(m?js|py|yaml)$/.test(one)))
      writeFileSync(
        join(folder, name),
        readFileSync(join(dirname(built), name), "utf8") + (name.endsWith("js") ? "// older\n" : "# older\n"),
      );
    return join(folder, basename(built));
  };
  return { ...options, hookProgram: home.at("older/moth-hook.cjs"), findPlugin };
}

function ran(home: WholeHome): string[] {
  return [home.at(".moth/lib/moth-hook.cjs"), home.at(".moth/bin/moth-hook")].filter((file) => existsSync(file));
}

/** A problem follows a harness's name and a colon; an advice stands for itself, and what is to be copied ends it. */
function expectSentences({ status, problem, advice }: Health): void {
  if (status !== "installed" && status !== "not-installed") expect(problem).toEqual(expect.any(String));
  if (problem !== undefined) expect(problem).toMatch(/^\S.*[.!?]$/);
  if (advice !== undefined) expect(advice).toMatch(/^[A-Z][a-z]* .*(?:[.!?]|: \S.*[^.!?])$/);
}

function changedByHand(file: string, text: string): string {
  if (file.endsWith(".json"))
    return JSON.stringify(JSON.parse(text), (_, value: unknown) => (isEntry(value) ? { ...value, mine: 1 } : value));
  return text + (file.endsWith(".py") ? "# mine\n" : "// mine\n");
}

function isEntry(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "mine" in value) return false;
  return Object.values(value).some((one) => typeof one === "string" && one.includes("moth-hook"));
}
