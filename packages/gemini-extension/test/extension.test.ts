import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findHarness } from "@moth-companion/harnesses";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));

it.skipIf(process.platform === "win32")("hooks the same events in the same way as the settings hook", async () => {
  const plan = await findHarness("gemini")!.planHook({
    env: { HOME: "/nowhere", USERPROFILE: "/nowhere", MOTH_HOME: "/moth" },
    hookProgram: join(folder, "../hook/dist/moth-hook.cjs"),
    node: "/node",
    findPlugin: (name) => name,
  });
  const settings = plan.changes.find(({ file }) => file.endsWith("settings.json"))?.after?.toString() ?? "";
  const asExtension = settings.replaceAll("exec /moth/bin/moth-hook", 'node \\"${extensionPath}/dist/moth-hook.cjs\\"');
  expect(read("hooks/hooks.json")).toEqual(JSON.parse(asExtension));
});

it("is called moth and of the package's version", () => {
  const { version } = read("package.json") as { version: string };
  expect(read("gemini-extension.json")).toMatchObject({ name: "moth", version });
});

it("ships everything its hooks need", () => {
  const { files } = read("package.json") as { files: string[] };
  expect(files).toEqual(["dist", "gemini-extension.json", "hooks"]);
  for (const file of ["README.md", "LICENSE"]) expect(existsSync(join(folder, file))).toBe(true);
});
