import { expect, onTestFinished, test } from "vitest";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import { applyPlan } from "../install/apply.ts";
import { antigravity } from "./index.ts";
import { settingsHooks } from "./install.ts";

function home(): TestHome {
  const made = makeTestHome({ PATH: "" });
  onTestFinished(() => made.remove());
  return made;
}

const FILE = ".gemini/config/hooks.json";
const hook = async ({ options }: TestHome): Promise<void> =>
  void (await applyPlan(await antigravity.planHook(options), options.env));
const unhook = async ({ options }: TestHome): Promise<void> =>
  void (await applyPlan(await antigravity.planUnhook(options), options.env));

test("moth's two hooks stand under its own name, in flat lists; unhooking leaves nothing", async () => {
  const here = home();
  await hook(here);
  const entry = { type: "command", command: expect.stringContaining("moth-hook"), timeout: 5 };
  expect(JSON.parse(here.read(FILE))).toEqual({ moth: { PreInvocation: [entry], Stop: [entry] } });
  expect(await antigravity.health(here.options)).toMatchObject({ status: "installed", where: [here.at(FILE)] });
  expect((await antigravity.planHook(here.options)).changes).toEqual([]);
  await unhook(here);
  expect(Object.keys(here.tree()).filter((name) => name.startsWith(".gemini"))).toEqual([]);
});

test("other names keep every byte, and what of Claude's shape stands there is not touched", async () => {
  const here = home();
  const text =
    '{ "mine": {"enabled":false, "Stop": [{"type":"command","command":"beep"}]},\n  "hooks": {"Stop": [{"hooks": []}]} }\n';
  here.write(FILE, text);
  await hook(here);
  const value = JSON.parse(here.read(FILE)) as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(["mine", "hooks", "moth"]);
  await unhook(here);
  expect(here.read(FILE)).toBe(text);
});

test("a set of hooks of that name that is another's keeps what is in it", async () => {
  const here = home();
  const text = '{"moth": {"Stop": [{"type": "command", "command": "lamp --off"}]}}\n';
  here.write(FILE, text);
  await hook(here);
  expect(here.read(FILE)).toContain("lamp --off");
  await unhook(here);
  expect(here.read(FILE)).toBe(text);
});

test("a project is refused: only some versions read its hooks", async () => {
  const here = home();
  await expect(antigravity.planHook({ ...here.options, project: here.at("work") })).rejects.toThrow(/without --project/);
});

test("it is found by its own folder, not by that of another program of the same maker", async () => {
  const here = home();
  here.write(".gemini/settings.json", "{}");
  expect((await antigravity.detect(here.options.env)).found).toBe(false);
  here.write(".gemini/antigravity-cli/settings.json", "{}");
  expect(await antigravity.detect(here.options.env)).toEqual({ found: true, configDir: here.at(".gemini/config") });
});

test.each([
  ["linux", "'/home/ada lovelace/.moth/bin/moth-hook' antigravity answer"],
  ["win32", '"/opt/my node/node" "/home/ada lovelace/.moth/lib/moth-hook.cjs" antigravity answer'],
])("the command on %s, with blanks in the paths", (platform, command) => {
  const env = { HOME: "/home/ada lovelace", USERPROFILE: "/home/ada lovelace" };
  const options = { env, hookProgram: "", findPlugin: String, node: "/opt/my node/node" };
  expect(settingsHooks.entries(options, platform).get("Stop")).toEqual({ type: "command", command, timeout: 5 });
});
