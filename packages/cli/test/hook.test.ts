import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openTerminal } from "./support/terminal.ts";
import { createWorld, installed, type World } from "./support/world.ts";

const SETTINGS = '{\n\t"model": "opus"\n}';

/** A world with a harness in it: a program that tells its version, and settings. */
async function worldWithHarness(): Promise<World & { settings: string }> {
  const world = await createWorld();
  const bin = join(world.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "claude"), "#!/bin/sh\necho '2.1.332 (Claude Code)'\n");
  chmodSync(join(bin, "claude"), 0o755);
  world.env["PATH"] = `${installed()}:${bin}:/usr/bin:/bin`;
  mkdirSync(join(world.home, ".claude"));
  const settings = join(world.home, ".claude/settings.json");
  writeFileSync(settings, SETTINGS);
  return { ...world, settings };
}

test("hook without a terminal shows the plan, changes nothing, and says how to go on", async () => {
  const world = await worldWithHarness();
  const ran = await world.moth(["hook", "claude-code"]);
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("Add --yes to do it, or --dry-run to see it") as string });
  expect(ran.out).toContain(`change  ${world.settings}`);
  expect(readFileSync(world.settings, "utf8")).toBe(SETTINGS);
});

test("--dry-run shows the lines and changes nothing", async () => {
  const world = await worldWithHarness();
  const ran = await world.moth(["hook", "claude-code", "--dry-run"]);
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toMatch(/^ +\+ .*"Stop"/m);
  expect(ran.out).toMatch(/Nothing was changed \(--dry-run\)\.\n$/);
  expect(readFileSync(world.settings, "utf8")).toBe(SETTINGS);
  expect(existsSync(join(world.home, ".moth/bin"))).toBe(false);
});

test("hook, twice, and unhook: every byte comes back", async () => {
  const world = await worldWithHarness();
  const hooked = await world.moth(["hook", "claude-code", "--yes"]);
  expect(hooked).toMatchObject({ code: 0, err: "" });
  expect(hooked.out).toMatch(/^moth is hooked into Claude Code\.\n/);
  expect(hooked.out).toContain(`as it was before: ${world.settings}.bak-moth-`);
  expect(hooked.out).toMatch(/\nNext, start moth: moth up\n$/);
  const { mtimeMs } = statSync(world.settings);
  expect((await world.moth(["hook", "claude-code", "--yes"])).out).toMatch(
    /^Claude Code: nothing to do, moth is hooked in already\./,
  );
  expect(statSync(world.settings).mtimeMs).toBe(mtimeMs);
  expect((await world.moth(["hooks"])).out).toMatch(/^Claude Code +2\.1\.332 +hooked +never$/m);

  const unhooked = await world.moth(["unhook", "--all", "--yes"]);
  expect(unhooked.out).toMatch(/^moth is out of Claude Code\.\n/);
  expect(readFileSync(world.settings, "utf8")).toBe(SETTINGS);
  expect(unhooked.out).toContain("to the byte what it was before moth came; its copy is gone, too\n");
  expect(readdirSync(join(world.home, ".claude"))).toEqual(["settings.json"]);
  expect((await world.moth(["unhook", "--all", "--yes"])).out).toBe("moth is hooked into nothing.\n");
  expect((await world.moth(["unhook", "claude-code", "--yes"])).out).toMatch(
    /^Claude Code: nothing to do, moth is not hooked in\./,
  );
});

test.skipIf(process.platform === "win32")(
  "a repository's link to a file of the person's is refused with words; their own link is followed, and the file named",
  async () => {
    const world = await worldWithHarness();
    const secret = join(world.home, "dots/secret.json");
    mkdirSync(join(world.home, "dots"));
    writeFileSync(secret, '{"token": "secret"}');
    const repository = join(world.home, "repository");
    mkdirSync(join(repository, ".claude"), { recursive: true });
    symlinkSync(secret, join(repository, ".claude/settings.json"));
    for (const how of ["--yes", "--dry-run"]) {
      const ran = await world.moth(["hook", "claude-code", "--project", repository, how]);
      expect(ran).toMatchObject({ code: 1, out: "" });
      expect(ran.err).toContain(`/repository/.claude/settings.json leads out of the project, to ${realpathSync(secret)}`);
    }
    expect(readFileSync(secret, "utf8")).toBe('{"token": "secret"}');
    expect(readdirSync(join(repository, ".claude"))).toEqual(["settings.json"]);

    rmSync(world.settings);
    symlinkSync(secret, world.settings);
    const plan = await world.moth(["hook", "claude-code", "--dry-run"]);
    expect(plan.out).toContain(`  change  ${world.settings} (adds 7 hooks)\n          through a link: ${realpathSync(secret)}\n`);
    const hooked = await world.moth(["hook", "claude-code", "--yes"]);
    expect(hooked.out).toContain(`as it was before: ${realpathSync(secret)}.bak-moth-`);
  },
);

test("hooks that another program took out are missed; hooks that were heard say when", async () => {
  const world = await worldWithHarness();
  await world.up();
  await world.moth(["hook", "claude-code", "--yes"]);
  await world.post("/api/state", { source: "claude-code", session: "s1", label: "repo", state: "working" });
  await vi.waitFor(
    async () => expect((await world.moth(["hooks"])).out).toMatch(/^Claude Code +2\.1\.332 +hooked +\d+[sm] ago$/m),
    10_000,
  );
  writeFileSync(world.settings, '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bash ~/peon-ping/peon.sh"}]}]}}');
  const { out } = await world.moth(["hooks"]);
  expect(out).toMatch(/^Claude Code +2\.1\.332 +overwritten +\d+[sm] ago$/m);
  expect(out).toContain("Claude Code: peon-ping tells of its turns, too.\n");
  expect(out).toContain(`moth's hooks are gone from ${world.settings}`);
  expect((await world.moth(["unhook", "--all", "--yes"])).out).toMatch(/^moth is out of Claude Code\.\n/);
  expect((await world.moth(["hooks"])).out).toMatch(/^Claude Code +2\.1\.332 +not hooked/m);
  expect(readFileSync(world.settings, "utf8")).toContain("peon.sh");
});

test("a harness whose program is not here can be hooked, and that is said", async () => {
  const world = await worldWithHarness();
  const line = "  Claude Code's program (claude) was not found on PATH; the hook holds once it is there.\n";
  expect((await world.moth(["hook", "claude-code", "--dry-run"])).out).not.toContain("was not found");
  const env = { PATH: join(world.home, "empty") };
  expect((await world.moth(["hook", "claude-code", "--dry-run"], env)).out).toContain(line);
  const hooked = await world.moth(["hook", "claude-code", "--yes"], env);
  expect(hooked).toMatchObject({ code: 0, out: expect.stringContaining(line) as string });
  expect((await world.moth(["unhook", "claude-code", "--yes"], env)).out).not.toContain("was not found");
});

test("--json says what was done and needs no answer", async () => {
  const world = await worldWithHarness();
  const ran = await world.moth(["hook", "claude-code", "--yes", "--json"]);
  const [done] = JSON.parse(ran.out) as {
    harness: string;
    applied: boolean;
    changes: { file: string; does: string; backup?: string }[];
  }[];
  expect(done).toMatchObject({ harness: "claude-code", action: "hook", applied: true });
  expect(done?.changes).toContainEqual(
    expect.objectContaining({ file: world.settings, does: "change", backup: expect.stringContaining(".bak-moth-") as string }),
  );
  expect(await world.moth(["unhook", "claude-code", "--json"])).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("--json cannot ask") as string,
  });
});

test("a project's settings, when asked for", async () => {
  const world = await worldWithHarness();
  mkdirSync(join(world.home, "work"));
  expect(await world.moth(["hook", "claude-code", "--project", "work", "--yes"])).toMatchObject({ code: 0, err: "" });
  expect(readFileSync(join(world.home, "work/.claude/settings.json"), "utf8")).toContain("moth-hook");
  expect(readFileSync(world.settings, "utf8")).toBe(SETTINGS);
  // The program it calls stays, as long as the project is hooked.
  expect((await world.moth(["forget", "--all", "--yes"])).out).toContain("harnesses still call it");
  expect(existsSync(join(world.home, ".moth/bin/moth-hook"))).toBe(true);
  await world.moth(["unhook", "claude-code", "--project", "work", "--yes"]);
  expect(existsSync(join(world.home, "work/.claude/settings.json"))).toBe(false);
  expect(await world.moth(["hook", "claude-code", "--project", "nowhere", "--yes"])).toMatchObject({ code: 2 });
});

test("a file that cannot be read is left alone: where, and what to do", async () => {
  const world = await worldWithHarness();
  writeFileSync(world.settings, '{\n  "hooks": oops\n}');
  const ran = await world.moth(["hook", "claude-code", "--yes"]);
  expect(ran.code).toBe(1);
  expect(ran.err).toMatch(/^moth: .*settings\.json/);
  expect(ran.err).not.toMatch(/\n\s+at /);
  expect(readFileSync(world.settings, "utf8")).toBe('{\n  "hooks": oops\n}');
});

test("of several files that cannot be read each is named, and nothing is changed", async () => {
  const world = await worldWithHarness();
  writeFileSync(world.settings, "oops");
  mkdirSync(join(world.home, ".gemini"));
  writeFileSync(join(world.home, ".gemini/settings.json"), "oops");
  const ran = await world.moth(["hook", "claude-code", "gemini", "pi", "--yes"]);
  expect(ran).toMatchObject({ code: 1, out: "" });
  expect(ran.err).toMatch(/\.claude\/settings\.json:1[^]*\.gemini\/settings\.json:1/);
  expect(existsSync(join(world.home, ".moth"))).toBe(false);
});

test.each([
  [["hook", "claud-code"], /there is no harness "claud-code"\n {6}Did you mean claude-code\? moth knows: claude-code/],
  [["hook"], /which harness\? Found here: claude-code\. Known: claude-code.*\n {6}For example: moth hook claude-code/],
  [["unhook"], /which harness\? Hooked in: none\./],
  [["hook", "--all", "claude-code"], /--all and names at once/],
  [["hook", "claud-code", "zzzz"], /there is no harness "claud-code" and none "zzzz"\n {6}Did you mean claude-code\? moth knows/],
  [["hook", "--all", "--profile", "work"], /^moth: --profile is of one harness\n {6}Name the harness instead of --all\n$/],
  [["unhook", "--all", "--profile", "work"], /^moth: --profile is of one harness\n.*\n$/],
  [["hook", "claude-code", "pi", "--trust"], /--trust is not for claude-code: [^]*--trust is not for pi: /],
])("%j is a mistake with a way on", async (args, message) => {
  const world = await worldWithHarness();
  expect(await world.moth(args)).toMatchObject({ code: 2, out: "", err: expect.stringMatching(message) as string });
});

test.each([
  ["yes", "y", 0, true],
  ["no", "n", 1, false],
  ["ctrl-c", "\u0003", 1, false],
])("in a terminal it asks; %s", async (_, key, code, hooked) => {
  const world = await worldWithHarness();
  const terminal = openTerminal(["hook", "claude-code"], { env: world.env, cwd: world.home, columns: 100, rows: 40 });
  await terminal.waitFor(() => expect(terminal.rows().join("\n")).toContain("Hook moth in?"));
  terminal.type(key);
  expect(await terminal.ended).toBe(code);
  expect(readFileSync(world.settings, "utf8") !== SETTINGS).toBe(hooked);
  const after = terminal.all().join("\n").split("Hook moth in?")[1] ?? "";
  expect(after).toMatch(hooked ? /settings\.json\n {4}as it was before: / : /Nothing was changed\.$/);
  expect(after).not.toContain("hook program");
  expect(terminal.rows().join("\n")).toContain(hooked ? "moth is hooked into Claude Code." : "Nothing was changed.");
});

test("the whole way: hooked, up, and the newcomer is led on", async () => {
  const world = await worldWithHarness();
  await world.up();
  expect((await world.moth([])).out).toMatch(
    /It is hooked into nothing yet\.\n\nNext, hook moth into it: moth hook claude-code\n$/,
  );
  expect((await world.moth(["hook", "--all", "--yes"])).out).toMatch(/\nNext: moth tail\n$/);
  expect((await world.moth([])).out).toMatch(/No session yet\..*\n\nNext: moth tail\n/);
  await world.post("/api/state", { source: "claude-code", session: "s1", label: "repo", state: "working" });
  expect((await world.moth([])).out).toMatch(/^repo +claude +working/m);
  expect((await world.moth(["unhook", "--all", "--yes"])).code).toBe(0);
  expect((await world.moth([])).out).toMatch(/^repo +claude +working[^]*Next, hook moth into it: moth hook claude-code\n/m);
  await world.moth(["hook", "--all", "--yes"]);
  const doctor = await world.moth(["doctor"]);
  expect(doctor).toMatchObject({ code: 0 });
  expect(doctor.out).toMatch(/^ok {4}Claude Code: hooked/m);
  expect(doctor.out).toMatch(/^ok {4}hooks run on Node v/m);
});
