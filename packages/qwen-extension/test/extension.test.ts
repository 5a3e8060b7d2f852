import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findHarness } from "@moth-companion/harnesses";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));

it.skipIf(process.platform === "win32")("hooks the same events in the same way as `moth hook`", async () => {
  const plan = await findHarness("qwen")!.planHook({
    env: { HOME: "/nowhere", USERPROFILE: "/nowhere", MOTH_HOME: "/moth" },
    hookProgram: join(folder, "../hook/dist/moth-hook.cjs"),
    node: "/node",
    findPlugin: (name) => name,
  });
  const hooks = plan.changes.find(({ file }) => file.endsWith(join(".qwen/settings.json")))?.after?.toString() ?? "";
  const asPlugin = hooks.replaceAll("exec /moth/bin/moth-hook", 'node \\"${CLAUDE_PLUGIN_ROOT}/dist/moth-hook.cjs\\"');
  expect(read("hooks/hooks.json")).toEqual(JSON.parse(asPlugin));
});

it("is called moth and of the package's version", () => {
  const { version } = read("package.json") as { version: string };
  expect(read("qwen-extension.json")).toMatchObject({ name: "moth", version });
});

it("ships everything its hooks need", () => {
  const { files } = read("package.json") as { files: string[] };
  expect(files).toEqual(["dist", "hooks", "qwen-extension.json"]);
  for (const file of ["README.md", "LICENSE"]) expect(existsSync(join(folder, file))).toBe(true);
});
