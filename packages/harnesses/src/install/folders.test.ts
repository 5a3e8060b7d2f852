import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeWholeHome, snapshot, type WholeHome } from "../../test/whole-home.ts";
import { healthOf } from "../health.ts";
import { harnesses } from "../registry.ts";
import type { Harness } from "../types.ts";
import { applyPlan } from "./apply.ts";

async function wholeHome(): Promise<WholeHome> {
  const home = await makeWholeHome();
  onTestFinished(() => home.remove());
  return home;
}

/** The files of a harness that moth writes. */
async function filesOf(harness: Harness, home: WholeHome): Promise<string[]> {
  const { changes } = await harness.planHook(home.options);
  return changes.map(({ file }) => file).filter((file) => !file.startsWith(home.at(".moth")));
}

// Windows lets only some people make links.
describe.skipIf(process.platform === "win32").each(harnesses.map((harness) => [harness.id, harness] as const))(
  "%s",
  (_, harness) => {
    test("a link into a folder that is not there, for a file or its folder, is refused while planning", async () => {
      const home = await wholeHome();
      for (const file of await filesOf(harness, home)) {
        for (const link of [file, dirname(file)]) {
          mkdirSync(dirname(link), { recursive: true });
          symlinkSync(join(home.path, "dots", "deep", "gone"), link);
          const before = snapshot(home.path, true);
          const message = `${link} is a link to ${join(home.path, "dots", "deep", "gone")}, which is not there.`;
          const said = { code: "ACCESS", message: expect.stringContaining(message) as string };
          await expect(harness.planHook(home.options)).rejects.toMatchObject(said);
          expect(await healthOf(harness, home.options)).toMatchObject({ status: "not-installed", problem: said.message });
          expect((await harness.planUnhook(home.options)).changes).toEqual([]);
          expect(snapshot(home.path, true)).toEqual(before);
          rmSync(link);
          if (link === file) rmSync(dirname(link), { recursive: true });
        }
      }
    });

    test("a file that is a link to one that is not there yet, in a folder that is: all is given back", async () => {
      const home = await wholeHome();
      mkdirSync(home.at("dots"));
      for (const [index, file] of (await filesOf(harness, home)).entries()) {
        mkdirSync(dirname(file), { recursive: true });
        symlinkSync(join(home.path, "dots", String(index)), file);
      }
      const before = snapshot(home.path);
      await applyPlan(await harness.planHook(home.options), home.options.env);
      expect(existsSync(home.at("dots/0"))).toBe(true);
      expect(await healthOf(harness, home.options)).toMatchObject({
        status: expect.stringMatching(/^(installed|waiting)/) as string,
      });
      await applyPlan(await harness.planUnhook(home.options), home.options.env);
      expect(snapshot(home.path)).toEqual(before);
    });

    test("a link that counts from the folder it really lies in is followed from there", async () => {
      const home = await wholeHome();
      const [file = ""] = await filesOf(harness, home);
      mkdirSync(home.at("dots/here/common"), { recursive: true });
      mkdirSync(home.at("dots/here/mine"));
      mkdirSync(dirname(dirname(file)), { recursive: true });
      symlinkSync(home.at("dots/here/mine"), dirname(file));
      symlinkSync("../common/file", file);
      const before = snapshot(home.path);
      await applyPlan(await harness.planHook(home.options), home.options.env);
      expect(existsSync(home.at("dots/here/common/file"))).toBe(true);
      await applyPlan(await harness.planUnhook(home.options), home.options.env);
      expect(snapshot(home.path)).toEqual(before);
    });
  },
);

test.skipIf(process.platform !== "linux")("where no folder can be made is an error, not an endless try", async () => {
  const home = await wholeHome();
  const [harness] = harnesses;
  const env = { ...home.options.env, MOTH_HOME: "/proc/1/moth" };
  const plan = await harness?.planHook({ ...home.options, env });
  await expect(plan && applyPlan(plan, env)).rejects.toMatchObject({
    code: "ACCESS",
    message: expect.stringContaining("MOTH_HOME") as string,
  });
});

test("what a killed installer left is swept away at the next one, and nothing else", async () => {
  const home = await wholeHome();
  const [harness] = harnesses;
  if (!harness) throw new Error("no harness");
  const [file = ""] = await filesOf(harness, home);
  const name = basename(file);
  mkdirSync(dirname(file), { recursive: true });
  const kept = [`.${name}.${process.pid}-abc.tmp`, `.${name}.notes.tmp`, `.other.json.999999999-abc.tmp`];
  for (const one of [...kept, `.${name}.999999999-abc.tmp`]) writeFileSync(join(dirname(file), one), "half");
  mkdirSync(home.at(".moth/bin"), { recursive: true });
  writeFileSync(home.at(".moth/bin/.moth-hook.999999999-abc.tmp"), "half");
  await applyPlan(await harness.planHook(home.options), home.options.env);
  const left = Object.keys(snapshot(home.path, true)).filter((path) => path.endsWith(".tmp"));
  expect(new Set(left.map((path) => basename(path)))).toEqual(new Set(kept));
});

test("also by unhook, with the folder that was made for it", async () => {
  const home = await wholeHome();
  const [harness] = harnesses;
  if (!harness) throw new Error("no harness");
  const before = snapshot(home.path);
  const [file = ""] = await filesOf(harness, home);
  await applyPlan(await harness.planHook(home.options), home.options.env);
  rmSync(file);
  writeFileSync(join(dirname(file), `.${basename(file)}.999999999-abc.tmp`), "half");
  await applyPlan(await harness.planUnhook(home.options), home.options.env);
  expect(snapshot(home.path)).toEqual(before);
});
