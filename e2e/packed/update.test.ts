import { mkdtempSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { installCli } from "../src/clis.ts";
import { claudeCode } from "../src/drivers/claude-code.ts";
import { type Finished, run } from "../src/processes.ts";
import { openWorld, type World } from "../src/world.ts";
import { global } from "./programs.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { shipped } from "./shipped.ts";
import { asVersion } from "./tarballs.ts";

const NEXT = "99.0.0";

/** A person who has this moth for all their projects, from a registry that only this test has. */
async function person(words: readonly string[], folders: readonly string[]): Promise<Person> {
  const cli = await installCli(claudeCode);
  if (!cli.ok) throw new Error(cli.reason);
  const registry = await startRegistry([...shipped().own, ...shipped().foreign]);
  onTestFinished(() => registry.close());
  const world = await openWorld(claudeCode, { program: cli.program, moth: false, hooked: false, npmrc: registry.npmrc });
  const [manager = "", ...verb] = words;
  const bins = folders.map((folder) => join(world.home, folder));
  const env: Record<string, string> = {
    ...world.env,
    PNPM_HOME: join(world.home, "pnpm"),
    npm_config_prefix: join(world.home, "npm"),
    PATH: [...bins, dirname(manager), world.env["PATH"]].join(delimiter),
  };
  const installed = await run(manager, [...verb, "moth-companion"], { cwd: world.home, env });
  expect(installed).toMatchObject({ code: 0 });
  const bin = join(bins[0] ?? "", "moth");
  return { world, registry, moth: (...args) => run(bin, args, { cwd: world.project, env }) };
}

interface Person {
  world: World;
  registry: Registry;
  moth(...args: string[]): Promise<Finished>;
}

/** The release after this one: a hook program of another text, and all else as it is. */
async function publishNext({ registry, world }: Person): Promise<void> {
  const into = mkdtempSync(join(world.home, "next "));
  registry.publish(await asVersion(shipped().own, NEXT, into));
}

describe.each(Object.entries(global))("moth that %s installed for all projects", (_name, { words, folders, typed }) => {
  it("is told of a newer one when it asks, and has it once the person has said so", async () => {
    const one = await person(words, folders);
    const before = (await one.moth("--version")).stdout.trim();
    expect(await one.moth("update", "--check")).toMatchObject({ code: 0, stdout: `moth ${before} is the newest.\n`, stderr: "" });
    expect(await one.moth("update", "--yes")).toMatchObject({ code: 0, stdout: `moth ${before} is the newest.\n`, stderr: "" });

    await publishNext(one);
    const told = `moth ${NEXT} is out; this is ${before}.\n`;
    expect(await one.moth("update", "--check")).toMatchObject({
      code: 10,
      stdout: `${told}To have it: moth update\n`,
      stderr: "",
    });
    expect(await one.moth("update")).toMatchObject({ code: 2, stderr: expect.stringContaining("moth update --yes") as string });
    expect((await one.moth("--version")).stdout.trim()).toBe(before);

    const updated = await one.moth("update", "--yes");
    expect(updated).toMatchObject({ code: 0 });
    expect(updated.stdout).toContain(`\n  ${typed}\n`);
    expect(updated.stdout).toContain(`moth is ${NEXT}.`);
    expect((await one.moth("--version")).stdout.trim()).toBe(NEXT);
    expect(await one.moth("update", "--check")).toMatchObject({ code: 0 });
  });
});
