import { createRequire } from "node:module";
import { expect, test, vi } from "vitest";
import { inWindow, noTmux, startTmux } from "./support/tmux.ts";
import { BIN, createWorld, type World } from "./support/world.ts";

const about = { source: "pi", session: "s1", label: "web" };
const wait = { id: "w1", kind: "permission", tool: "Bash" };
const soon = <T>(fn: () => T | Promise<T>): Promise<T> => vi.waitFor(fn, { timeout: 15_000, interval: 50 });

async function waiting(world: World, more: object): Promise<void> {
  await world.post("/api/state", { ...about, state: "waiting", wait, ...more });
  await soon(async () => expect(await unread(world)).toEqual(["waits"]));
}

async function unread(world: World): Promise<unknown[]> {
  const rows = JSON.parse((await world.moth(["ps", "--json"])).out) as { unread?: string }[];
  return rows.map((row) => row.unread);
}

test.skipIf(noTmux)(
  "next --open brings the waiting session's pane to the person's tmux client, and that is looking",
  async () => {
    const world = await createWorld();
    await world.up();
    const tmux = startTmux(world.env);
    const there = tmux.run("split-window", "-d", "-t", "a:", "-P", "-F", "#{pane_id}", "cat");
    tmux.run("new-window", "-t", "a:", "cat");
    tmux.run("new-session", "-d", "-s", "b", "cat");
    await tmux.attach("b");
    await waiting(world, { pane: tmux.pane(there) });
    const ran = await world.moth(["next", "--open"]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toMatch(/^pi · web asked for a permission \(Bash\), \d+s ago {2}\(tmux %\d+\)\n$/);
    const shown = (): string => tmux.run("list-clients", "-F", "#{session_name} #{pane_id}");
    await soon(() => expect(shown()).toBe(`a ${there}`));
    expect(await unread(world)).toEqual([undefined]);
  },
);

test.skipIf(noTmux).each(["typed", "bound to a key"])("of two clients, the one that has asked goes there, %s", async (how) => {
  const world = await createWorld();
  await world.up();
  const tmux = startTmux(world.env);
  const there = tmux.run("display-message", "-p", "-t", "a:", "#{pane_id}");
  for (const name of ["b", "c"]) tmux.run("new-session", "-d", "-s", name, "-x", "80", "-y", "24", "sh");
  const mine = await tmux.attach("b");
  const other = await tmux.attach("c");
  await waiting(world, { pane: tmux.pane(there) });
  const command = `${process.execPath} ${BIN} next --open`;
  tmux.run("bind-key", "-n", "F5", "run-shell", "-b", `${command} >/dev/null`);
  // What was used last does not count when it was typed: it is known then who asks.
  if (how === "typed") other.type(" ");
  mine.type(how === "typed" ? `${command}\r` : "\u001b[15~");
  const shown = (): string[] => tmux.run("list-clients", "-F", "#{client_name} #{session_name}").split("\n");
  await soon(() => expect(shown().toSorted()).toEqual([`${mine.name} a`, `${other.name} c`].toSorted()));
});

test.skipIf(noTmux)("a pane nobody shows, and one that is gone, are told plainly", async () => {
  const world = await createWorld();
  await world.up();
  const tmux = startTmux(world.env);
  const there = tmux.run("display-message", "-p", "-t", "a:", "#{pane_id}");
  await waiting(world, { pane: tmux.pane("%99") });
  expect(await world.moth(["next", "--open"])).toMatchObject({
    code: 1,
    err: "moth: cannot go to web: tmux knows no pane %99 any more\n",
  });
  expect(await unread(world)).toEqual(["waits"]);
  await waiting(world, { pane: tmux.pane(there) });
  const ran = await world.moth(["next", "--open"]);
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toContain(`Nobody is attached to it. See it: tmux -S ${tmux.socket} attach -t '$0'\n`);
});

test("a session without a pane cannot be opened, and stays unread", async () => {
  const world = await createWorld();
  await world.up();
  expect(await world.moth(["next", "--open"])).toEqual({ code: 0, out: "nobody needs you.\n", err: "" });
  await waiting(world, {});
  const ran = await world.moth(["next", "--open"]);
  expect(ran).toMatchObject({ code: 1, out: expect.stringContaining("web asked") as string });
  expect(ran.err).toBe(
    "moth: cannot go to web: it did not say in which terminal pane it runs\n" +
      "      moth can lead to sessions in tmux, Zellij, WezTerm, kitty and iTerm2\n",
  );
  expect(await unread(world)).toEqual(["waits"]);
  expect(await world.moth(["next", "--open", "--all"])).toMatchObject({ code: 2 });
});

test.skipIf(noTmux)("a hook that runs in tmux tells its pane", async () => {
  const world = await createWorld();
  await world.up();
  const tmux = startTmux(world.env);
  const hook = createRequire(import.meta.url).resolve("@moth-companion/hook/moth-hook.cjs");
  const event = JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: "/tmp/web", prompt: "x" });
  const pane = inWindow(tmux, world.env, `echo '${event}' | ${process.execPath} ${hook} claude-code; cat`);
  await soon(async () =>
    expect(JSON.parse((await world.moth(["ps", "--json"])).out)).toMatchObject([{ state: "working", pane: tmux.pane(pane) }]),
  );
});
