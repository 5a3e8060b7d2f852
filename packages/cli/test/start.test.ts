import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { harnesses } from "@moth-companion/harnesses";
import { expect, test, vi } from "vitest";
import { openTerminal, type Terminal } from "./support/terminal.ts";
import { createWorld, isAlive, type World } from "./support/world.ts";

interface Started {
  world: World;
  terminal: Terminal;
  /** What the harness was started with. */
  seen: () => { args: string[]; cwd: string; PWD?: string; pid: number };
}

/** Starts what stands for a harness's program: it writes down how it was started, and ends as it is told. */
async function start(words: string[], ends = "setInterval(() => {}, 1e6)", id = "pi"): Promise<Started> {
  const world = await createWorld();
  const bin = join(world.home, "bin");
  const file = join(world.home, "seen.json");
  mkdirSync(bin);
  // Whatever lies in the folders above.
  writeFileSync(join(bin, "package.json"), "{}");
  const seen = `JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), PWD: process.env.PWD, pid: process.pid })`;
  const script = `#!${process.execPath}\nrequire("fs").writeFileSync(${JSON.stringify(file)}, ${seen});\nconsole.log("it runs", process.stdin.isTTY);\n${ends}\n`;
  const program = join(bin, harnesses.find((one) => one.id === id)!.program);
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  const env = { ...world.env, PWD: world.home, PATH: [bin, world.env["PATH"]].join(delimiter) };
  const terminal = openTerminal(["start", id, ...words], { env, cwd: world.home, columns: 120 });
  await terminal.waitFor(() => expect(terminal.rows().length).toBeGreaterThan(0));
  return { world, terminal, seen: () => JSON.parse(readFileSync(file, "utf8")) as ReturnType<Started["seen"]> };
}

const onWindows = process.platform === "win32";
const ODD = "-x; $(id) `id` \"two\" 'three' | > & * \\ %PATH% ünï\n--help\n-- end";

test.skipIf(onWindows).each(harnesses.filter(({ launch }) => launch && "withPrompt" in launch).map(({ id }) => id))(
  "%s gets a prompt as one argument and as it stands, behind what the person adds",
  async (id) => {
    const { seen, terminal } = await start([`--prompt=${ODD}`, "--", "--model", "some model"], "process.exit(0)", id);
    expect(await terminal.ended).toBe(0);
    const { args } = seen();
    expect(args.slice(0, 2)).toEqual(["--model", "some model"]);
    expect(args.at(-1)).toMatch(/^(?:--[a-z-]+=)?-x; /);
    expect(args.at(-1)?.endsWith(ODD)).toBe(true);
  },
);

test.skipIf(onWindows)("it has the terminal, the folder that is named, and its exit code is moth's", async () => {
  const { seen, terminal, world } = await start(["--cwd", "bin"], "process.exitCode = 7");
  expect(await terminal.ended).toBe(7);
  expect(terminal.rows()).toEqual(["it runs true"]);
  expect(seen()).toMatchObject({ args: [], cwd: realpathSync(join(world.home, "bin")), PWD: join(world.home, "bin") });
});

test.skipIf(onWindows)("ctrl-c is its own affair; what ends moth ends it", async () => {
  const { terminal, seen } = await start([], `process.on("SIGINT", () => console.log("not yet")); setInterval(() => {}, 1e6);`);
  await terminal.waitFor(() => expect(terminal.rows()).toContain("it runs true"));
  terminal.type("\u0003");
  await terminal.waitFor(() => expect(terminal.rows().join(" ")).toContain("not yet"));
  process.kill(terminal.pid, "SIGTERM");
  expect(await terminal.ended).toBe(128 + 15);
  await vi.waitFor(() => expect(isAlive(seen().pid)).toBe(false));
});

test.each([
  ["no harness", [], /^moth: start which harness\?/],
  ["one there is not", ["pie"], /^moth: there is no harness "pie"\n {6}Did you mean pi\?/],
  ["one that moth cannot start", ["dsh"], /^moth: moth does not start dsh\n/],
  [
    "a prompt that may be a command",
    ["pi", "--prompt", "/quit"],
    /^moth: a prompt that begins with "\/" may be a command to Pi\n/,
  ],
  ["one that may be a shell's", ["claude-code", "--prompt", " !ls"], /^moth: a prompt that begins with "!"/],
  ["one that may be a file", ["pi", "--prompt", "@notes.md"], /^moth: a prompt that begins with "@"/],
  ["an empty prompt", ["pi", "--prompt", "  "], /^moth: the prompt is empty/],
  ["a prompt where none can be given", ["hermes", "--prompt", "hello"], /^moth: Hermes .*cannot be given a prompt/],
  ["a folder that is not there", ["pi", "--cwd", "no such"], /^moth: there is no folder .*no such/],
])("%s is refused before anything is started", async (_what, words, error) => {
  const { code, err } = await (await createWorld()).moth(["start", ...words]);
  expect(code).toBe(2);
  expect(err).toMatch(error);
});

test.skipIf(onWindows)("without a terminal, or without its program, it says so", async () => {
  const world = await createWorld();
  expect(await world.moth(["start", "pi"], { PATH: world.home })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^moth: Pi is not installed here: there is no pi on PATH\n/) as string,
  });
  const program = join(world.home, "pi");
  writeFileSync(program, "#!/bin/sh\n");
  chmodSync(program, 0o755);
  expect(await world.moth(["start", "pi"], { PATH: world.home })).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^moth: Pi is started in a terminal, and here is none\n/) as string,
  });
});
