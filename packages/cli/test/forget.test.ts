import { createServer } from "node:net";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTerminal } from "./support/terminal.ts";
import { createWorld } from "./support/world.ts";

const about = { source: "x", session: "3f2a91bc-1", label: "moth-repo" };

test("forget: a running moth forgets and keeps its files; a stopped one deletes them", async () => {
  const world = await createWorld();
  await world.up();
  await world.post("/api/agent", { ...about, text: "All done." });
  const running = await world.moth(["forget", "--all"]);
  expect(running).toMatchObject({ code: 0, err: "" });
  expect(running.out).toMatch(/^moth forgot .*no file was deleted\.\nTo delete its files: moth stop, then moth forget --all\n$/);
  expect(JSON.parse((await world.moth(["ps", "--json"])).out)).toEqual([]);
  expect(existsSync(join(world.home, ".moth/token"))).toBe(true);

  await world.moth(["stop"]);
  const log = join(world.home, `.moth/run/${world.port}.log`);
  expect((await world.moth(["forget", "--yes"])).out).toBe(`deleted ${log}\n`);
  expect((await world.moth(["forget"])).out).toBe("There was nothing to delete.\n");
  expect((await world.moth(["forget", "--all", "--token", "-y"])).out).toContain(`deleted ${join(world.home, ".moth")}\n`);
  expect(existsSync(join(world.home, ".moth"))).toBe(false);
});

test("forget without a terminal shows what would go, deletes nothing, and says how to go on", async () => {
  const world = await createWorld();
  await world.up();
  await world.moth(["stop"]);
  const token = join(world.home, ".moth/token");
  expect(await world.moth(["forget", "--all", "--token"])).toEqual({
    code: 2,
    out: expect.stringContaining(`delete  ${token}\n`) as string,
    err: "moth: this asks before it deletes files, and there is no terminal to ask in\n      Add --yes to delete them\n",
  });
  expect((await world.moth(["forget"])).code).toBe(2);
  expect([existsSync(token), existsSync(join(world.home, `.moth/run/${world.port}.log`))]).toEqual([true, true]);
});

test.each([
  ["y", 0, false],
  ["n", 1, true],
])("forget in a terminal asks; %s", async (key, code, kept) => {
  const world = await createWorld();
  await world.up();
  await world.moth(["stop"]);
  const terminal = openTerminal(["forget", "--all", "--token"], { env: world.env, cwd: world.home, columns: 100, rows: 30 });
  await terminal.waitFor(() => expect(terminal.rows().join("\n")).toMatch(/Delete these \d+ files\?/));
  terminal.type(key);
  expect(await terminal.ended).toBe(code);
  expect(existsSync(join(world.home, ".moth/token"))).toBe(kept);
  expect(terminal.rows().join("\n")).toContain(kept ? "Nothing was deleted." : `deleted ${join(world.home, ".moth")}`);
});

test("forget leaves a folder alone while a moth of it runs on another port", async () => {
  const world = await createWorld();
  await world.up();
  const other = await createWorld();
  const ran = await world.moth(["forget", "--all"], { MOTH_URL: other.url });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("still runs at") as string });
  expect(existsSync(join(world.home, `.moth/run/${world.port}.log`))).toBe(true);
});

test("forget deletes one's own files while another person's moth, or no moth at all, holds the port", async () => {
  const world = await createWorld();
  const theirs = await world.up();
  await world.post("/api/state", { ...about, state: "working" });
  const mine = join(world.home, "mine");
  const log = join(mine, "run/4747.log");
  const fill = (): void => {
    mkdirSync(join(mine, "run"), { recursive: true, mode: 0o700 });
    writeFileSync(log, "x");
  };
  fill();
  const note = `moth: what holds ${world.url} is a moth that is not yours (process ${theirs}); it is left alone.\n`;
  expect(await world.moth(["forget", "-y"], { MOTH_HOME: mine })).toEqual({ code: 0, out: `deleted ${log}\n`, err: note });
  fill();
  writeFileSync(join(mine, "token"), `${"0".repeat(64)}\n`, { mode: 0o600 });
  expect(await world.moth(["forget", "-y"], { MOTH_HOME: mine })).toEqual({ code: 0, out: `deleted ${log}\n`, err: note });
  expect(JSON.parse((await world.moth(["ps", "--json"])).out)).toMatchObject([{ state: "working" }]);

  await world.moth(["stop"]);
  const other = createServer((socket) => socket.on("error", () => {}).end("hello\n"));
  await new Promise<void>((resolve) => other.listen(world.port, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  fill();
  expect(await world.moth(["forget", "-y"], { MOTH_HOME: mine })).toEqual({
    code: 0,
    out: `deleted ${log}\n`,
    err: expect.stringMatching(/^moth: what holds .* is no moth \(.*\); it is left alone\.\n$/) as string,
  });
});

test("forget deletes nothing while a moth of this folder runs that refuses the token", async () => {
  const world = await createWorld();
  const pid = await world.up();
  const token = join(world.home, ".moth/token");
  writeFileSync(token, `${"0".repeat(64)}\n`, { mode: 0o600 });
  const ran = await world.moth(["forget", "--all", "-y"]);
  expect(ran).toMatchObject({ code: 1, out: "" });
  expect(ran.err).toContain(`a moth of this folder still runs at ${world.url} (process ${pid})`);
  expect(existsSync(token)).toBe(true);
});
