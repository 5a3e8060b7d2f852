import { parse } from "@decimalturn/toml-patch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import { applyPlan } from "../install/apply.ts";
import { launcherFile } from "../install/launcher.ts";
import type { InstallOptions } from "../types.ts";
import { hookTable, planHook, planUnhook } from "./install.ts";

let home: TestHome;
let options: InstallOptions;

beforeEach(() => {
  home = makeTestHome();
  options = home.options;
});
afterEach(() => home.remove());

const hook = async (more: Partial<InstallOptions> = {}): Promise<void> => {
  await applyPlan(await planHook({ ...options, ...more }), options.env);
};
const unhook = async (): Promise<void> => {
  await applyPlan(await planUnhook(options), options.env);
};
const hooks = (): Record<string, { matcher?: string; hooks: { command: string }[] }[]> =>
  (JSON.parse(home.read(".codex/hooks.json")) as { hooks: ReturnType<typeof hooks> }).hooks;
const config = (): { notify?: string[] } => parse(home.read(".codex/config.toml")) as { notify?: string[] };

describe("hooks", () => {
  it("stand in hooks.json, and config.toml is not touched", async () => {
    home.write(".codex/config.toml", "broken = \n");
    await hook();
    expect(Object.keys(hooks())).toEqual([
      "SessionStart",
      "UserPromptSubmit",
      "PermissionRequest",
      "PreToolUse",
      "Stop",
      "Interrupt",
      "SessionEnd",
    ]);
    expect(hooks()["PreToolUse"]).toEqual([
      {
        matcher: "request_user_input",
        hooks: [{ type: "command", command: `exec '${launcherFile(options.env)}' codex`, timeout: 3 }],
      },
    ]);
    expect(hooks()["Stop"]?.[0]).not.toHaveProperty("matcher");
    expect(home.read(".codex/config.toml")).toBe("broken = \n");
  });

  it.each([
    ["nothing", undefined],
    ["no hooks", '{\r\n   "description": "mine",\r\n\t"hooks": { "Stop": [ ] }}'],
    ["others' hooks", '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"beep"}]}]}}\n'],
  ])("go without a trace: there was %s", async (_what, text) => {
    if (text !== undefined) home.write(".codex/hooks.json", text);
    const before = home.tree();
    await hook();
    await hook();
    expect(home.tree()).not.toEqual(before);
    await unhook();
    expect(home.tree()).toEqual(before);
  });

  it("may hold what Codex asks only when that is asked for, and from then on until they go, whatever moth's version", async () => {
    await hook();
    const usual = home.read(".codex/hooks.json");
    expect(usual).not.toContain("holds");
    await hook({ answers: true });
    const [group] = hooks()["PermissionRequest"] ?? [];
    expect(group?.hooks).toEqual([
      {
        type: "command",
        command: `exec '${launcherFile(options.env)}' codex holds`,
        timeout: 86_400,
        statusMessage: expect.any(String) as string,
      },
    ]);
    expect(home.read(".codex/hooks.json").match(/holds/g)).toHaveLength(1);
    expect((await planHook(options)).changes).toEqual([]);
    await unhook();
    // What is left is the copy that was made before the hooks were changed.
    expect([home.tree(), home.backups()]).toEqual([{ ".codex/": "" }, [expect.stringContaining("hooks.json")]]);
    await hook();
    expect(home.read(".codex/hooks.json")).toBe(usual);
  });

  it("change nothing when they are there already, nor when moth is another version", async () => {
    await hook();
    const text = home.read(".codex/hooks.json");
    home.write("program.cjs", "// a newer hook program\n");
    const plan = await planHook({ ...options, node: "/usr/bin/node" });
    expect(plan.changes.map(({ file }) => file)).not.toContain(home.at(".codex/hooks.json"));
    await hook({ node: "/usr/bin/node" });
    expect(home.read(".codex/hooks.json")).toBe(text);
    expect(plan.notes).toEqual([]);
  });

  it("live where CODEX_HOME says, and in a project when asked", async () => {
    options = { ...options, env: { ...options.env, CODEX_HOME: home.at("elsewhere") } };
    await hook();
    await hook({ project: home.at("work") });
    expect(Object.keys(home.tree())).toEqual(expect.arrayContaining(["elsewhere/hooks.json", "work/.codex/hooks.json"]));
    await unhook();
    expect(home.tree()).toEqual({});
  });

  it("come behind others', whose trust hangs on their place", async () => {
    home.write(".codex/hooks.json", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"beep"}]}]}}');
    await hook();
    expect(hooks()["Stop"]?.map((group) => group.hooks.map(({ command }) => command.includes("moth-hook")))).toEqual([
      [false],
      [true],
    ]);
  });

  it("are a PowerShell line on Windows, where Codex has a key of its own for it", () => {
    const node = "C:\\Program Files\\nodejs\\node.exe";
    const windows = { ...options, env: { ...options.env, MOTH_HOME: "/home/ada o'neil/.moth" }, node };
    const entry = hookTable(windows, "win32").entries.get("Stop");
    const line = `& 'C:\\Program Files\\nodejs\\node.exe' '/home/ada o''neil/.moth/lib/moth-hook.cjs' codex`;
    expect(entry).toEqual({ type: "command", command: line, commandWindows: line, timeout: 3 });
    expect(hookTable(windows, "win32").isOurs(entry)).toBe(true);
    expect(hookTable(options).isOurs(entry)).toBe(true);
  });

  it("that are asked for with trust make Codex a request, and say what to do without", async () => {
    const plain = await planHook(options);
    expect(plain.request).toBeUndefined();
    expect(plain.notes.join(" ")).toContain("Codex runs new hooks only when you trust them");
    const plan = await planHook({ ...options, trust: true });
    expect(plan.request?.summary).toBe("to trust moth's 7 hooks, as you would in its /hooks");
    const answer = await plan.request?.run();
    expect(answer).toEqual({ ok: false, note: expect.stringContaining("Codex was not found on PATH") as string });
  });
});

describe("notify", () => {
  const MINE = 'model = "x" # mine\r\nnotify = [ "beep",\r\n  "-l" ]\r\n\r\n[tui]\r\na = 1';

  it("calls moth in place of hooks, and says what moth does not hear then", async () => {
    await hook();
    const plan = await planHook({ ...options, legacy: true });
    expect(plan.notes.join(" ")).toContain("replies alone");
    await applyPlan(plan, options.env);
    expect(config().notify).toEqual([launcherFile(options.env), "codex", "notify"]);
    expect(home.tree()).not.toHaveProperty([".codex/hooks.json"]);
    await unhook();
    expect(home.tree()).toEqual({});
  });

  it("goes when hooks are wanted instead", async () => {
    home.write(".codex/config.toml", MINE);
    await hook({ legacy: true });
    await hook();
    expect(home.read(".codex/config.toml")).toBe(MINE);
    expect(Object.keys(hooks())).toHaveLength(7);
    await unhook();
    expect(home.tree()).toEqual({ ".codex/": "", ".codex/config.toml": MINE });
  });

  it("calls what was called before, too, and gives its bytes back", async () => {
    home.write(".codex/config.toml", MINE);
    await hook({ legacy: true });
    const once = home.tree();
    expect(config().notify).toEqual([launcherFile(options.env), "codex", "notify", "beep", "-l"]);
    await hook({ legacy: true });
    expect(home.tree()).toEqual(once);
    expect(home.backups()).toHaveLength(1);
    await unhook();
    expect(home.read(".codex/config.toml")).toBe(MINE);
    expect(home.backups()).toEqual([]);
  });

  it("keeps what the person changed meanwhile", async () => {
    home.write(".codex/config.toml", MINE);
    await hook({ legacy: true });
    home.write(".codex/config.toml", home.read(".codex/config.toml").replace('"x" # mine', '"y" # new'));
    await unhook();
    expect(home.read(".codex/config.toml")).toBe(MINE.replace('"x" # mine', '"y" # new'));
  });

  it("without moth's notes gives back what it calls", async () => {
    home.write(".codex/config.toml", `notify = ["${launcherFile(options.env)}", "codex", "notify", "beep"]\n`);
    await unhook();
    expect(config().notify).toEqual(["beep"]);
    home.write(".codex/config.toml", `a = 1\nnotify = ["${launcherFile(options.env)}", "codex", "notify"]\n`);
    await unhook();
    expect(home.read(".codex/config.toml")).toBe("a = 1\n");
  });

  it("of somebody else stays when moth goes", async () => {
    home.write(".codex/config.toml", 'notify = ["beep"] # moth-hook is gone\n');
    await hook();
    await unhook();
    expect(home.read(".codex/config.toml")).toBe('notify = ["beep"] # moth-hook is gone\n');
  });

  it("in a file that broke meanwhile stays, and keeps nothing else of moth's in", async () => {
    await hook({ legacy: true });
    const text = `${home.read(".codex/config.toml")}broken =\n`;
    await hook({ project: home.at("work") });
    home.write(".codex/config.toml", text);
    const plan = await planUnhook(options);
    expect(plan.notes.join()).toContain(`moth stays in ${home.at(".codex/config.toml")}`);
    await applyPlan(plan, options.env);
    expect(home.read(".codex/config.toml")).toBe(text);
    expect(home.tree()).not.toHaveProperty(["work/.codex/hooks.json"]);
    home.write(".codex/config.toml", text.replace("broken =\n", ""));
    await unhook();
    expect(home.tree()).not.toHaveProperty([".codex/config.toml"]);
  });

  it("is refused in a broken file, which stays as it is", async () => {
    home.write(".codex/config.toml", 'a = 1\nb = "x\n');
    await expect(planHook({ ...options, legacy: true })).rejects.toThrow(`${home.at(".codex/config.toml")}:2:`);
    await expect(planHook({ ...options, legacy: true, project: home.at("work") })).rejects.toThrow("--legacy-notify");
    expect(home.read(".codex/config.toml")).toBe('a = 1\nb = "x\n');
  });
});
