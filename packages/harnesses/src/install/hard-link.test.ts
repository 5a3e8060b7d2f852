import { linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeWholeHome } from "../../test/whole-home.ts";
import { harnesses } from "../registry.ts";
import { applyPlan } from "./apply.ts";

test("a settings file with two names keeps both: they stay one file, hooked and unhooked", async () => {
  const home = await makeWholeHome();
  onTestFinished(() => home.remove());
  const { options } = home;
  for (const [index, { file, sample }] of home.settings.entries()) {
    const other = home.at(`dots-${index}`);
    const text = /\.ya?ml$/.test(file) && sample.startsWith("- ") ? "[]\n" : /jsonc?$/.test(file) ? "{}\n" : "# mine\n";
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o640 });
    linkSync(file, other);
    const harness = harnesses[await ownerOf(file)];
    if (!harness) throw new Error(`no harness has ${file}`);
    await applyPlan(await harness.planHook(options), options.env);
    expect(readFileSync(other, "utf8")).toContain("moth");
    expect(statSync(other).ino).toBe(statSync(file).ino);
    await applyPlan(await harness.planUnhook(options), options.env);
    expect(readFileSync(other, "utf8")).toBe(text);
    expect(statSync(file)).toMatchObject({ ino: statSync(other).ino, mode: 0o100640 });
  }

  async function ownerOf(file: string): Promise<number> {
    const plans = await Promise.all(harnesses.map((harness) => harness.planHook(options)));
    return plans.findIndex(({ changes }) => changes.some((change) => change.file === file));
  }
});
