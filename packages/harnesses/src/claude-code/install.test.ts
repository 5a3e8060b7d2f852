import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPlan } from "../install/apply.ts";
import { installer } from "../../test/installer.ts";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import { hookTable, planHook, planUnhook } from "./install.ts";

const SETTINGS = ".claude/settings.json";
let home: TestHome;
beforeEach(() => {
  home = makeTestHome();
});
afterEach(() => home.remove());

const { hook, unhook } = installer({ planHook, planUnhook }, () => home);
const modeOf = (file: string): number => statSync(home.at(file)).mode & 0o777;
const entry = (command: unknown, args: unknown): unknown => ({ type: "command", command, args });
const why = (plan: Promise<unknown>): Promise<unknown> =>
  plan.then(
    () => "no error",
    (error: unknown) => error,
  );

it("hooks each event in exec form, in the file's own layout", async () => {
  home.write(SETTINGS, '{\n    "model": "opus"\n}\n');
  await hook();
  const line = (event: string, rest = '["claude-code"], "timeout": 3'): string =>
    `        "${event}": [{ "hooks": [{ "type": "command", "command": "${home.path}/.moth/bin/moth-hook", "args": ${rest} }] }]`;
  const events = ["SessionStart", "UserPromptSubmit"].map((event) => line(event));
  const asks = line("PermissionRequest", '["claude-code", "asks"], "timeout": 86400');
  const rest = ["Stop", "StopFailure", "SessionEnd"].map((event) => line(event));
  const tool = line("PostToolUse", '["claude-code", "if-waiting"], "timeout": 3, "async": true');
  expect(home.read(SETTINGS)).toBe(
    `{\n    "model": "opus",\n    "hooks": {\n${[...events, asks, tool, ...rest].join(",\n")}\n    }\n}\n`,
  );
});

it("puts the program and its launcher into moth's folder, closed to others", async () => {
  await hook();
  expect(home.read(".moth/lib/moth-hook.cjs")).toBe("// the hook program\n");
  expect([".moth", ".moth/bin/moth-hook", ".moth/hooks.json"].map(modeOf)).toEqual([0o700, 0o755, 0o600]);
});

describe("gives back every byte", () => {
  it.each<[string, Record<string, string | Buffer>]>([
    ["nothing there", {}],
    ["a folder and no file", { ".claude/other.json": "{}" }],
    ["an empty file", { [SETTINGS]: "" }],
    ["white space", { [SETTINGS]: "\n\n" }],
    ["an empty object", { [SETTINGS]: "{}" }],
    ["a byte order mark", { [SETTINGS]: '\uFEFF{\r\n\t"a": 1\r\n}\r\n' }],
    ["no final newline", { [SETTINGS]: '{\n  "a": 1\n}' }],
    ["comments and commas", { [SETTINGS]: '// mine\n{\n  "a": 1, // one\n  /* two */ "b": [1,],\n}\n' }],
    ["empty hooks", { [SETTINGS]: '{\n  "hooks": {}\n}\n' }],
    ["an empty list", { [SETTINGS]: '{ "hooks": { "Stop": [] } }' }],
    ["others' hooks", { [SETTINGS]: '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"moth-hook beep"}]}]}}' }],
    ["odd indents", { [SETTINGS]: '   {\n         "a": {\n "b": 1}\n  }   \n\n' }],
    ["other letters", { [SETTINGS]: '{"ключ": "值 🦋"}' }],
  ])("%s", async (_name, files) => {
    for (const [file, text] of Object.entries(files)) home.write(file, text);
    const before = home.tree();
    const first = await hook();
    expect(first.changed.map(({ file }) => file)).toContain(home.at(SETTINGS));
    expect(Object.keys(before).includes(SETTINGS)).toBe(home.backups().length === 1);
    await unhook();
    expect(home.tree()).toEqual(before);
    expect(existsSync(home.at(".moth/hooks.json"))).toBe(false);
  });

  it("also after an upgrade, and after the person took part of it out", async () => {
    home.write(SETTINGS, '{\n  "hooks": {\n    "Stop": []\n  }\n}\n');
    const before = home.tree();
    await hook();
    home.write(
      SETTINGS,
      home
        .read(SETTINGS)
        .replaceAll(/"timeout": \d+/g, '"timeout": 9')
        .replace(/.*"SessionEnd".*\n/, "")
        .replace(/,(\s*\})/, "$1"),
    );
    home.write("program.cjs", "// a newer one\n");
    const again = await planHook(home.options);
    expect(again.changes.map(({ summary }) => summary)).toContain("adds 1 hook, updates 6 hooks");
    await applyPlan(again, home.options.env);
    expect(home.read(".moth/lib/moth-hook.cjs")).toBe("// a newer one\n");
    await unhook();
    expect(home.tree()).toEqual(before);
  });

  it("with what the person added since left in", async () => {
    await hook();
    home.write(SETTINGS, home.read(SETTINGS).replace("{\n", '{\n  "model": "opus",\n'));
    await unhook();
    expect(home.tree()).toEqual({ ".claude/": "", [SETTINGS]: '{\n  "model": "opus"\n}\n' });
  });

  it("twice: an empty table the person made after taking moth out by hand is theirs", async () => {
    await hook();
    home.write(SETTINGS, '{ "hooks": {} }');
    await hook();
    await unhook();
    expect(home.read(SETTINGS)).toBe('{ "hooks": {} }');
  });
});

it("changes nothing the second time, not even the time of the file", async () => {
  await hook();
  const old = new Date("2020-01-01");
  for (const file of [SETTINGS, ".moth/bin/moth-hook", ".moth/lib/moth-hook.cjs", ".moth/hooks.json"])
    utimesSync(home.at(file), old, old);
  expect((await planHook(home.options)).changes).toEqual([]);
  await hook();
  for (const file of [SETTINGS, ".moth/bin/moth-hook", ".moth/hooks.json"]) expect(statSync(home.at(file)).mtime).toEqual(old);
  await unhook();
  expect((await planUnhook(home.options)).changes).toEqual([]);
});

describe("links, modes and places", () => {
  it("writes through a link, and keeps a closed file closed, its backup too", async () => {
    home.write("dotfiles/claude.json", '{ "env": { "KEY": "secret" } }', 0o600);
    mkdirSync(home.at(".claude"));
    symlinkSync("../dotfiles/claude.json", home.at(SETTINGS));
    const { changed } = await hook();
    expect(lstatSync(home.at(SETTINGS)).isSymbolicLink()).toBe(true);
    expect(home.read("dotfiles/claude.json")).toContain("moth-hook");
    const backup = changed.find(({ backup }) => backup !== undefined)?.backup ?? "";
    expect(readFileSync(backup, "utf8")).toBe('{ "env": { "KEY": "secret" } }');
    expect([statSync(backup).mode & 0o777, modeOf("dotfiles/claude.json")]).toEqual([0o600, 0o600]);
    await unhook();
    expect(home.read("dotfiles/claude.json")).toBe('{ "env": { "KEY": "secret" } }');
  });

  it("makes the file a link points at, and takes it away again", async () => {
    mkdirSync(home.at(".claude"));
    mkdirSync(home.at("dotfiles"));
    symlinkSync("../dotfiles/claude.json", home.at(SETTINGS));
    const before = home.tree();
    await hook();
    expect(home.read("dotfiles/claude.json")).toContain("moth-hook");
    await unhook();
    expect(home.tree()).toEqual(before);
  });

  it("keeps odd modes", async () => {
    home.write(SETTINGS, "{}");
    chmodSync(home.at(SETTINGS), 0o664);
    await hook();
    expect(modeOf(SETTINGS)).toBe(0o664);
  });

  it("takes CLAUDE_CONFIG_DIR literally", async () => {
    for (const [given, file] of [
      [join(home.path, "job"), "job/settings.json"],
      [`${home.path}/job/../other/`, "other/settings.json"],
    ] as const) {
      const plan = await planHook({ ...home.options, env: { ...home.options.env, CLAUDE_CONFIG_DIR: given } });
      expect(plan.changes.map((change) => change.file)).toContain(home.at(file));
    }
    for (const [given, file] of [
      ["~/job", "~/job/settings.json"],
      ["", "settings.json"],
    ] as const) {
      const plan = await planHook({ ...home.options, env: { ...home.options.env, CLAUDE_CONFIG_DIR: given } });
      expect(plan.changes.map((change) => change.file)).toContain(join(process.cwd(), file));
      expect(plan.notes.join()).toContain("CLAUDE_CONFIG_DIR is no absolute path");
    }
  });

  it("hooks a project's settings when asked to", async () => {
    await hook({ ...home.options, project: home.at("my app") });
    expect(Object.keys(home.tree())).toEqual(["my app/", "my app/.claude/", "my app/.claude/settings.json"]);
    await unhook({ ...home.options, project: home.at("my app") });
    expect(home.tree()).toEqual({});
  });

  it("on Windows the settings name Node and the program themselves", () => {
    const options = { ...home.options, node: "C:\\Program Files\\nodejs\\node.exe", env: { MOTH_HOME: "/moth home" } };
    expect(hookTable(options, "win32").entries.get("Stop")).toEqual({
      type: "command",
      command: "C:\\Program Files\\nodejs\\node.exe",
      args: [join("/moth home", "lib", "moth-hook.cjs"), "claude-code"],
      timeout: 3,
    });
  });

  it("knows its entries of other installations and systems, and only those", () => {
    const table = hookTable(home.options);
    const isOurs = (value: unknown): boolean => table.isOurs(value);
    expect([
      isOurs(entry("/old/.moth/bin/moth-hook", ["claude-code"])),
      isOurs(entry("C:\\node.exe", ["C:\\Users\\x y\\.moth\\lib\\moth-hook.cjs", "claude-code"])),
    ]).toEqual([true, true]);
    expect([
      isOurs(entry("/old/.moth/bin/moth-hook", ["another-harness"])),
      isOurs(entry("/old/.moth/bin/moth-hook claude-code", undefined)),
      isOurs(entry("/x/bin/my-moth-hook", ["claude-code"])),
      isOurs(entry("node", ["/x/moth-hook.cjs", "claude-code"])),
      isOurs({ type: "http", command: "/old/.moth/bin/moth-hook", args: ["claude-code"] }),
      isOurs(null),
    ]).toEqual([false, false, false, false, false, false]);
  });
});

describe("what it must not touch it leaves alone, and says why", () => {
  it.each<[string, string | Buffer, string, RegExp]>([
    ["no JSON", '{\n  "a": 1\n  "b": 2\n}', "UNPARSABLE", /settings\.json:3:3 is not JSON .* leaves it alone\. Mend that place/],
    ["another encoding", Buffer.from('{"a": "\xe4"}', "latin1"), "UNPARSABLE", /not UTF-8.*Save it as UTF-8/],
    ["UTF-16", Buffer.from('\uFEFF{"a": 1}', "utf16le"), "UNPARSABLE", /not UTF-8/],
    ["hooks of a wrong type", '{\n  "hooks": "none"\n}', "UNEXPECTED", /settings\.json:2:12: "hooks" has to be an object/],
  ])("%s", async (_name, text, code, message) => {
    home.write(SETTINGS, text);
    const before = home.tree();
    expect(await why(planHook(home.options))).toMatchObject({
      name: "PlanError",
      code,
      file: home.at(SETTINGS),
      message: expect.stringMatching(message),
    });
    expect(home.tree()).toEqual(before);
    expect(home.backups()).toEqual([]);
  });

  it("a read-only file", async () => {
    home.write(SETTINGS, "{}");
    chmodSync(home.at(SETTINGS), 0o444);
    expect(await why(planHook(home.options))).toMatchObject({
      code: "ACCESS",
      message: expect.stringContaining("read-only") as string,
    });
  });

  it("a folder in the file's place, and a link that leads to itself", async () => {
    mkdirSync(home.at(SETTINGS), { recursive: true });
    expect(await why(planHook(home.options))).toMatchObject({
      code: "ACCESS",
      message: expect.stringContaining("is a folder") as string,
    });
    rmSync(home.at(SETTINGS), { recursive: true });
    symlinkSync("settings.json", home.at(SETTINGS));
    expect(await why(planHook(home.options))).toMatchObject({ code: "ACCESS" });
  });

  it.each(["hook", "unhook"])("a pipe in the file's place, which is not waited at to %s", async (action) => {
    home.makePipe(SETTINGS);
    expect(await why(action === "hook" ? planHook(home.options) : planUnhook(home.options))).toMatchObject({
      code: "ACCESS",
      file: home.at(SETTINGS),
      message: `${home.at(SETTINGS)} is not a plain file. Move it away and try again.`,
    });
  });

  it("a missing hook program", async () => {
    rmSync(home.at("program.cjs"));
    expect(await why(planHook(home.options))).toMatchObject({
      code: "ACCESS",
      message: expect.stringContaining("Reinstall moth") as string,
    });
  });

  it("says that a comment keeps Claude Code from reading the file", async () => {
    home.write(SETTINGS, '{\n  "url": "http://x", // why\n  "a": 1\n}');
    const { notes } = await planHook(home.options);
    expect(notes.join()).toContain(`${home.at(SETTINGS)}:2:22: Claude Code reads plain JSON`);
  });
});
