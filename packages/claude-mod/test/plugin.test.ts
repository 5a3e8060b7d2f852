import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findHarness } from "@moth-companion/harnesses";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));

interface Hooks {
  hooks: Record<string, [{ hooks: [{ type: string; command: string; args: string[]; timeout: number; async?: boolean }] }]>;
}

it("hooks the same events in the same way as the settings hook", async () => {
  const plan = await findHarness("claude-code")!.planHook({
    env: { HOME: "/nowhere", USERPROFILE: "/nowhere", MOTH_HOME: "/moth" },
    hookProgram: join(folder, "../hook/dist/moth-hook.cjs"),
    node: "/node",
    findPlugin: (name) => name,
  });
  const settings = plan.changes.find(({ file }) => file.endsWith("settings.json"))?.after?.toString() ?? "";
  const { hooks } = read("hooks/hooks.json") as Hooks;
  const asPlugin = settings.replaceAll(
    /"command": ".*?", "args": \[/g,
    '"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/dist/moth-hook.cjs", ',
  );
  expect(hooks).toEqual((JSON.parse(asPlugin) as Hooks).hooks);
});

it("is a market called moth with two plugins of the package's version: the hooks, and the band", () => {
  const { version } = read("package.json") as { version: string };
  expect(read(".claude-plugin/plugin.json")).toMatchObject({ name: "moth", version });
  expect(read("band/.claude-plugin/plugin.json")).toMatchObject({ name: "moth-band", version });
  const plugins = [
    { name: "moth", source: "./" },
    { name: "moth-band", source: "./band" },
  ];
  expect(read(".claude-plugin/marketplace.json")).toMatchObject({ name: "moth", plugins });
});

it("makes only the band cost what loading a module costs", () => {
  expect(read("hooks/hooks.json")).not.toHaveProperty("modules");
  expect(read("band/hooks/hooks.json")).not.toHaveProperty("hooks");
});

it("ships everything its plugins need", () => {
  const { files } = read("package.json") as { files: string[] };
  expect(files).toEqual([".claude-plugin", "band", "dist", "hooks"]);
  for (const file of ["README.md", "LICENSE"]) expect(existsSync(join(folder, file))).toBe(true);
});
