/** What holds of every harness there is, the ones that will be added too. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { healthOf } from "../src/health.ts";
import { applyPlan } from "../src/install/apply.ts";
import { PlanError } from "../src/install/plan-error.ts";
import { harnesses } from "../src/registry.ts";
import type { Harness, InstallOptions } from "../src/types.ts";
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
  return file.endsWith(".json") ? "\n/* mine */\n" : "\n# mine\n";
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
    expect(made.map(([path]) => path).filter((path) => !path.includes("elsewhere"))).toEqual(["program.cjs"]);
    await unhook(harness, options);
    expect(Object.keys(snapshot(usual.path))).toEqual(["program.cjs"]);
  });

  test("its health tells apart what is right, older, changed, and gone", async () => {
    const home = await wholeHome();
    const status = async (): Promise<string> => (await healthOf(harness, home.options)).status;
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

    for (const one of files) rmSync(one, { force: true });
    expect(await healthOf(harness, home.options)).toMatchObject({ status: "overwritten", problem: expect.any(String) as string });
    await unhook(harness, home.options);
    expect(await status()).toBe("not-installed");
  });
});

/** A moth of another version: other programs, other plugins, and in settings other entries. */
function olderMoth(home: WholeHome): InstallOptions {
  const { options } = home;
  home.write("older.cjs", "// an older hook program\n");
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
  return { ...options, hookProgram: home.at("older.cjs"), findPlugin };
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
