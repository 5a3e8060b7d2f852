import { expect, onTestFinished, test } from "vitest";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import { applyPlan } from "../install/apply.ts";
import { cursor } from "./index.ts";
import { settingsHooks } from "./install.ts";

function home(): TestHome {
  const made = makeTestHome({ PATH: "" });
  onTestFinished(() => made.remove());
  return made;
}

const hook = async ({ options }: TestHome): Promise<void> => void (await applyPlan(await cursor.planHook(options), options.env));
const unhook = async ({ options }: TestHome): Promise<void> =>
  void (await applyPlan(await cursor.planUnhook(options), options.env));

test("a file of moth's own holds the five events, each once, and the version; unhooking leaves nothing", async () => {
  const here = home();
  await hook(here);
  const { version, hooks } = JSON.parse(here.read(".cursor/hooks.json")) as { version: number; hooks: Record<string, unknown[]> };
  expect(version).toBe(1);
  // One name that Cursor does not know voids the whole file.
  expect(Object.keys(hooks)).toEqual(["sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "stop", "sessionEnd"]);
  for (const entries of Object.values(hooks)) expect(entries).toEqual([{ type: "command", command: expect.any(String) }]);
  // So does an address in a command.
  expect(here.read(".cursor/hooks.json")).not.toContain("://");
  expect(await cursor.health(here.options)).toMatchObject({ status: "installed" });
  expect((await cursor.planHook(here.options)).changes).toEqual([]);
  await unhook(here);
  expect(Object.keys(here.tree()).filter((name) => name.startsWith(".cursor"))).toEqual([]);
});

test("beside others' hooks moth's are last, the rest keeps every byte, and unhooking gives all of it back", async () => {
  const here = home();
  const text =
    '{\r\n\t"version": 1,\r\n\t"hooks": { "stop": [ { "command": "beep", "loop_limit": 2 } ] , "preToolUse":[{"command":"x","matcher":"Shell"}]}\r\n}';
  here.write(".cursor/hooks.json", text);
  await hook(here);
  const { hooks } = JSON.parse(here.read(".cursor/hooks.json")) as { hooks: Record<string, { command: string }[]> };
  expect(hooks["stop"]?.map(({ command }) => command)).toEqual(["beep", expect.stringContaining("moth-hook")]);
  expect(hooks["preToolUse"]).toEqual([{ command: "x", matcher: "Shell" }]);
  await unhook(here);
  expect(here.read(".cursor/hooks.json")).toBe(text);
});

test.each(["", " \n", "{}\n"])("a file of %j comes back as it was", async (text) => {
  const here = home();
  here.write(".cursor/hooks.json", text);
  await hook(here);
  await unhook(here);
  expect(here.read(".cursor/hooks.json")).toBe(text);
});

test("a file that holds only `null` is refused with its place", async () => {
  const here = home();
  here.write(".cursor/hooks.json", "null");
  await expect(cursor.planHook(here.options)).rejects.toThrow(/hooks\.json:1:1: settings are an object/);
});

test("a project's file is one of its own", async () => {
  const here = home();
  const options = { ...here.options, project: here.at("work/app") };
  await applyPlan(await cursor.planHook(options), options.env);
  expect(here.read("work/app/.cursor/hooks.json")).toContain("afterAgentResponse");
  await unhook(here);
  expect(Object.keys(here.tree()).some((name) => name.includes("hooks.json"))).toBe(false);
});

test.each([
  ["linux", "/home/ada lovelace", "exec '/home/ada lovelace/.moth/bin/moth-hook' cursor"],
  ["win32", "/home/ada lovelace", "& '/opt/my node/node' '/home/ada lovelace/.moth/lib/moth-hook.cjs' cursor"],
])("the command on %s, with blanks in the paths", (platform, folder, command) => {
  const options = { env: { HOME: folder, USERPROFILE: folder }, hookProgram: "", findPlugin: String, node: "/opt/my node/node" };
  expect(settingsHooks.entries(options, platform).get("stop")).toEqual({ type: "command", command });
});
