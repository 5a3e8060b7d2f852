/** What `moth tail` and `moth ps --watch` do to a screen: nothing that the person would miss. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openTerminal, type Terminal, type TerminalOptions } from "./support/terminal.ts";
import { countRedraws, inWindow, noTmux, paneRows, startTmux } from "./support/tmux.ts";
import { BIN, createWorld, type World } from "./support/world.ts";

const about = { source: "x", session: "3f2a91bc-1", label: "moth-repo" };
const SHELL = ["$ ls", "notes.md  src", "$ moth tail"];

/** A world whose moth has used up its one reaction, so that only cards come. */
async function calmWorld(): Promise<World> {
  const world = await createWorld();
  await world.up(["--batch-window", "0", "--react-every", "86400", "--quiet-after", "0"]);
  await world.post("/api/agent", { ...about, text: "Warm up." });
  return world;
}

async function openTail(world: World, options: Partial<TerminalOptions> = {}): Promise<Terminal> {
  const terminal = openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home, before: SHELL, ...options });
  await terminal.waitFor(() => expect(terminal.rows().at(-1)).toBe("you>"));
  return terminal;
}

const said = (world: World, text: string): Promise<unknown> => world.post("/api/agent", { ...about, text });
const soon = (fn: () => void): Promise<void> => vi.waitFor(fn, { timeout: 10_000, interval: 50 });
const cards = (terminal: Terminal): string[] => terminal.all().filter((row) => row.startsWith("x · "));

test.each([40, 80, 130])(
  "at %i columns: lines of wide characters, emoji and accents fit, and none is broken by the terminal",
  async (columns) => {
    const world = await calmWorld();
    const terminal = await openTail(world, { columns });
    const texts = ["灯蛾".repeat(60), "👨‍👩‍👧🦋👍🏽🇩🇪❤️".repeat(20), "e\u0301".repeat(200), "한국어 テスト ไทย ".repeat(12)];
    for (const text of texts) await said(world, text);
    await terminal.waitFor(() => expect(terminal.rows()).toHaveLength(SHELL.length + texts.length + 1));
    expect(terminal.rows().slice(0, 3)).toEqual(SHELL);
    for (const row of terminal.rows().slice(3, -1)) expect(row).toMatch(/^x · moth-repo said: .*…$/u);
  },
);

test.each([
  ["as terminals do today", "graphemes"],
  ["as an old one does", "old"],
] as const)("half-typed emoji over several rows stay whole while lines arrive, drawn %s", async (_, widths) => {
  const world = await calmWorld();
  const terminal = await openTail(world, { columns: 40, widths });
  const typed = "ask 👨‍👩‍👧 and 🦋 about 灯蛾 and the e\u0301te\u0301, please, today";
  terminal.type(typed);
  await terminal.waitFor(() => expect(terminal.rows().join("")).toContain("today"));
  for (const text of ["One.", "Two.", "Three."]) await said(world, text);
  await terminal.waitFor(() => expect(cards(terminal)).toHaveLength(3));
  await terminal.waitFor(() => expect(terminal.rows()).toHaveLength(SHELL.length + 3 + 2));
  expect(terminal.rows().slice(0, 3)).toEqual(SHELL);
  // The cursor stands behind the last letter, wherever this terminal has put that.
  expect(terminal.cursor().column).toBe(terminal.end(terminal.rows().length - 1));
});

const ROW = "word word word word word word word word";

test("a line longer than the screen is typed, and what stands above stays", async () => {
  const world = await calmWorld();
  const terminal = await openTail(world, { columns: 40, rows: 8 });
  terminal.type("word ".repeat(100));
  await terminal.waitFor(() => expect(terminal.rows()).toEqual([SHELL[2], ...Array<string>(6).fill(ROW), ROW.slice(0, 24)]));
  terminal.type("\u0015");
  await terminal.waitFor(() => expect(terminal.rows().at(-1)).toBe("you>"));
  await said(world, "One.");
  await terminal.waitFor(() => expect(terminal.all()).toEqual([...SHELL, "x · moth-repo said: One.", "you>"]));
});

/** Without the blanks that rows end in. */
const squeezed = (rows: readonly string[]): string => rows.join("").replaceAll(" ", "");

test.each([
  ["narrower", 60, 30],
  ["wider", 40, 130],
])("a resize to %s keeps what the shell wrote above, and no copy of the prompt", async (_, from, to) => {
  const world = await calmWorld();
  const terminal = await openTail(world, { columns: from });
  for (const text of ["The login page works again and all is green.", "Second."]) await said(world, text);
  terminal.type("half a thought that is long enough to need two rows of it");
  await terminal.waitFor(() => expect(terminal.rows().join(" ")).toMatch(/Second\. you> half.*rows of it$/));
  terminal.resize(to, 16);
  const card = to > from ? "x · moth-repo said: The login page works again and all is green." : "x · moth-repo said: The login…";
  const entries = [...SHELL, card, "x · moth-repo said: Second."];
  await terminal.waitFor(() => {
    expect(terminal.rows().slice(0, 5)).toEqual(entries);
    expect(squeezed(terminal.rows().slice(5))).toBe("you>halfathoughtthatislongenoughtoneedtworowsofit");
  });
});

test.skipIf(noTmux)("in tmux, which breaks every line anew, resizes cost nothing of the history either", async () => {
  const world = await calmWorld();
  const tmux = startTmux(world.env);
  const shell = SHELL.map((line) => `echo '${line}'`).join("; ");
  const pane = inWindow(tmux, world.env, `${shell}; ${process.execPath} ${BIN} tail --history 0; cat`);
  const rows = (): string[] => paneRows(tmux, pane);
  await soon(() => expect(rows().at(-1)).toBe("you>"));
  tmux.run("send-keys", "-t", pane, "-l", "half a thought that is long enough to need two rows of it");
  await soon(() => expect(rows().at(-1)).toContain("rows of it"));
  for (const text of ["The login page works again and all is green.", "Second."]) await said(world, text);
  const drawn = countRedraws(tmux, pane, join(world.home, "written"));
  const typed = "you>halfathoughtthatislongenoughtoneedtworowsofit";
  for (const [columns, height] of [
    [30, 16],
    [130, 16],
    [24, 6],
    [80, 16],
  ]) {
    const before = drawn();
    tmux.run("resize-window", "-t", pane, "-x", String(columns), "-y", String(height));
    let [last, since] = [before, Date.now()];
    await soon(() => {
      // Another resize in the midst of it would be another test; and tmux tells a program of one up to a quarter of a second later.
      if (drawn() !== last) [last, since] = [drawn(), Date.now()];
      expect(last).toBeGreaterThan(before);
      expect(Date.now() - since).toBeGreaterThan(400);
      expect(rows().slice(0, 3)).toEqual(SHELL);
      expect(rows().filter((row) => row.startsWith("you>"))).toHaveLength(1);
      const prompt = rows().findIndex((row) => row.startsWith("you>"));
      expect(squeezed(rows().slice(prompt))).toBe(typed);
      expect(squeezed(rows().slice(prompt - 2, prompt))).toContain("moth-reposaid:Second.");
    });
  }
  const whole = "x · moth-repo said: The login page works again and all is green.";
  await soon(() => expect(rows().at(-3)).toBe(whole));
});

test("resizes back and forth lose no line of the history and repeat none", async () => {
  const world = await calmWorld();
  const terminal = await openTail(world, { columns: 80, rows: 10 });
  const texts = Array.from({ length: 20 }, (_, index) => `Number ${index} is done, and it was no small thing to do.`);
  for (const text of texts) await said(world, text);
  await terminal.waitFor(() => expect(cards(terminal)).toHaveLength(20));
  for (const [columns, rows] of [
    [40, 10],
    [40, 16],
    [130, 6],
    [80, 12],
  ] as const) {
    terminal.resize(columns, rows);
    terminal.type("x");
    await terminal.waitFor(() => expect(terminal.rows().at(-1)).toMatch(/^you> x+$/));
  }
  const numbers = cards(terminal).map((row) => Number(/Number (\d+)/.exec(row)?.[1]));
  expect(numbers).toEqual(texts.map((_, index) => index));
  expect(terminal.all().filter((row) => row.startsWith("you>"))).toHaveLength(1);
  expect(terminal.all().slice(0, 3)).toEqual(SHELL);
});

test("ctrl-l draws anew and keeps the history", async () => {
  const world = await calmWorld();
  const terminal = await openTail(world, { columns: 60 });
  await said(world, "One.");
  await terminal.waitFor(() => expect(cards(terminal)).toHaveLength(1));
  const before = terminal.all();
  const written = terminal.output().length;
  terminal.type("\u000c");
  await terminal.waitFor(() => expect(terminal.output().length).toBeGreaterThan(written));
  await terminal.waitFor(() => expect(terminal.all()).toEqual(before));
});

test.each(["SIGTERM", "SIGHUP", "SIGQUIT"] as const)(
  "%s leaves a clean screen: no half-typed line, cursor, modes and colours as before",
  async (signal) => {
    const world = await calmWorld();
    const terminal = await openTail(world, { columns: 40 });
    terminal.type("half typed and long enough to need two rows");
    await terminal.waitFor(() => expect(terminal.rows()).toHaveLength(5));
    process.kill(terminal.pid, signal);
    expect(await terminal.ended).toBe(0);
    await terminal.waitFor(() => expect([terminal.rows(), terminal.cursor()]).toEqual([SHELL, { row: 3, column: 0 }]));
    expect(terminal.modes()).toEqual({ bracketedPaste: false, focus: false, wrap: true, synchronized: false });
  },
);

test("each change is one synchronized frame", async () => {
  const world = await calmWorld();
  const terminal = await openTail(world);
  const from = terminal.output().length;
  await said(world, "One.");
  await terminal.waitFor(() => expect(cards(terminal)).toHaveLength(1));
  const frames = terminal.output().slice(from);
  expect(frames.startsWith("\u001b[?2026h")).toBe(true);
  expect(frames.endsWith("\u001b[?2026l")).toBe(true);
  expect(frames.match(/\?2026h/g)).toHaveLength(1);
});

test("a terminal that has the focus is told nothing besides the line in it; one that has not is", async () => {
  const world = await calmWorld();
  await world.moth(["config", "notify.by", "terminal"]);
  await world.moth(["notify", "on"]);
  const terminal = await openTail(world);
  const waits = (session: string): Promise<unknown> =>
    world.post("/api/state", { source: "x", session, label: session, state: "waiting", wait: { id: "w", kind: "plan" } });
  terminal.type("\u001b[I");
  await waits("one");
  await terminal.waitFor(() => expect(terminal.rows()).toContain("x · one waits for a yes to its plan"));
  terminal.type("\u001b[O");
  await waits("two");
  await terminal.waitFor(() => expect(terminal.output()).toContain("\u001b]9;two waits for a yes to its plan"));
  expect(terminal.output()).not.toContain("\u001b]9;one");
  expect(terminal.rows().at(-1)).toBe("you>");
});

test("ps --watch writes nothing while nothing changes, survives resizes, and SIGTERM gives the old screen back", async () => {
  const world = await calmWorld();
  const terminal = openTerminal(["ps", "--watch"], { env: world.env, cwd: world.home, columns: 80, before: SHELL });
  await terminal.waitFor(() => expect(terminal.rows()[1]).toMatch(/^moth-repo +x +idle/));
  for (const columns of [40, 130, 80]) {
    terminal.resize(columns, 16);
    await world.post("/api/state", { ...about, label: `灯蛾-${columns}`, state: "working" });
    await terminal.waitFor(() => expect(terminal.rows()[1]).toMatch(new RegExp(`^灯蛾-${columns} +x +working`)));
  }
  process.kill(terminal.pid, "SIGTERM");
  expect(await terminal.ended).toBe(0);
  expect(terminal.rows()).toEqual(SHELL);
  expect(terminal.output().match(/\?2026h/g)?.length).toBe(terminal.output().match(/\?2026l/g)?.length);
});
