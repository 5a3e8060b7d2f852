import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { harnesses } from "@moth-companion/harnesses";
import { expect, test } from "vitest";
import { openTerminal } from "./support/terminal.ts";
import { createWorld, type World } from "./support/world.ts";

const onWindows = process.platform === "win32";
const ID = "019a7b00-1111-7aaa-8bbb-000000000001";
const about = { source: "codex", session: ID, label: "app" };
const ODD = "-x; $(id) `id` \"two\" 'three' | > & * \\ %PATH% ünï\n--help\n-- end";
const IDS: Readonly<Record<string, string>> = { opencode: "ses_01abc", kilo: "ses_01abc", hermes: "20261130_120000_ab12cd" };
const started = harnesses.filter(({ launch }) => launch !== undefined).map(({ id }) => id);

interface Seen {
  args: string[];
  cwd: string;
  PWD: string;
}

/** Puts what stands for each harness's program on PATH: it writes down how it was started, and ends. */
function programs(world: World): { env: Record<string, string>; seen: () => Seen } {
  const bin = join(world.home, "bin");
  const file = join(world.home, "seen.json");
  mkdirSync(bin);
  // Whatever lies in the folders above.
  writeFileSync(join(bin, "package.json"), "{}");
  const seen = "JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), PWD: process.env.PWD })";
  for (const { program } of harnesses) {
    writeFileSync(
      join(bin, program),
      `#!${process.execPath}\nrequire("fs").writeFileSync(${JSON.stringify(file)}, ${seen});\nconsole.log("it runs");\n`,
    );
    chmodSync(join(bin, program), 0o755);
  }
  const env = { ...world.env, PWD: world.home, PATH: [bin, world.env["PATH"]].join(delimiter) };
  return { env, seen: () => JSON.parse(readFileSync(file, "utf8")) as Seen };
}

async function running(...reports: object[]): Promise<World> {
  const world = await createWorld();
  await world.up();
  for (const report of reports) await world.post("/api/state", { ...about, ...report });
  return world;
}

test.skipIf(onWindows).each(started.flatMap((id) => ["resume", "fork"].map((verb) => [verb, id] as const)))(
  "moth %s hands %s the id and the prompt as words of their own, behind what the person adds",
  async (verb, id) => {
    const world = await createWorld();
    const { launch } = harnesses.find((one) => one.id === id)!;
    const { env, seen } = programs(world);
    const session = IDS[id] ?? ID;
    const chats = join(world.home, ".gemini", "tmp", "app", "chats");
    mkdirSync(chats, { recursive: true });
    writeFileSync(join(chats, `session-2026-${session.slice(0, 8)}.jsonl`), `${JSON.stringify({ sessionId: session })}\n`);
    const takesPrompt = launch && "withPrompt" in launch && launch.again.noPrompt === undefined;
    const prompt = takesPrompt ? [`--prompt=${ODD}`] : [];
    const words = [verb, "--harness", id, "--id", session, ...prompt, "--", "--model", "some model"];
    const terminal = openTerminal(words, { env, cwd: world.home, columns: 200 });
    if (verb === "fork" && typeof launch?.again.fork === "string") {
      expect(await terminal.ended).toBe(2);
      expect(terminal.rows().join(" ")).toContain(launch.again.fork);
      return;
    }
    expect(await terminal.ended).toBe(0);
    const { args, cwd } = seen();
    expect(cwd).toBe(realpathSync(world.home));
    expect(args.slice(0, 2)).toEqual(["--model", "some model"]);
    expect(args.filter((word) => word.includes(session.slice(0, 8)))).toHaveLength(1);
    if (prompt.length > 0) expect(args.at(-1)).toMatch(/^(?:--[a-z-]+=)?-x; /);
    if (prompt.length > 0) expect(args.at(-1)?.endsWith(ODD)).toBe(true);
  },
);

test.each(
  started.flatMap((id) =>
    ["-x", "--help", "../other", "/etc/passwd", "a b", "latest", "1", "x.jsonl", ""].map((word) => [id, word]),
  ),
)("%s is never handed %j for a session's id", async (id, word) => {
  const { ids } = harnesses.find((one) => one.id === id)!.launch!.again;
  // omp and Pi go by whatever the person named a session, so a plain word may be one.
  expect(ids.test(word)).toBe((id === "pi" || id === "omp") && /^\w+$/.test(word));
  expect(ids.test(`${IDS[id] ?? ID}\n--help`)).toBe(false);
});

test.skipIf(onWindows)("a session that is gone goes on in the folder it was begun in, or in the one that is named", async () => {
  const world = await running();
  const { env, seen } = programs(world);
  const cwd = realpathSync(mkdirSync(join(world.home, "work", "my  app"), { recursive: true })!);
  const own = join(cwd, "my  app");
  await world.post("/api/state", { ...about, state: "idle", cwd: own });
  await world.post("/api/state", { ...about, state: "gone" });
  const run = async (...words: string[]): Promise<Seen> => {
    expect(await openTerminal(words, { env, cwd: world.home }).ended).toBe(0);
    return seen();
  };
  expect(await run("resume", "app")).toEqual({ args: ["resume", ID], cwd: own, PWD: own });
  expect(await run("fork", "019a7b00", "--prompt", "And now?")).toEqual({
    args: ["fork", ID, "--", "And now?"],
    cwd: own,
    PWD: own,
  });
  expect(await run("resume", "app", "--cwd", "bin")).toMatchObject({
    args: ["resume", ID],
    cwd: join(realpathSync(world.home), "bin"),
  });
});

test("a session that runs elsewhere is not opened twice, but can be copied", async () => {
  const world = await running({ state: "idle", cwd: "/", pid: process.pid, pane: "tmux:%3@/tmp/x" });
  const refused = await world.moth(["resume", "app"]);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/^moth: app still runs in another window \(tmux %3\): two would write over each other\n/);
  expect(refused.err).toContain("moth fork app");
  const named = await world.moth(["resume", "--harness", "codex", "--id", ID]);
  expect(named).toMatchObject({ code: 1, err: refused.err });
  // It goes as far as looking for a terminal.
  expect((await world.moth(["fork", "app"], programs(world).env)).err).toContain("is started in a terminal, and here is none");
});

test("one whose process is not known is taken for open as long as it was heard of lately, or is at work", async () => {
  const world = await running({ state: "idle", cwd: "/" });
  expect(await world.moth(["resume", "app"])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^moth: app may still run in another window: two/) as string,
  });
});

test.each([
  ["no session", ["resume"], 2, /^moth: resume which session\?/],
  ["half a name", ["fork", "--id", ID], 2, /^moth: --harness and --id name a session together/],
  ["two names", ["resume", "app", "--harness", "codex", "--id", ID], 2, /^moth: do not know what to do with "app"/],
  ["a harness there is not", ["resume", "--harness", "pie", "--id", ID], 2, /^moth: there is no harness "pie"/],
  ["one that moth cannot start", ["resume", "--harness", "dsh", "--id", ID], 2, /^moth: moth does not start dsh\n/],
  ["an id that is an option", ["resume", "--harness", "codex", "--id=--last"], 2, /^moth: "--last" is no session id of Codex/],
  ["a prompt that may be a command", ["fork", "--harness", "codex", "--id", ID, "--prompt", "/quit"], 2, /begins with "\/"/],
  [
    "a prompt that would go elsewhere",
    ["fork", "--harness", "kilo", "--id", "ses_1", "--prompt", "x"],
    2,
    /a session: it would forget it/,
  ],
  ["an empty prompt", ["resume", "--harness", "codex", "--id", ID, "--prompt", " "], 2, /^moth: the prompt is empty/],
  ["a copy of what has no record", ["fork", "--harness", "gemini", "--id", ID], 1, /^moth: there is no record of/],
  ["a session, without a moth", ["resume", "app"], 3, /^moth: moth is not running/],
] as const)("%s is refused before anything is started", async (_what, words, code, error) => {
  const ran = await (await createWorld()).moth(words);
  expect(ran.code).toBe(code);
  expect(ran.err).toMatch(error);
});

test("a folder that is not known, or is there no more, is asked for", async () => {
  const other = { session: ID.replace("1111", "2222"), label: "web" };
  const world = await running(
    { state: "gone" },
    { ...other, state: "idle", cwd: "/no such folder/web" },
    { ...other, state: "gone" },
  );
  expect((await world.moth(["resume", "app"])).err).toMatch(
    /^moth: moth has not heard which folder app was begun in\n.*--cwd DIR/,
  );
  expect((await world.moth(["resume", "web"])).err).toMatch(
    /^moth: the folder web was begun in is not there any more: \/no such/,
  );
});

test("of several sessions of one name, gone or not, each can be said", async () => {
  const second = ID.replace("8bbb", "9ccc");
  const world = await running(
    { state: "idle" },
    { state: "gone" },
    { session: second, state: "idle" },
    { session: second, state: "gone" },
  );
  const { err } = await world.moth(["resume", "app"]);
  const [, newer = "", older = ""] = /newest first: "([0-9a-f-]{8,})", "([0-9a-f-]{8,})"/.exec(err) ?? [];
  expect([second.startsWith(newer), ID.startsWith(older), newer === older]).toEqual([true, true, false]);
  // Each finds its own.
  expect((await world.moth(["resume", older])).err).toMatch(/which folder app was begun in/);
});

test("where one that runs and one that is over are called the same, the one that is over is resumed", async () => {
  const second = ID.replace("8bbb", "9ccc");
  const world = await running({ state: "idle" }, { state: "gone" }, { session: second, state: "working", pid: process.pid });
  expect((await world.moth(["resume", "app"])).err).toMatch(/which folder app was begun in/);
});
