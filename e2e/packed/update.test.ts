import { appendFileSync, mkdtempSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { installCli } from "../src/clis.ts";
import { claudeCode } from "../src/drivers/claude-code.ts";
import { type Finished, run } from "../src/processes.ts";
import { until } from "../src/wait.ts";
import { openWorld, type World } from "../src/world.ts";
import { global } from "./programs.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { shipped } from "./shipped.ts";
import { asVersion, repacked } from "./tarballs.ts";

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
  const install = async (version: string): Promise<void> => {
    const installed = await run(manager, [...verb, `moth-companion@${version}`], { cwd: world.home, env });
    expect(installed).toMatchObject({ code: 0 });
  };
  await install("latest");
  const bin = join(bins[0] ?? "", "moth");
  return { world, registry, install, moth: (...args) => run(bin, args, { cwd: world.project, env }) };
}

interface Person {
  world: World;
  registry: Registry;
  install: (version: string) => Promise<void>;
  moth: (...args: string[]) => Promise<Finished>;
}

/** The release after this one: a hook program of another text, and all else as it is. */
async function publishNext({ registry, world }: Person): Promise<void> {
  const into = mkdtempSync(join(world.home, "next "));
  const next = await repacked(shipped().own, into, (manifest, folder) => {
    if (manifest.name === "@moth-companion/hook") appendFileSync(join(folder, "dist", "moth-hook-program.js"), "// next\n");
    return asVersion(manifest, NEXT);
  });
  registry.publish(next);
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
    expect(updated.stdout).toContain(`\n  ${typed} moth-companion@${NEXT}\n`);
    expect(updated.stdout).toContain(`moth is ${NEXT}.`);
    expect((await one.moth("--version")).stdout.trim()).toBe(NEXT);
    expect(await one.moth("update", "--check")).toMatchObject({ code: 0 });
  });
});

it("hooks go on telling over a newer version and back again, and moth says how to renew them", async () => {
  const { words, folders } = global["npm"] ?? { words: [], folders: [] };
  const one = await person(words, folders);
  const { moth, world, install } = one;
  const before = (await moth("--version")).stdout.trim();
  const turn = async (text: string): Promise<void> => {
    await world.oneShot(`[[reply: ${text}]]`);
    const session = world.model.requests.findLast((request) => request.kind === "turn")?.session ?? "";
    let last: Finished | undefined;
    await until("the reply", async () => (last = await moth("last", session)).stdout === `${text}\n`, { facts: () => last });
  };
  const claude = async (): Promise<string> => /^Claude Code.*$/m.exec((await moth("hooks")).stdout)?.[0] ?? "";
  onTestFinished(async () => void (await moth("stop")));

  await moth("up", "-d");
  await moth("hook", "claude-code", "--yes");
  await turn("From before.");
  await publishNext(one);
  expect(await moth("update", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("moth stop, then moth up -d") as string,
  });
  await turn("By the old hook to the old moth.");
  await moth("stop");
  await moth("up", "-d");
  expect(JSON.parse((await moth("status", "--json")).stdout)).toMatchObject({ version: NEXT });
  await turn("By the old hook to the new moth.");

  expect(await claude()).toContain("outdated");
  expect((await moth("hooks")).stdout.replaceAll(/\s+/g, " ")).toContain("moth hook claude-code");
  expect(await moth("hook", "claude-code", "--yes")).toMatchObject({ code: 0 });
  expect(await claude()).toMatch(/ hooked /);
  await turn("By the new hook to the new moth.");

  await install(before);
  expect((await moth("--version")).stdout.trim()).toBe(before);
  await moth("stop");
  await moth("up", "-d");
  await turn("By the new hook to the old moth.");
  expect(await claude()).toContain("outdated");
  expect(await moth("hook", "claude-code", "--yes")).toMatchObject({ code: 0 });
  expect(await claude()).toMatch(/ hooked /);
  await turn("By the old hook to the old moth, once more.");
});
