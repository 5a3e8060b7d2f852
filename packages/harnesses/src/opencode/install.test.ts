import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyPlan } from "../install/apply.ts";
import { kilo, KILO } from "../kilo/index.ts";
import type { InstallOptions } from "../types.ts";
import { openCode } from "./index.ts";
import { OPENCODE } from "./variant.ts";

const BUILT = "// @moth-companion/opencode: the built plugin\nexport default async () => ({});\n";

let home: string;
let options: InstallOptions;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth opencode "));
  const built = join(home, "built.js");
  writeFileSync(built, BUILT);
  const env = { HOME: home, USERPROFILE: home, MOTH_HOME: join(home, ".moth"), PATH: "" };
  options = { env, hookProgram: "", findPlugin: () => built, node: process.execPath };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const [harness, variant] of [
  [openCode, OPENCODE],
  [kilo, KILO],
] as const) {
  const folder = (): string => join(home, ".config", variant.folder);
  const file = (): string => join(folder(), "plugins", "moth.js");
  const names = (): string => join(folder(), "tui.jsonc");
  const drawing = (): string => join(folder(), "moth-window.js");
  const hook = async (): Promise<void> => void (await applyPlan(await harness.planHook(options), options.env));
  const unhook = async (): Promise<void> => void (await applyPlan(await harness.planUnhook(options), options.env));
  const withEnv = (env: Record<string, string>): void => {
    options = { ...options, env: { ...options.env, ...env } };
  };

  // oxlint-disable-next-line vitest/valid-title -- one block per harness
  describe(harness.name, () => {
    test("hooking puts the built files beside the settings and names the one for the window; unhooking leaves nothing", async () => {
      expect(await harness.health(options)).toEqual({ status: "not-installed", where: [] });
      await hook();
      for (const built of [file(), drawing()]) expect(readFileSync(built, "utf8")).toBe(BUILT);
      expect(readFileSync(names(), "utf8")).toBe('{\n  "plugin": ["./moth-window.js"]\n}\n');
      expect(await harness.health(options)).toEqual({ status: "installed", where: [file(), names()] });
      await unhook();
      expect(existsSync(folder())).toBe(false);
      expect(existsSync(join(home, ".moth", "hooks.json"))).toBe(false);
      expect((await harness.planUnhook(options)).changes).toEqual([]);
    });

    test("hooking twice changes nothing the second time", async () => {
      await hook();
      const { mtimeMs } = statSync(file());
      expect((await harness.planHook(options)).changes).toEqual([]);
      await hook();
      expect(statSync(file()).mtimeMs).toBe(mtimeMs);
    });

    test("an older plugin of moth's is outdated, and replaced", async () => {
      write(file(), "// @moth-companion/opencode: an older one\n");
      expect((await harness.health(options)).status).toBe("outdated");
      await hook();
      expect(readFileSync(file(), "utf8")).toBe(BUILT);
    });

    test("the person's own plugins, settings and folders stay", async () => {
      const own = ["plugins/own.js", "opencode.json", "package.json", "tui.json"].map((name) => join(folder(), name));
      for (const path of own) write(path, "// mine");
      await hook();
      await unhook();
      for (const path of own) expect(readFileSync(path, "utf8")).toBe("// mine");
      expect(readdirSync(join(folder(), "plugins"))).toEqual(["own.js"]);
    });

    test.each(['{ // mine\n\t"theme": "x",\n}', '{"plugin": ["./own.js"]}', "\uFEFF{}\r\n"])(
      "the person's %j for the window comes back to the byte",
      async (text) => {
        write(names(), text);
        await hook();
        expect(readFileSync(names(), "utf8")).toContain('"./moth-window.js"');
        await unhook();
        expect(readFileSync(names(), "utf8")).toBe(text);
        expect(readdirSync(folder()).filter((name) => !name.includes(".bak-moth-"))).toEqual(["tui.jsonc"]);
      },
    );

    test("settings of the window that cannot be read keep moth out, and are told of when they come later", async () => {
      write(names(), '{"plugin": {}}');
      await expect(harness.planHook(options)).rejects.toMatchObject({ name: "PlanError", file: names() });
      expect(existsSync(file())).toBe(false);
      rmSync(names());
      await hook();
      write(names(), "{ ");
      expect(await harness.health(options)).toMatchObject({ status: "broken", problem: expect.stringContaining(names()) });
    });

    test("health tells of a half that is missing, changed, not named, or of a time before it", async () => {
      await hook();
      rmSync(drawing());
      expect(await harness.health(options)).toMatchObject({ status: "broken", problem: `${drawing()} is missing.` });
      await hook();
      write(drawing(), `${BUILT}// mine\n`);
      expect((await harness.health(options)).status).toBe("modified");
      write(drawing(), "// another's\n");
      expect((await harness.health(options)).status).toBe("overwritten");
      await expect(harness.planHook(options)).rejects.toMatchObject({ name: "PlanError", file: drawing() });
      rmSync(drawing());
      await hook();
      rmSync(names());
      expect(await harness.health(options)).toMatchObject({ status: "broken", problem: expect.stringContaining("not named") });
      await unhook();
      write(file(), BUILT);
      expect((await harness.health(options)).status).toBe("outdated");
      await hook();
      expect((await harness.health(options)).status).toBe("installed");
    });

    test("projects that moth was put into are left with the person's settings", async () => {
      const person = options;
      await hook();
      options = { ...options, project: join(home, "project") };
      await hook();
      const inProject = join(home, "project", variant.dotFolders[0], "tui.jsonc");
      expect(existsSync(inProject)).toBe(true);
      options = person;
      await unhook();
      expect(existsSync(join(home, "project"))).toBe(false);
      expect(existsSync(folder())).toBe(false);
      expect(existsSync(join(home, ".moth", "hooks.json"))).toBe(false);
    });

    test("somebody else's moth.js is left alone, both ways", async () => {
      write(file(), "export const Lamp = async () => ({});\n");
      await expect(harness.planHook(options)).rejects.toMatchObject({ name: "PlanError", file: file() });
      expect((await harness.planUnhook(options)).changes).toEqual([]);
      expect((await harness.health(options)).status).toBe("overwritten");
    });

    test("the folder is the one of the environment", async () => {
      withEnv({ XDG_CONFIG_HOME: join(home, "xdg") });
      await hook();
      expect(existsSync(join(home, "xdg", variant.folder, "plugins", "moth.js"))).toBe(true);
      await unhook();
      withEnv({ [`${variant.prefix}_CONFIG_DIR`]: join(home, "extra dir") });
      expect(await harness.detect(options.env)).toEqual({ found: false, configDir: join(home, "extra dir") });
      await hook();
      expect(existsSync(join(home, "extra dir", "plugins", "moth.js"))).toBe(true);
    });

    test("empty variables count as missing", async () => {
      withEnv({ XDG_CONFIG_HOME: "", [`${variant.prefix}_CONFIG_DIR`]: "" });
      await hook();
      expect(existsSync(file())).toBe(true);
    });

    test("a project has a folder of its own", async () => {
      options = { ...options, project: join(home, "project") };
      await hook();
      expect(existsSync(join(home, "project", variant.dotFolders[0], "plugins", "moth.js"))).toBe(true);
      expect(existsSync(file())).toBe(false);
      await unhook();
      expect(existsSync(join(home, "project"))).toBe(false);
    });

    const others: [string, () => string, string][] = [
      [
        "named in the settings",
        () => join(folder(), `${variant.folder}.json`),
        '{"plugin": ["other", "@moth-companion/opencode"]}',
      ],
      [
        "named with a version and options, among comments",
        () => join(folder(), "opencode.jsonc"),
        '\uFEFF{ // mine\n "plugin": [["@moth-companion/opencode@1.0.0", {}]], }',
      ],
      ["named by its path", () => join(folder(), "opencode.json"), '{"plugin": ["../../built.js"]}'],
      ["in the other folder of plugins", () => join(folder(), "plugin", "moth.js"), BUILT],
      ["in the home folder", () => join(home, variant.dotFolders[0], "plugins", "moth.js"), BUILT],
    ];
    for (const [how, path, text] of others) {
      test(`a second one, ${how}, is told of; alone it counts as hooked`, async () => {
        write(path(), text);
        expect(await harness.health(options)).toEqual({ status: "installed", where: [path()] });
        await hook();
        expect(await harness.health(options)).toMatchObject({ status: "duplicate", where: [file(), path()] });
      });
    }

    test("settings that name others, or cannot be read, are no second one", async () => {
      write(join(folder(), "opencode.json"), '{"plugin": ["@moth-companion/opencode-extra", 5, [], "./own.js"]}');
      write(join(folder(), "opencode.jsonc"), '{"plugin": [');
      mkdirSync(join(folder(), "config.json"));
      await hook();
      expect((await harness.health(options)).status).toBe("installed");
    });

    test("it is found by its folder, or by its program", async () => {
      expect(await harness.detect(options.env)).toEqual({ found: false, configDir: folder() });
      mkdirSync(folder(), { recursive: true });
      expect(await harness.detect(options.env)).toEqual({ found: true, configDir: folder() });
    });
  });
}
