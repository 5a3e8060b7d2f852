/** Agents answered from `moth tail`, in a real terminal, with an adapter that fetches answers as a plugin does. */
import { join } from "node:path";
import { type Arrived, awaitAnswer } from "@moth-companion/core/answers";
import type { Wait } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { openTerminal, type Terminal, type TerminalOptions } from "./support/terminal.ts";
import { countRedraws, inWindow, noTmux, paneRows, startTmux } from "./support/tmux.ts";
import { BIN, createWorld, type World } from "./support/world.ts";

const PI = { source: "pi", session: "8c1f3f2a", label: "api" };
const OMP = { source: "omp", session: "3f2a91bc", label: "moth-repo" };
const publish: Wait = { id: "w1", kind: "permission", tool: "bash", text: "npm publish", answerable: true };
const ESC = "\u001b";
const PAGE_DOWN = "\u001b[6~";

async function calmWorld(): Promise<World> {
  const world = await createWorld();
  expect((await world.moth(["config", "answers", "on"])).code).toBe(0);
  await world.up(["--batch-window", "0", "--react-every", "86400", "--quiet-after", "0"]);
  await world.post("/api/agent", { ...PI, text: "Warm up." });
  return world;
}

/** A session that waits, with an adapter at its door. */
async function asks(world: World, who: typeof PI, wait: Wait): Promise<{ answer: Promise<Arrived | undefined> }> {
  await world.post("/api/state", { ...who, state: "waiting", wait });
  const answer = awaitAnswer({ ...who, wait: wait.id }, { env: world.env, signal: new AbortController().signal });
  await vi.waitFor(async () => expect((await world.moth(["ps", "--json"])).out).toContain(`"${wait.id}"`), { timeout: 10_000 });
  return { answer };
}

function openTail(world: World, options: Partial<TerminalOptions> = {}): Terminal {
  return openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home, ...options });
}

/** `moth tail` with the question of Pi's session open in it. */
async function openQuestion(world: World): Promise<Terminal> {
  const terminal = openTail(world, { columns: 80 });
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> tab answers pi · api"));
  terminal.type("\t");
  await terminal.waitFor(() => expect(last(terminal)).toBe("answer>"));
  return terminal;
}

const soon = (fn: () => void): Promise<void> => vi.waitFor(fn, { timeout: 10_000, interval: 50 });
const last = (terminal: Terminal): string => terminal.rows().at(-1) ?? "";
const over = (world: World, who: typeof PI): Promise<unknown> => world.post("/api/state", { ...who, state: "working" });

test.each([40, 80, 130])(
  "at %i columns: tab shows what is asked, a letter names what will run, and only Enter sends it",
  async (columns) => {
    const world = await calmWorld();
    const { answer } = await asks(world, PI, publish);
    const terminal = openTail(world, { columns });
    await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you> tab answers pi · api"]));
    terminal.type("\t");
    await terminal.waitFor(() =>
      expect(terminal.rows().slice(0, 2)).toEqual(["pi · api asks for a permission (bash)", "  npm publish"]),
    );
    await terminal.waitFor(() => expect(terminal.rows().join(" ")).toMatch(/a allow, d deny.*esc goes back answer>$/));
    terminal.type("a");
    await terminal.waitFor(() => expect(terminal.rows().slice(-2)).toEqual(["enter: allow npm publish", "answer> a"]));
    await world.post("/api/agent", { ...OMP, text: "Meanwhile." });
    // What arrives is printed above.
    await terminal.waitFor(() =>
      expect(terminal.rows()).toEqual([
        "omp · moth-repo said: Meanwhile.",
        "pi · api asks for a permission (bash)",
        "  npm publish",
        "enter: allow npm publish",
        "answer> a",
      ]),
    );
    terminal.type("\r");
    const arrived = await answer;
    expect(arrived).toMatchObject({ choice: "allow" });
    arrived?.taken();
    await over(world, PI);
    await terminal.waitFor(() =>
      expect(terminal.rows()).toEqual(["omp · moth-repo said: Meanwhile.", "pi · api was answered: allow (tail)", "you>"]),
    );
  },
);

test("words go with a no, numbers choose an option, and words of one's own answer a question; tab goes from one to the next", async () => {
  const world = await calmWorld();
  const first = await asks(world, PI, publish);
  const options = ["Red", "A very dark blue that is nearly black, and has a long name"];
  const second = await asks(world, OMP, { id: "q1", kind: "question", text: "Which colour?", options, answerable: true });
  const terminal = openTail(world, { columns: 70 });
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> tab answers omp · moth-repo"));
  terminal.type("half a thought");
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> half a thought"));
  terminal.type("\t");
  await terminal.waitFor(() =>
    expect(terminal.rows()).toEqual([
      "omp · moth-repo asks for an answer",
      "  Which colour?",
      "  1 Red",
      "  2 A very dark blue that is nearly black, and has a long name",
      "1-2 chooses, or your own words · esc goes back",
      "answer>",
    ]),
  );
  terminal.type("\t");
  await terminal.waitFor(() => expect(terminal.rows()[0]).toBe("pi · api asks for a permission (bash)"));
  terminal.type("d use yarn");
  await terminal.waitFor(() => expect(terminal.rows().at(-2)).toBe("enter: deny it, with these words: use yarn"));
  terminal.type("\r");
  const no = await first.answer;
  expect(no).toMatchObject({ choice: "deny", text: "use yarn" });
  no?.taken();
  await over(world, PI);
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> half a thought"));
  terminal.type("\t");
  await terminal.waitFor(() => expect(terminal.rows().join(" ")).toContain("Which colour?"));
  terminal.type("3");
  await terminal.waitFor(() => expect(terminal.rows().at(-2)).toBe("there are 2, from 1 to 2"));
  terminal.type("\r");
  terminal.type("\u007f2");
  await terminal.waitFor(() => expect(terminal.rows().join(" ")).toContain('enter: answer "A very dark blue'));
  terminal.type("\r");
  const chosen = await second.answer;
  expect(chosen).toMatchObject({ choice: options[1] });
  chosen?.taken();
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> half a thought"));
});

test("a wait that ends meanwhile closes the prompt and says so; the keys on their way go nowhere", async () => {
  const world = await calmWorld();
  await asks(world, PI, publish);
  const terminal = await openQuestion(world);
  terminal.type("a");
  await terminal.waitFor(() => expect(last(terminal)).toBe("answer> a"));
  await over(world, PI);
  await terminal.waitFor(() =>
    expect(terminal.rows()).toEqual(["pi · api asks this no more: nothing was sent", "enter goes back"]),
  );
  // Another wait of the same session is another question.
  const { answer } = await asks(world, PI, { ...publish, id: "w2", text: "rm -rf build" });
  terminal.type("a");
  terminal.type("llow");
  terminal.type("\r");
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> tab answers pi · api"));
  expect(terminal.rows().join(" ")).not.toContain("was answered");
  terminal.type("\t");
  await terminal.waitFor(() => expect(terminal.rows()).toContain("  rm -rf build"));
  expect(last(terminal)).toBe("answer>");
  terminal.type("d");
  await terminal.waitFor(() => expect(terminal.rows().at(-2)).toBe("enter: deny it"));
  terminal.type("\r");
  const arrived = await answer;
  expect(arrived).toMatchObject({ choice: "deny" });
  arrived?.taken();
});

test("the same wait with other words is another question", async () => {
  const world = await calmWorld();
  await asks(world, PI, publish);
  const terminal = await openQuestion(world);
  terminal.type("a");
  await terminal.waitFor(() => expect(last(terminal)).toBe("answer> a"));
  await world.post("/api/state", { ...PI, state: "waiting", wait: { ...publish, text: "npm publish --force" } });
  await terminal.waitFor(() => expect(terminal.rows()).toContain("pi · api asks this no more: nothing was sent"));
});

test("what is longer than the screen is read to its end before it can be allowed, and may be denied at once", async () => {
  const world = await calmWorld();
  const text = Array.from({ length: 40 }, (_, at) => `echo step ${at}`).join("\n");
  const { answer } = await asks(world, PI, { ...publish, text: `${text}\nrm -rf /` });
  const terminal = openTail(world, { columns: 60, rows: 12 });
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> tab answers pi · api"));
  terminal.type("\t");
  await terminal.waitFor(() => expect(terminal.rows()[1]).toBe("  echo step 0"));
  terminal.type("d");
  await terminal.waitFor(() => expect(terminal.rows().at(-2)).toBe("enter: deny it"));
  terminal.type("\u007fa");
  await terminal.waitFor(() => expect(terminal.rows().at(-2)).toBe("read it to its end first: page down"));
  terminal.type("\r");
  const seen = new Set<string>();
  await vi.waitFor(
    () => {
      for (const row of terminal.rows().slice(1, -2)) seen.add(row.trim());
      const isAtEnd = terminal.rows().includes("  rm -rf /");
      expect(terminal.rows().at(-2)).toBe(isAtEnd ? "enter: allow what stands above" : "read it to its end first: page down");
      // No key is to be on its way when Enter comes: the two together would be a pasted text.
      if (!isAtEnd) terminal.type(PAGE_DOWN);
      expect(isAtEnd).toBe(true);
    },
    { timeout: 10_000, interval: 200 },
  );
  expect(seen.size).toBeGreaterThan(30);
  terminal.resize(40, 10);
  await terminal.waitFor(() => expect(terminal.rows()).toContain("  rm -rf /"));
  terminal.type("\r");
  const arrived = await answer;
  expect(arrived).toMatchObject({ choice: "allow" });
  arrived?.taken();
});

test("what an adapter does not take is told, and it can be answered again", async () => {
  const world = await calmWorld();
  const { answer } = await asks(world, PI, publish);
  const terminal = await openQuestion(world);
  terminal.type("a");
  await terminal.waitFor(() => expect(terminal.rows().at(-2)).toBe("enter: allow npm publish"));
  terminal.type("\r");
  (await answer)?.refused("It is about to end.");
  await terminal.waitFor(() => expect(terminal.rows()[0]).toBe("pi · api was not answered: It is about to end"));
  terminal.type("\r");
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> tab answers pi · api"));
});

test("a text pasted into a terminal that does not mark it answers nothing, nor does a marked one", async () => {
  const world = await calmWorld();
  await asks(world, PI, publish);
  const terminal = openTail(world, { columns: 80 });
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> tab answers pi · api"));
  terminal.type("one\tallow\rtwo");
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> two"));
  terminal.type("\u0015");
  terminal.type("\u001b[200~one\tallow\rtwo\r\u001b[201~");
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> one allow two"));
  terminal.type("\t");
  await terminal.waitFor(() => expect(last(terminal)).toBe("answer>"));
  terminal.type("a\r");
  await terminal.waitFor(() => expect(terminal.rows().slice(-2)).toEqual(["press enter once more", "answer> a"]));
  terminal.type(ESC);
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> one allow two"));
  expect((await world.moth(["ps"])).out).toContain("waits: permission");
});

test("a pasted text that is longer than what fits is neither said nor answered by half", async () => {
  const world = await calmWorld();
  await asks(world, PI, publish);
  const terminal = openTail(world, { columns: 80 });
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> tab answers pi · api"));
  const paste = `\u001b[200~d ${"no ".repeat(5400)}\u001b[201~`;
  terminal.type(`${paste}\r`);
  await terminal.waitFor(() => expect(terminal.rows().join(" ")).toContain("its end is missing"));
  terminal.type("\u0015");
  await terminal.waitFor(() => expect(last(terminal)).toBe("you> tab answers pi · api"));
  terminal.type("\t");
  await terminal.waitFor(() => expect(last(terminal)).toBe("answer>"));
  terminal.type(`${paste}\r`);
  await terminal.waitFor(() => expect(terminal.rows().join(" ")).toContain("its end is missing"));
  expect((await world.moth(["ps"])).out).toContain("waits: permission");
});

test("what is answered in its own window says why, and tab says so", async () => {
  const world = await calmWorld();
  const why = "It asks several things at once.";
  await asks(world, PI, { id: "q", kind: "question", answerable: false, why });
  const terminal = openTail(world, { columns: 90 });
  await terminal.waitFor(() => expect(last(terminal)).toBe("you>"));
  terminal.type("\t");
  await terminal.waitFor(() => expect(terminal.rows()).toEqual([`pi · api is answered in its own window. ${why}`, "you>"]));
  await asks(world, OMP, { id: "q", kind: "question", answerable: false, why });
  await terminal.waitFor(() =>
    expect(terminal.rows().at(-2)).toBe(`omp · moth-repo waits for an answer, in its own window. ${why}`),
  );
});

test("a moth that falls asleep under an open question closes it", async () => {
  const world = await calmWorld();
  await asks(world, PI, publish);
  const terminal = await openQuestion(world);
  terminal.type("a");
  await terminal.waitFor(() => expect(last(terminal)).toBe("answer> a"));
  await world.moth(["stop"]);
  await terminal.waitFor(() => expect(terminal.rows()).toContain("pi · api cannot be reached: moth is asleep: nothing was sent"));
  terminal.type("\r");
  await terminal.waitFor(() => expect(last(terminal)).toBe("you>"));
});

test.skipIf(noTmux)("in tmux, resized while a question is open, no row of it is left behind", async () => {
  const world = await calmWorld();
  const { answer } = await asks(world, PI, { ...publish, text: "echo one && echo two && echo three\nnpm publish" });
  const tmux = startTmux(world.env);
  const pane = inWindow(tmux, world.env, `echo '$ moth tail'; ${process.execPath} ${BIN} tail --history 0; cat`);
  const rows = (): string[] => paneRows(tmux, pane);
  await soon(() => expect(rows().at(-1)).toBe("you> tab answers pi · api"));
  tmux.run("send-keys", "-t", pane, "Tab");
  await soon(() => expect(rows()).toContain("  npm publish"));
  tmux.run("send-keys", "-t", pane, "a");
  await soon(() => expect(rows().at(-1)).toBe("answer> a"));
  const drawn = countRedraws(tmux, pane, join(world.home, "written"));
  for (const columns of [30, 100, 60]) {
    const before = drawn();
    tmux.run("resize-window", "-t", pane, "-x", String(columns), "-y", "20");
    await soon(() => {
      // Another resize in the midst of it would be another test.
      expect(drawn()).toBeGreaterThan(before);
      expect(rows()[0]).toBe("$ moth tail");
      expect(rows().filter((row) => row.includes("npm publish"))).toHaveLength(1);
      expect(rows().filter((row) => row.startsWith("answer>"))).toHaveLength(1);
      expect(rows().slice(1).join("").replaceAll(" ", "")).toContain("echoone&&echotwo&&echothreenpmpublish");
    });
  }
  tmux.run("send-keys", "-t", pane, "Enter");
  const arrived = await answer;
  expect(arrived).toMatchObject({ choice: "allow" });
  arrived?.taken();
  await soon(() => expect(rows()).toContain("pi · api was answered: allow (tail)"));
});
