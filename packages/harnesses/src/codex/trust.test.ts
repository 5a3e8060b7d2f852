import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeCodexHome } from "../../test/codex-home.ts";
import type { TestHome } from "../../test/test-home.ts";
import { applyPlan } from "../install/apply.ts";
import { healthOf } from "../health.ts";
import type { InstallOptions, RequestAnswer } from "../types.ts";
import { codex as harness } from "./index.ts";
import { planHook, planUnhook } from "./install.ts";

const FILE = ".codex/config.toml";
const OK = { ok: true, note: "Codex trusts moth's 7 hooks." };
let home: TestHome;
let options: InstallOptions;

beforeEach(() => {
  ({ home, options } = makeCodexHome());
});
afterEach(() => home.remove());

async function trust(more: Partial<InstallOptions> = {}): Promise<RequestAnswer | undefined> {
  const plan = await planHook({ ...options, trust: true, ...more });
  await applyPlan(plan, options.env);
  return await plan.request?.run();
}
async function unhook(more: Partial<InstallOptions> = {}): Promise<RequestAnswer | undefined> {
  const plan = await planUnhook({ ...options, ...more });
  await applyPlan(plan, options.env);
  return await plan.request?.run();
}
const mode = (): number => statSync(home.at(FILE)).mode & 0o777;
const backups = (): string[] => home.backups().filter((file) => file.includes("config.toml"));
const fake = (settings: object): void => home.write(".codex/fake.json", JSON.stringify(settings));

// The fake is a script that only a POSIX system runs.
describe.skipIf(process.platform === "win32")("config.toml, which Codex writes when it is asked for trust", () => {
  it.each([
    ["LF", 'model = "x" # mine\n', 0o644],
    ["CRLF", "a = 1\r\n[tui]\r\nb = 1 # mine\r\n", 0o640],
    ["mixed line ends", "a = 1\r\n# mine\nb = 1\n", 0o644],
    ["a byte order mark", "\uFEFFa = 1\r\n", 0o600],
    ["no final newline", "a = 1", 0o644],
    ["nothing in it", "", 0o644],
    ["an empty table above", "a = 1\n[hooks]\n", 0o644],
    ["an empty table of the person's", "a = 1\n[hooks.state] # mine\n", 0o644],
  ])("keeps its modes, lines and line ends, and is what it was when moth goes: %s", async (_what, text, bits) => {
    home.write(FILE, text);
    chmodSync(home.at(FILE), bits);
    const plan = await planHook({ ...options, trust: true });
    expect(plan.request?.file).toBe(home.at(FILE));
    const answer = await trust();
    expect(answer).toMatchObject(OK);
    expect(readFileSync(answer?.backup ?? "", "utf8")).toBe(text);
    expect(mode()).toBe(bits);
    expect(home.read(FILE)).toContain("trusted_hash");
    expect(home.read(FILE).startsWith(text)).toBe(true);
    if (text.includes("\r\n") && !/[^\r]\n/.test(text)) expect(home.read(FILE)).not.toMatch(/[^\r]\n/);
    expect(await unhook()).toBeUndefined();
    expect(home.read(FILE)).toBe(text);
    expect(mode()).toBe(bits);
  });

  it("goes when there was none", async () => {
    expect(await trust()).toEqual(OK);
    expect(existsSync(home.at(FILE))).toBe(true);
    await unhook();
    expect(existsSync(home.at(FILE))).toBe(false);
    expect(backups()).toEqual([]);
  });

  it("stays behind its link", async () => {
    home.write("dots/codex.toml", "a = 1\n", 0o644);
    mkdirSync(home.at(".codex"));
    symlinkSync("../dots/codex.toml", home.at(FILE));
    expect(await trust()).toMatchObject(OK);
    await unhook();
    expect(home.tree()).toMatchObject({ [FILE]: "link", "dots/codex.toml": "a = 1\n" });
  });

  it.each([
    ["broken", "made broken TOML of"],
    ["comment", 'lost the line "# mine" of'],
    ["unheard", "it still does not trust them"],
  ])("is put back when Codex does harm to it, and moth says so: %s", async (harm, what) => {
    home.write(FILE, "a = 1\r\n# mine\r\n");
    chmodSync(home.at(FILE), 0o644);
    fake({ harm });
    const answer = await trust();
    expect(answer).toEqual({ ok: false, note: expect.stringContaining(what) as string });
    expect(answer?.note).toContain("/hooks");
    expect(home.read(FILE)).toBe("a = 1\r\n# mine\r\n");
    expect(mode()).toBe(0o644);
    expect(backups()).toEqual([]);
  });

  it("is removed again when there was none and Codex makes it badly", async () => {
    fake({ harm: "broken" });
    expect(await trust()).toMatchObject({ ok: false });
    expect(existsSync(home.at(FILE))).toBe(false);
  });

  it("is refused when it is read-only, broken or has several names, before anything is done", async () => {
    home.write(FILE, "a = 1\n");
    chmodSync(home.at(FILE), 0o444);
    await expect(planHook({ ...options, trust: true })).rejects.toThrow(`${home.at(FILE)} is read-only`);
    chmodSync(home.at(FILE), 0o644);
    linkSync(home.at(FILE), home.at("other.toml"));
    await expect(planHook({ ...options, trust: true })).rejects.toThrow("several names");
    rmSync(home.at("other.toml"));
    home.write(FILE, "a = \n");
    await expect(planHook({ ...options, trust: true })).rejects.toThrow("is not TOML");
  });

  it("that is read-only when moth goes stays, and moth goes all the same", async () => {
    home.write(FILE, "a = 1\n");
    await trust();
    const text = home.read(FILE);
    chmodSync(home.at(FILE), 0o444);
    expect(await unhook()).toMatchObject({ ok: true, note: expect.stringContaining("is read-only") as string });
    expect(home.read(FILE)).toBe(text);
    expect(existsSync(home.at(".codex/hooks.json"))).toBe(false);
  });

  it("keeps what changed meanwhile, and loses moth's and the table that came with it", async () => {
    home.write(FILE, "a = 1\r\n", 0o644);
    await trust();
    home.write(FILE, `model = "y" # new\r\n${home.read(FILE)}`);
    expect(await unhook()).toMatchObject({ ok: true, note: "Codex has forgotten that it trusted moth's hooks." });
    expect(home.read(FILE)).toBe('model = "y" # new\r\na = 1\r\n');
    expect(mode()).toBe(0o644);
  });

  it("keeps an empty table that was there before, and goes when only moth's trust was ever in it", async () => {
    home.write(FILE, "a = 1\n[hooks.state]\n");
    await trust();
    home.write(FILE, `b = 1\n${home.read(FILE)}`);
    await unhook();
    expect(home.read(FILE)).toBe("b = 1\na = 1\n[hooks.state]\n");
  });

  it("that Codex made and that was changed and emptied meanwhile goes", async () => {
    await trust();
    home.write(FILE, `\n${home.read(FILE)}`);
    await unhook();
    expect(existsSync(home.at(FILE))).toBe(false);
  });

  it("is no place that moth's hooks are missed in", async () => {
    await trust();
    home.write(".codex/hooks.json", "{}");
    const problem = expect.stringContaining(`gone from ${home.at(".codex/hooks.json")}:`) as string;
    expect(await healthOf(harness, options)).toMatchObject({ status: "overwritten", problem });
  });

  it("is what it was also after trust in a project's hooks came and went", async () => {
    home.write(FILE, "a = 1\n");
    await trust();
    expect(await trust({ project: home.at("work") })).toMatchObject({ ok: true });
    await unhook({ project: home.at("work") });
    expect(home.read(FILE)).toContain("trusted_hash");
    await trust({ project: home.at("work") });
    await unhook();
    expect(home.read(FILE)).toBe("a = 1\n");
  });

  it("is what it was also when moth calls itself by notify in between", async () => {
    await trust();
    const plan = await planHook({ ...options, legacy: true });
    await applyPlan(plan, options.env);
    expect(await plan.request?.run()).toMatchObject({ ok: true });
    await unhook();
    expect(existsSync(home.at(FILE))).toBe(false);
  });
});
