import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import type { InstallOptions } from "../types.ts";
import { planHook, planUnhook } from "./install.ts";

const COMMAND = "claude plugin install moth-band --marketplace";
let home: TestHome;
beforeEach(() => {
  home = makeTestHome();
});
afterEach(() => home.remove());

const notes = async (options: InstallOptions = home.options): Promise<string> => (await planHook(options)).notes.join("\n");

it("says how moth's line gets above the prompt, in a command that can be copied", async () => {
  const elsewhere = { ...home.options, findPlugin: (): string => "/opt/moth/claude-code/package.json" };
  expect(await notes(elsewhere)).toContain(`${COMMAND} /opt/moth/claude-code, then: moth config`);
  expect(await notes()).toContain(`${COMMAND} "${join(home.path, "@moth-companion", "claude-code")}", then`);
});

it("says nothing of it to who has it, for a project, and where this installation lacks it or will not last", async () => {
  const lacking: InstallOptions = {
    ...home.options,
    findPlugin(name) {
      throw new Error(name);
    },
  };
  expect(await notes(lacking)).not.toContain(COMMAND);
  expect(await notes({ ...home.options, findPlugin: (name) => `/home/_npx/1f/node_modules/${name}` })).not.toContain(COMMAND);
  expect(await notes({ ...home.options, project: home.path })).not.toContain(COMMAND);
  home.write(".claude/settings.json", '{ "enabledPlugins": { "moth-band@moth": true } }');
  expect(await notes()).not.toContain(COMMAND);
  home.write(".claude/settings.json", '{ "enabledPlugins": { "moth-band@moth": false } }');
  expect(await notes()).toContain(COMMAND);
});

it("says who takes it out, when moth's hooks are taken out and it stays", async () => {
  home.write(".claude/settings.json", '{ "enabledPlugins": { "moth-band@moth": true } }');
  expect((await planUnhook(home.options)).notes.join("\n")).toContain("claude plugin uninstall moth-band");
  expect((await planUnhook({ ...home.options, project: home.path })).notes.join("\n")).not.toContain("moth-band");
});
