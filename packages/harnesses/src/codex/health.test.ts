import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeCodexHome } from "../../test/codex-home.ts";
import type { TestHome } from "../../test/test-home.ts";
import { applyPlan } from "../install/apply.ts";
import type { InstallOptions } from "../types.ts";
import { health } from "./health.ts";
import { planHook, planUnhook } from "./install.ts";

const PLUGIN = join(import.meta.dirname, "..", "..", "..", "codex-plugin");

let home: TestHome;
let options: InstallOptions;

beforeEach(() => {
  ({ home, options } = makeCodexHome());
});
afterEach(() => home.remove());

const hook = async (more: Partial<InstallOptions> = {}): Promise<void> => {
  await applyPlan(await planHook({ ...options, ...more }), options.env);
};
const trust = async (): Promise<unknown> => (await planHook({ ...options, trust: true })).request?.run();

const key = (event: string, at = 0): string => `${home.at(".codex")}/hooks.json:${event}:${at}:0`;
const note = (name: string): string => `[hooks.state.${JSON.stringify(name)}]\ntrusted_hash = "x"\n`;

// The fake is a script that only a POSIX system runs.
describe.skipIf(process.platform === "win32")("whether Codex runs moth's hooks, as Codex says", () => {
  it("is not asked when there are none", async () => {
    home.write(".codex/fake.json", '{"mute": true}');
    expect(await health(options)).toEqual({ status: "not-installed", where: [] });
  });

  it("not before they are trusted, and once they are, nothing is left to ask", async () => {
    await hook();
    expect(await health(options)).toMatchObject({
      status: "waiting-for-trust",
      where: [home.at(".codex/hooks.json")],
      advice: "Start codex and trust them (/hooks), or: moth hook codex --trust",
    });
    expect(await trust()).toEqual({ ok: true, note: "Codex trusts moth's 7 hooks." });
    expect(await health(options)).toEqual({ status: "installed", where: [home.at(".codex/hooks.json")] });
    expect(await trust()).toBeUndefined();
  });

  it("and while the person is away, what it takes for them to hold what it asks; they are well otherwise", async () => {
    const away = { ...options, env: { ...options.env, MOTH_ANSWERS: "on", MOTH_AWAY: "on" } };
    await hook();
    await trust();
    expect(await health(options)).toEqual({ status: "installed", where: [home.at(".codex/hooks.json")] });
    expect(await health(away)).toMatchObject({
      status: "installed",
      problem: expect.stringContaining("goes on asking in its windows") as string,
      advice: expect.stringMatching(/moth hook codex --answers$/) as string,
    });
    await hook({ answers: true });
    expect(await health(away)).toMatchObject({ status: "modified" });
    await trust();
    for (const one of [options, away]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await health(one)).toEqual({ status: "installed", where: [home.at(".codex/hooks.json")] });
    }
  });

  it("not when they are others than those that were trusted", async () => {
    await hook();
    const state = Object.fromEntries(["stop"].map((event) => [key(event), { trusted_hash: "sha256:old" }]));
    home.write(".codex/fake.json", JSON.stringify({ state }));
    expect(await health(options)).toMatchObject({ status: "modified" });
    expect(await trust()).toMatchObject({ ok: true });
    expect(await health(options)).toMatchObject({ status: "installed" });
  });

  it("not when it sees nothing of the file, with what it says of it", async () => {
    await hook();
    home.write(".codex/fake.json", JSON.stringify({ unseen: true, warnings: ["unknown hook type"] }));
    expect(await health(options)).toMatchObject({
      status: "broken",
      problem: expect.stringContaining("unknown hook type") as string,
    });
    expect(await trust()).toMatchObject({ ok: false });
  });

  it("not when they are switched off, one by one or as a whole", async () => {
    await hook();
    await trust();
    home.write(".codex/config.toml", "[features]\nhooks = false\n");
    expect(await health(options)).toMatchObject({
      status: "disabled",
      problem: expect.stringContaining("config.toml") as string,
    });
    home.write(".codex/config.toml", "");
    home.write(".codex/fake.json", JSON.stringify({ ...(JSON.parse(home.read(".codex/fake.json")) as object), off: true }));
    expect(await health(options)).toMatchObject({ status: "disabled", advice: "Switch them on in codex's /hooks." });
  });

  it("in a project, too, where its hooks are seen only from there", async () => {
    const project = home.at("work");
    await hook({ project });
    expect(await health(options)).toMatchObject({ status: "waiting-for-trust", where: [home.at("work/.codex/hooks.json")] });
    const plan = await planHook({ ...options, project, trust: true });
    expect(await plan.request?.run()).toMatchObject({ ok: true });
    expect(await health(options)).toEqual({ status: "installed", where: [home.at("work/.codex/hooks.json")] });
    expect(await health({ ...options, project })).toEqual({ status: "installed", where: [home.at("work/.codex/hooks.json")] });
  });

  it("in its plugin, too: alone, with its trust, and beside the hooks", async () => {
    const installed = '[plugins."moth@moth"]\nenabled = true\n';
    home.write(".codex/config.toml", installed);
    const fake = (more: object): void =>
      home.write(".codex/fake.json", JSON.stringify({ plugins: { "moth@moth": PLUGIN }, ...more }));
    fake({});
    const where = ["plugin moth@moth"];
    const advice = "Start codex and trust them (/hooks)";
    expect(await health(options)).toMatchObject({ status: "waiting-for-trust", where, advice });
    const command = 'node "${PLUGIN_ROOT}/dist/moth-hook.cjs" codex';
    const events = [
      "session_start",
      "user_prompt_submit",
      "permission_request",
      "pre_tool_use",
      "stop",
      "interrupt",
      "session_end",
    ];
    const state = Object.fromEntries(
      events.map((event) => [`moth@moth:hooks/hooks.json:${event}:0:0`, { trusted_hash: `sha256:${command}` }]),
    );
    fake({ state });
    expect(await health(options)).toEqual({ status: "installed", where });
    fake({ unseen: true });
    expect(await health(options)).toMatchObject({
      status: "broken",
      problem: expect.stringContaining("plugin moth@moth") as string,
    });

    fake({ state });
    await hook();
    expect(await health(options)).toMatchObject({
      status: "waiting-for-trust",
      advice: "Start codex and trust them (/hooks), or: moth hook codex --trust",
    });
    await trust();
    const both = [home.at(".codex/hooks.json"), ...where];
    expect(await health(options)).toMatchObject({ status: "duplicate", where: both });
    home.write(".codex/config.toml", installed.replace("true", "false"));
    expect(await health(options)).toMatchObject({ status: "installed", where: both.slice(0, 1) });
  });

  it("is unknown when it cannot be asked, and is said to be", async () => {
    await hook();
    home.write("bin/codex", "#!/bin/sh\nexit 1\n");
    const told = { status: "installed", problem: "Codex could not be asked whether it trusts moth's hooks." };
    expect(await health(options)).toMatchObject(told);
    expect(await trust()).toEqual({ ok: false, note: expect.stringContaining("it ended with 1") as string });
    expect(await health({ ...options, env: { ...options.env, PATH: "" } })).toMatchObject(told);
  });
});

describe.skipIf(process.platform === "win32")("what Codex noted of its trust", () => {
  it("of moth's hooks goes with them, that of others' stays", async () => {
    home.write(".codex/hooks.json", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"beep"}]}]}}');
    await hook();
    home.write(
      ".codex/config.toml",
      `a = 1\n[hooks.state]\n${note(key("stop"))}${note(key("stop", 1))}${note(key("pre_tool_use"))}`,
    );
    const plan = await planUnhook(options);
    expect(plan.request?.summary).toBe("to forget that it trusted moth's 2 hooks");
    await applyPlan(plan, options.env);
    expect(await plan.request?.run()).toMatchObject({ ok: true, note: "Codex has forgotten that it trusted moth's hooks." });
    expect(home.read(".codex/config.toml")).toBe(`a = 1\n[hooks.state]\n${note(key("stop"))}`);
  });

  it("goes to the last byte when there is no other", async () => {
    await hook();
    home.write(".codex/config.toml", `a = 1\n[hooks.state]\n${note(key("stop"))}`);
    await (await planUnhook(options)).request?.run();
    expect(home.read(".codex/config.toml")).toBe("a = 1\n");
  });

  it("is not asked for when there is none, and stays when Codex cannot be asked, which is no failure", async () => {
    await hook();
    expect((await planUnhook(options)).request).toBeUndefined();
    home.write(".codex/config.toml", note(key("stop")));
    home.write("bin/codex", "#!/bin/sh\nexit 1\n");
    expect(await (await planUnhook(options)).request?.run()).toEqual({
      ok: true,
      note: expect.stringContaining("That does no harm") as string,
    });
    expect(home.read(".codex/config.toml")).toBe(note(key("stop")));
    home.write(".codex/config.toml", `${note(key("stop"))}broken =\n`);
    expect((await planUnhook(options)).request).toBeUndefined();
  });
});

describe("notify", () => {
  it("needs no trust; beside hooks it is one way too many; in a broken file it cannot be judged", async () => {
    await hook({ legacy: true });
    const config = home.at(".codex/config.toml");
    expect(await health(options)).toEqual({ status: "installed", where: [config] });
    const text = home.read(".codex/config.toml");
    await hook();
    home.write(".codex/config.toml", text);
    expect(await health(options)).toMatchObject({ status: "duplicate", where: [home.at(".codex/hooks.json"), config] });
    home.write(".codex/config.toml", `${text}a = \n`);
    expect(await health(options)).toMatchObject({ status: "broken", problem: expect.stringContaining("is not TOML") as string });
  });
});
