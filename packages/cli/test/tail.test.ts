import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openTerminal } from "./support/terminal.ts";
import { createWorld, type World } from "./support/world.ts";

const about = { source: "x", session: "3f2a91bc-1", label: "moth-repo" };
const CALM = ["--batch-window", "0", "--react-every", "86400", "--quiet-after", "0"];

async function said(world: World, text: string): Promise<void> {
  await world.post("/api/agent", { ...about, text });
}

/** A world whose moth has used up its one reaction, so that from now on only cards come. */
async function calmWorld(): Promise<World> {
  const world = await createWorld();
  await world.up(CALM);
  await said(world, "Warm up.");
  return world;
}

test("a turn shows dim, moth's line in lamp yellow under it", async () => {
  const world = await createWorld();
  await world.up(["--batch-window", "0", "--react-every", "0", "--quiet-after", "0"]);
  // Wide enough for the longest of moth's lines.
  const terminal = openTerminal(["tail", "--watch"], { env: world.env, cwd: world.home, columns: 100 });
  await said(world, "All tests pass now.");
  await terminal.waitFor(() =>
    expect(terminal.rows()).toEqual(["x · moth-repo said: All tests pass now.", expect.stringMatching(/^moth> ./)]),
  );
  expect(terminal.output()).toMatch(/\[2mx · moth-repo said: All tests pass now\..*\[38;5;215mmoth>/s);
});

test("a line that arrives while typing is printed above; text and cursor stay", async () => {
  const world = await calmWorld();
  const terminal = openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home });
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you>"]));
  terminal.type("hello moth\u001b[D\u001b[D\u001b[D");
  await terminal.waitFor(() => expect(terminal.cursor()).toEqual({ row: 0, column: 12 }));
  await said(world, "First.");
  await said(world, "Second.");
  await terminal.waitFor(() =>
    expect(terminal.rows()).toEqual(["x · moth-repo said: First.", "x · moth-repo said: Second.", "you> hello moth"]),
  );
  expect(terminal.cursor()).toEqual({ row: 2, column: 12 });
  terminal.type("X");
  await terminal.waitFor(() => expect(terminal.rows().at(-1)).toBe("you> hello mXoth"));
});

test("half-typed text over several rows, with wide characters, stays too", async () => {
  const world = await calmWorld();
  const terminal = openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home, columns: 20, rows: 8 });
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you>"]));
  terminal.type("one two three 灯蛾在家 four five six\u001b[H\u001b[C\u001b[C");
  await terminal.waitFor(() =>
    expect([terminal.rows(), terminal.cursor()]).toEqual([
      ["you> one two three", "灯蛾在家 four five s", "ix"],
      { row: 0, column: 7 },
    ]),
  );
  for (let i = 0; i < 12; i++) await said(world, `Number ${i}.`);
  await terminal.waitFor(() => expect(terminal.all().filter((row) => row.startsWith("x · "))).toHaveLength(12));
  await terminal.waitFor(() =>
    expect(terminal.rows().slice(-4)).toEqual(["x · moth-repo said:…", "you> one two three", "灯蛾在家 four five s", "ix"]),
  );
  expect(terminal.cursor().column).toBe(7);
  expect(terminal.all().filter((row) => row.startsWith("you>"))).toHaveLength(1);
});

test("what is typed goes to moth and comes back once, with its answer; arrow up recalls it", async () => {
  const world = await calmWorld();
  const terminal = openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home, columns: 100 });
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you>"]));
  terminal.type("good night\r");
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you> good night", expect.stringMatching(/^moth> ./), "you>"]));
  terminal.type("\u001b[A");
  await terminal.waitFor(() => expect(terminal.rows().at(-1)).toBe("you> good night"));
});

test("a pasted text of two lines is not sent before return", async () => {
  const world = await calmWorld();
  const terminal = openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home });
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you>"]));
  terminal.type("\u001b[200~one\ntwo\u001b[201~");
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you> one two"]));
});

test("a resize draws everything anew for the new width, and keeps what is typed", async () => {
  const world = await calmWorld();
  const terminal = openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home, columns: 60 });
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you>"]));
  await said(world, "The login page works again and all the tests are green.");
  terminal.type("half a thought that is long enough to wrap");
  await terminal.waitFor(() =>
    expect(terminal.rows()).toEqual([
      "x · moth-repo said: The login page works again and all the…",
      "you> half a thought that is long enough to wrap",
    ]),
  );
  terminal.resize(30, 16);
  await terminal.waitFor(() =>
    expect(terminal.rows()).toEqual(["x · moth-repo said: The login…", "you> half a thought that is lo", "ng enough to wrap"]),
  );
  terminal.resize(100, 16);
  await terminal.waitFor(() =>
    expect(terminal.rows()).toEqual([
      "x · moth-repo said: The login page works again and all the tests are green.",
      "you> half a thought that is long enough to wrap",
    ]),
  );
  terminal.type("!");
  await terminal.waitFor(() => expect(terminal.rows().at(-1)).toBe("you> half a thought that is long enough to wrap!"));
});

test.each([
  ["ctrl-c", "\u0003"],
  ["ctrl-d", "\u0004"],
])("%s leaves a clean screen and a terminal that echoes again", async (_, key) => {
  const world = await calmWorld();
  const terminal = openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home, columns: 20 });
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you>"]));
  await said(world, "Now.");
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["x · moth-repo said:…", "you>"]));
  if (key === "\u0003") {
    terminal.type("half typed and long enough to wrap");
    await terminal.waitFor(() => expect(terminal.rows()).toHaveLength(3));
  }
  terminal.type(key);
  expect(await terminal.ended).toBe(0);
  await terminal.waitFor(() =>
    expect([terminal.rows(), terminal.cursor()]).toEqual([["x · moth-repo said:…"], { row: 1, column: 0 }]),
  );
  expect(terminal.output().trimEnd().endsWith("\u001b[?2004l")).toBe(true);
});

test("moth is asleep, once; awake again it goes on, across a restart", async () => {
  const world = await createWorld();
  const terminal = openTerminal(["tail"], { env: world.env, cwd: world.home });
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["moth is asleep", "you>"]));
  terminal.type("anyone?\r");
  await terminal.waitFor(() =>
    expect(terminal.rows()).toEqual(["moth is asleep", "moth is asleep and did not hear you", "you> anyone?"]),
  );
  terminal.type("\u0015");
  await world.up(CALM);
  await terminal.waitFor(() => expect(terminal.rows().at(-2)).toBe("moth is awake"));
  await world.moth(["stop"]);
  await terminal.waitFor(() => expect(terminal.rows().at(-2)).toBe("moth is asleep"));
  await world.up(CALM);
  await said(world, "Back again.");
  await terminal.waitFor(() =>
    expect(terminal.rows().slice(-4, -1)).toEqual([
      "moth is awake",
      "x · moth-repo said: Back again.",
      expect.stringMatching(/^moth> /),
    ]),
  );
});

test("a reset is followed", async () => {
  const world = await calmWorld();
  const tail = world.start(["tail", "--history", "1"]);
  await said(world, "Before.");
  await vi.waitFor(() => expect(tail.out()).toContain("x · moth-repo said: Before.\n"), { timeout: 10_000 });
  await world.post("/api/reset", {});
  await said(world, "After.");
  await vi.waitFor(() => expect(tail.out()).toContain("moth forgot; a new chat begins\nx · moth-repo said: After.\n"), {
    timeout: 10_000,
  });
});

test("without a terminal: plain lines, no prompt, --history and --session hold", async () => {
  const world = await calmWorld();
  await said(world, "One.");
  await world.post("/api/agent", { ...about, session: "77-2", label: "api", text: "Two." });
  await said(world, "Three.");
  const tail = world.start(["tail", "--history", "2"]);
  await vi.waitFor(() => expect(tail.out()).toBe("x · api said: Two.\nx · moth-repo said: Three.\n"), { timeout: 10_000 });
  const one = world.start(["tail", "--history", "2", "--session", "moth-repo"]);
  await vi.waitFor(() => expect(one.out()).toBe("x · moth-repo said: One.\nx · moth-repo said: Three.\n"), { timeout: 10_000 });
  const json = world.start(["tail", "--history", "1", "--json"]);
  await vi.waitFor(() => expect(JSON.parse(json.out())).toMatchObject({ kind: "card", text: "Three.", label: "moth-repo" }), {
    timeout: 10_000,
  });
  for (const { child, ended } of [tail, one, json]) {
    child.kill("SIGINT");
    expect((await ended).code).toBe(0);
  }
});

test("NO_COLOR: not one colour, in a terminal", async () => {
  const world = await calmWorld();
  const terminal = openTerminal(["tail", "--history", "5"], { env: { ...world.env, NO_COLOR: "1" }, cwd: world.home });
  await terminal.waitFor(() => expect(terminal.rows().at(-1)).toBe("you>"));
  await terminal.waitFor(() => expect(terminal.rows()).toContain("x · moth-repo said: Warm up."));
  // oxlint-disable-next-line no-control-regex -- colours are what is looked for
  expect(terminal.output()).not.toMatch(/\u001b\[[\d;]*m/);
});

test("what could not be sent is said in words of the person's, and given back", async () => {
  const world = await calmWorld();
  const terminal = openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home, columns: 120 });
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you>"]));
  rmSync(join(world.home, ".moth/token"));
  terminal.type("hello");
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you> hello"]));
  terminal.type("\r");
  await terminal.waitFor(() => expect(terminal.rows().join("\n")).toMatch(/not sent: no usable token in [^]*\nyou> hello$/));
});

test.each([30, 40, 61])("in %i columns ps --watch shows each age whole", async (columns) => {
  const world = await calmWorld();
  for (const label of ["a", "a-folder-with-a-name-that-needs-to-be-cut-here"])
    await world.post("/api/state", { source: "a-harness-of-a-long-name", session: label, label, state: "working" });
  const terminal = openTerminal(["ps", "--watch"], { env: world.env, cwd: world.home, columns });
  await terminal.waitFor(() => expect(terminal.rows()).toHaveLength(6));
  expect(
    terminal
      .rows()
      .slice(1, 4)
      .map((row) => /(?:\d+[sm])(?: +[\w-]+)?$/.test(row)),
  ).toEqual([true, true, true]);
});

test("ps --watch follows, never clears the screen, and gives the old one back", async () => {
  const world = await calmWorld();
  const terminal = openTerminal(["ps", "--watch"], { env: world.env, cwd: world.home, columns: 60 });
  await terminal.waitFor(() => expect(terminal.rows()[1]).toMatch(/^moth-repo +x +idle/));
  await world.post("/api/state", { ...about, state: "waiting", wait: { id: "w", kind: "question", answerable: false } });
  await terminal.waitFor(() => expect(terminal.rows()[1]).toMatch(/^moth-repo +x +waits: question/));
  await world.moth(["stop"]);
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["moth is asleep. Start it: moth up"]));
  terminal.type("q");
  expect(await terminal.ended).toBe(0);
  expect(terminal.rows()).toEqual([]);
  expect(terminal.output()).not.toContain("\u001b[2J");
  expect(terminal.output().trimEnd().endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
});
