import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { harnesses } from "@moth-companion/harnesses";
import { expect, onTestFinished, test } from "vitest";
import { checkCasesInTurn } from "../../harnesses/test/generate/dice.ts";
import { installPrograms, snapshot } from "../../harnesses/test/whole-home.ts";
import { wholeWorld } from "./support/whole-world.ts";
import { openTerminal, type Terminal } from "./support/terminal.ts";
import { createWorld, installed, isAlive, type World } from "./support/world.ts";

const SETTINGS = '{\n\t"model": "opus"\n}';

/** Every harness's program, and settings of one. */
async function freshWorld(): Promise<World & { settings: string }> {
  const world = await createWorld();
  world.env["PATH"] = [installed(), installPrograms(world.home)].join(delimiter);
  const settings = join(world.home, ".claude/settings.json");
  mkdirSync(join(world.home, ".claude"));
  writeFileSync(settings, SETTINGS);
  return { ...world, settings };
}

/** Ends with the test the moth that was started in it. */
function endAfterwards(world: World): void {
  onTestFinished(async () => {
    const answer = await fetch(`${world.url}/api/health`).catch(() => undefined);
    const { pid } = ((await answer?.json()) ?? {}) as { pid?: number };
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  });
}

const terminalIn = (world: World, args: string[]): Terminal =>
  openTerminal(args, { env: world.env, cwd: world.home, columns: 110, rows: 90 });

test("without a terminal it explains itself, changes nothing, and ends in 2", async () => {
  const world = await freshWorld();
  const before = snapshot(world.home, true);
  const ran = await world.moth(["setup"]);
  expect(ran).toMatchObject({
    code: 2,
    err: expect.stringMatching(/no terminal to ask in\n {6}To have it done: moth setup --yes\n$/) as string,
  });
  expect(ran.out).toContain(`Claude Code 9.8.7\n  change  ${world.settings} (adds 7 hooks)\n`);
  for (const { name } of harnesses) expect(ran.out).toContain(`\n${name}`);
  expect(ran.out).toContain(`  starts in the background, at ${world.url}\n`);
  expect(snapshot(world.home, true)).toEqual(before);
});

test("where a harness's own installer has brought moth in, neither it nor hook --all hooks it in once more", async () => {
  const world = await freshWorld();
  writeFileSync(world.settings, '{"enabledPlugins":{"moth@moth":true}}');
  const { out } = await world.moth(["setup"]);
  expect(out).toContain("Claude Code\n  moth is in already: plugin moth@moth\n");
  expect(out).not.toContain(world.settings);
  const all = await world.moth(["hook", "--all", "--dry-run", "--json"]);
  const planned = (JSON.parse(all.out) as { harness: string }[]).map(({ harness }) => harness);
  expect(planned).toContain("codex");
  expect(planned).not.toContain("claude-code");
  const named = await world.moth(["hook", "claude-code", "--dry-run"]);
  expect(named.out).toContain(world.settings);
});

test(
  "with --yes it hooks moth into everything and starts it; unhook --all and stop give every byte back",
  { timeout: 120_000 },
  async () => {
    await checkCasesInTurn(1, async (dice, note) => {
      const world = await wholeWorld(dice);
      endAfterwards(world);
      const before = snapshot(world.home);
      note(JSON.stringify(before, null, 1));
      const ran = await world.moth(["setup", "--yes"]);
      expect(ran.out).toMatch(/moth runs in the background at .*\n[^]*How to look:\n {2}moth tail /);
      expect(ran.code).toBe(ran.err === "" ? 0 : 1);
      const pid = Number(/process (\d+)/.exec(ran.out)?.[1]);
      expect(isAlive(pid)).toBe(true);
      expect((await world.moth(["status"])).code).toBe(0);

      const again = await world.moth(["setup", "--yes"]);
      expect(again.out).toMatch(/^moth is set up already: it runs, and is hooked in\.\n[^]*How to look:\n[^]*moth open /);
      expect((await world.moth(["unhook", "--all", "--yes"])).code).toBe(0);
      expect((await world.moth(["stop"])).code).toBe(0);
      expect(isAlive(pid)).toBe(false);
      expect(snapshot(world.home)).toEqual(before);
    });
  },
);

test.each([
  ["moth setup", "yes", ["setup"], "y", 0],
  ["moth setup", "no", ["setup"], "n", 1],
  ["moth alone, hooked into nothing", "no", [], "n", 0],
])("in a terminal %s asks once: %s", async (_name, answer, args, key, code) => {
  const world = await freshWorld();
  endAfterwards(world);
  const terminal = terminalIn(world, args);
  await terminal.waitFor(() => expect(terminal.rows().join("\n")).toContain("Set moth up?"));
  expect(readFileSync(world.settings, "utf8")).toBe(SETTINGS);
  terminal.type(key);
  expect(await terminal.ended).toBe(code);
  const after = terminal.all().join("\n").split("Set moth up?")[1] ?? "";
  if (answer === "yes") {
    expect(after).toMatch(/moth is hooked into Claude Code\.[^]*moth runs in the background[^]*moth ps +who needs you/);
    expect(readFileSync(world.settings, "utf8")).toContain("moth-hook");
    expect((await world.moth(["status"])).code).toBe(0);
  } else {
    expect(after).toContain("Nothing was changed.");
    expect(readFileSync(world.settings, "utf8")).toBe(SETTINGS);
    expect(existsSync(join(world.home, ".moth"))).toBe(false);
  }
});

test("moth alone asks nobody where there is no terminal", async () => {
  const world = await freshWorld();
  expect(await world.moth([])).toEqual({
    code: 0,
    err: "",
    out: "moth is asleep, and hooked into nothing yet.\n\nNext: moth setup    (hooks it in and starts it; asks before)\n",
  });
});

test("one harness whose settings cannot be read is left out, and named", async () => {
  const world = await freshWorld();
  endAfterwards(world);
  writeFileSync(world.settings, "{ broken");
  const ran = await world.moth(["setup", "--yes"]);
  expect(ran).toMatchObject({
    code: 1,
    err: expect.stringMatching(/settings\.json:1:3 is not JSON[^]*Claude Code is left as it is\.\n$/) as string,
  });
  expect(ran.out).toContain("moth runs in the background");
  expect(readFileSync(world.settings, "utf8")).toBe("{ broken");
});

test("nothing is changed when moth could not start: no harness here, or its port taken", async () => {
  const world = await freshWorld();
  const nobody = await world.moth(["setup", "--yes"], { PATH: join(world.home, "none"), HOME: join(world.home, "none") });
  expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining("no harness was found on this machine") as string });
  const other = createServer((_, response) => response.end("hello")).listen(world.port, "127.0.0.1");
  onTestFinished(() => void other.close());
  const before = snapshot(world.home, true);
  const taken = await world.moth(["setup", "--yes"]);
  expect(taken).toMatchObject({ code: 1, err: expect.stringContaining("another program holds") as string });
  expect(snapshot(world.home, true)).toEqual(before);
});

test.skipIf(process.platform === "win32").each([{ args: ["setup", "--yes"] }, { args: [] }, { args: ["doctor"] }])(
  "moth $args asks who is at moth's address before it starts any program: beside them, an answer may seem late",
  async ({ args }) => {
    const world = await freshWorld();
    const log = join(world.home, "log");
    writeFileSync(join(world.home, "bin/claude"), `#!/bin/sh\necho started >>'${log}'\necho 9.8.7\n`);
    let wasStarted: boolean | undefined;
    const other = createServer((_, response) => {
      setTimeout(() => {
        wasStarted = existsSync(log);
        response.end("hello");
      }, 300);
    }).listen(world.port, "127.0.0.1");
    onTestFinished(() => void other.close());
    await world.moth(args);
    expect(wasStarted).toBe(false);
  },
);

test("with moth running already it says how to look, and what is still to do", async () => {
  const world = await freshWorld();
  writeFileSync(world.settings, '{ "disableAllHooks": true }');
  await world.up();
  const { out } = await world.moth(["setup", "--yes"]);
  expect(out).toMatch(
    /moth \d+\.\d+\.\d+ is already running at [^]*How to look:\n {2}moth tail [^]*moth open [^]*Still to do:\nClaude Code: .*disableAllHooks/,
  );
  const again = await world.moth(["setup", "--yes"]);
  expect(again.out).toMatch(/^moth is set up already[^]*Still to do:\nClaude Code: .*disableAllHooks/);
});

test.skipIf(process.platform === "win32")(
  "a folder of moth's that is open to others is closed before programs go into it",
  async () => {
    const world = await freshWorld();
    mkdirSync(join(world.home, ".moth"));
    chmodSync(join(world.home, ".moth"), 0o777);
    expect(await world.moth(["hook", "claude-code", "--dry-run"])).toMatchObject({ code: 0, err: "" });
    expect(statSync(join(world.home, ".moth")).mode & 0o777).toBe(0o777);
    for (const args of [
      ["hook", "claude-code", "--yes"],
      ["hook", "claude-code", "--yes"],
      ["hook", "codex", "--yes"],
    ]) {
      chmodSync(join(world.home, ".moth"), 0o777);
      const ran = await world.moth(args);
      expect(ran).toMatchObject({ code: 0, err: expect.stringMatching(/^moth: \/.*\.moth was open to other users/) as string });
      expect(statSync(join(world.home, ".moth")).mode & 0o777).toBe(0o700);
    }
    writeFileSync(join(world.home, "file"), "");
    const refused = await world.moth(["hook", "claude-code", "--yes"], { MOTH_HOME: join(world.home, "file") });
    expect(refused.code).toBe(1);
    expect(refused.err).not.toMatch(/\n\s+at /);
  },
);
