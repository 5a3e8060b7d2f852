import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { noTmux, startTmux, type Tmux } from "./support/tmux.ts";
import { createWorld, type World } from "./support/world.ts";

const soon = <T>(fn: () => T | Promise<T>): Promise<T> => vi.waitFor(fn, { timeout: 15_000, interval: 50 });

/** A moth that tells by a command. @returns the titles told */
async function tellingWorld(): Promise<{ world: World; told: () => string[] }> {
  const world = await createWorld();
  const log = join(world.home, "told");
  await world.up();
  await world.moth(["config", "notify.command", JSON.stringify(["sh", "-c", `echo "$MOTH_EVENT $MOTH_LABEL" >> ${log}`])]);
  await world.moth(["config", "notify.by", "command"]);
  await world.moth(["notify", "on"]);
  return { world, told: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []) };
}

/** Says that a session waits, and a bit later that another one does, which is told in any case: when it was, the first was decided on. */
async function waits(world: World, pane: string): Promise<void> {
  const about = { source: "pi", state: "waiting", wait: { id: "w1", kind: "question" } };
  await world.post("/api/state", { ...about, session: "s1", label: "web", pane });
  await soon(async () => expect(JSON.parse((await world.moth(["ps", "--json"])).out)).toMatchObject([{ unread: "waits" }]));
  await world.post("/api/state", { ...about, session: "s2", label: "api" });
}

async function focused(options: string[][]): Promise<{ tmux: Tmux; pane: string; type: (text: string) => void }> {
  const tmux = startTmux({ PATH: process.env["PATH"] ?? "" }, options);
  const { type } = await tmux.attach("a");
  return { tmux, type, pane: tmux.pane(tmux.run("display-message", "-p", "-t", "a:", "#{pane_id}")) };
}

const FOCUS_EVENTS = [["set", "-s", "focus-events", "on"]];

test.skipIf(noTmux)("a session whose pane has the focus is not told, and stays in moth next", async () => {
  const { world, told } = await tellingWorld();
  const { tmux, pane, type } = await focused(FOCUS_EVENTS);
  type("\u001b[I");
  await soon(() => expect(tmux.run("list-clients", "-F", "#{client_termfeatures} #{client_flags}")).toMatch(/focus.* .*focused/));
  await waits(world, pane);
  await soon(() => expect(told()).toEqual(["waits api"]));
  expect((await world.moth(["next"])).out).toContain("web asked");
  // The end of what was not told is not told either.
  await world.post("/api/state", { source: "pi", session: "s1", state: "working" });
  await world.post("/api/state", { source: "pi", session: "s2", state: "working" });
  await soon(() => expect(told()).toEqual(["waits api", "withdrawn api"]));
});

test.skipIf(noTmux)("it is told when another window has the focus", async () => {
  const { world, told } = await tellingWorld();
  const { tmux, pane, type } = await focused(FOCUS_EVENTS);
  type("\u001b[O");
  await soon(() => expect(tmux.run("list-clients", "-F", "#{client_flags}")).not.toContain("focused"));
  await waits(world, pane);
  await soon(() => expect(told()).toContain("waits web"));
});

test.skipIf(noTmux)("it is told when tmux cannot know of the focus", async () => {
  const { world, told } = await tellingWorld();
  const blind = await focused([["set", "-s", "focus-events", "off"]]);
  await waits(world, blind.pane);
  await soon(() => expect(told()).toContain("waits web"));
});
