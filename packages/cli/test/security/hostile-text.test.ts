/** What agents and folder names can carry, through everything that prints it: a terminal obeys what it is shown, a shell what it is given. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createWorld, type World } from "../support/world.ts";

const ESC = "\u001b";
/** Titles, clipboards, colours, cursors, links, bells, 8-bit forms, strings without an end, and what turns the reading direction round. */
const EVIL = `a${ESC}]0;pwned\u0007b${ESC}]52;c;cHduZWQ=${ESC}\\c${ESC}[2J${ESC}[31md\u009b31me\u0007f\u0008\u202eg\u2066h\r${ESC}]8;;http://evil\u0007i${ESC}Pq`;
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

async function hostileWorld(text = EVIL): Promise<World> {
  const world = await createWorld();
  expect((await world.moth(["config", "answers", "on"])).code).toBe(0);
  await world.up(["--react-every", "0", "--quiet-after", "0"]);
  const about = { source: `pi${text}`, session: `s${text}`, label: text };
  await world.post("/api/agent", { ...about, text: `Error: ${text} failed.\nShall I go on with ${text}?`, outcome: "failed" });
  const wait = { id: text, kind: "question", tool: text, text: `May I? ${text}`, options: [text, `${text} 2`], answerable: true };
  await world.post("/api/state", { ...about, state: "waiting", wait });
  await vi.waitFor(async () => expect((await world.moth(["ps", "--json"])).out).toContain('"waiting"'), { timeout: 10_000 });
  return world;
}

/** The session as the roster calls it. */
async function nameIn(world: World): Promise<string> {
  const [row] = JSON.parse((await world.moth(["ps", "--json"])).out) as { session: string }[];
  return row!.session;
}

test("nothing that a terminal would obey is printed by any command", { timeout: 90_000 }, async () => {
  const world = await hostileWorld();
  const name = await nameIn(world);
  const commands = [
    ["ps"],
    ["ps", "--json"],
    ["status"],
    ["status", "--line"],
    ["next", "--all"],
    ["next", "--json"],
    ["notify"],
  ].concat([
    ["last", name],
    ["last", name, "--json"],
    ["answer", name],
    ["answer", name, "--json"],
    ["wait", name],
    ["wait", name, "--json"],
  ]);
  for (const args of commands) {
    const { code, out, err } = await world.moth(args);
    expect([args.join(" "), code, out.length > 0]).toEqual([args.join(" "), 0, true]);
    expect(out + err).not.toMatch(OBEYED);
  }
  for (const args of [
    ["tail", "--history", "50"],
    ["tail", "--json", "--history", "50"],
  ]) {
    const tail = world.start(args, { NO_COLOR: "1" });
    await vi.waitFor(() => expect(tail.out()).toContain("failed"), { timeout: 50_000 });
    expect(tail.out()).not.toMatch(OBEYED);
  }
});

test(
  "a name with quotes, line breaks, $() and marks that turn is one harmless line to the program that is notified",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const canary = join(world.home, "canary");
    const told = join(world.home, "told");
    const tell = join(world.home, "tell.mjs");
    writeFileSync(
      tell,
      `import { renameSync, writeFileSync } from "node:fs";
    const { MOTH_TITLE, MOTH_LABEL, MOTH_TOOL } = process.env;
    writeFileSync(${JSON.stringify(`${told}.new`)}, JSON.stringify([MOTH_TITLE, MOTH_LABEL, MOTH_TOOL]));
    renameSync(${JSON.stringify(`${told}.new`)}, ${JSON.stringify(told)});`,
    );
    await world.moth(["config", "notify.command", JSON.stringify([process.execPath, tell])]);
    await world.moth(["notify", "on"]);
    await world.up();
    const evil = `"'\`touch ${canary}\`$(touch ${canary});\n\u202e&|>x`;
    const wait = { id: "w", kind: "permission", tool: evil, answerable: false };
    await world.post("/api/state", { source: "pi", session: "s", label: evil.slice(-20), state: "waiting", wait });
    await vi.waitFor(() => expect(existsSync(told)).toBe(true), { timeout: 15_000 });
    const [title = "", label = "", tool = ""] = JSON.parse(readFileSync(told, "utf8")) as string[];
    expect(title).toContain(label);
    expect(label).toContain("&|>x");
    expect(tool).toContain(`$(touch ${canary});`);
    for (const value of [title, label, tool]) expect(value).not.toMatch(OBEYED);
    for (const value of [title, label, tool]) expect(value).not.toContain("\n");
    expect(existsSync(canary)).toBe(false);
  },
);

test("a pane that is no pane leads nowhere and runs nothing", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  await world.up();
  const canary = join(world.home, "canary");
  const panes = [
    `tmux:%1;touch ${canary}@/tmp/x`,
    "tmux:-t@/x",
    "zellij:1@--config=/x",
    `iterm:"; do shell script "touch ${canary}`,
  ];
  for (const [index, pane] of panes.entries()) {
    const about = { source: "pi", session: `s${index}`, label: `s${index}` };
    await world.post("/api/state", { ...about, state: "working", pane });
    await world.post("/api/agent", { ...about, text: "It failed.", outcome: "failed" });
    const { code, out, err } = await world.moth(["next", "--open"]);
    expect([pane, code]).toEqual([pane, 1]);
    expect(out + err).not.toMatch(OBEYED);
    await world.moth(["next", "--seen"]);
  }
  expect(existsSync(canary)).toBe(false);
});
