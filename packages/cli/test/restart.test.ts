/** What a person sees when moth is started anew under their agents. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MothEvent, Session } from "@moth-companion/core/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { createWorld, isAlive, type World } from "./support/world.ts";

const fileOf = (world: World): string => join(world.home, `.moth/run/${world.port}.roster.json`);
const sessions = async (world: World): Promise<Session[]> => JSON.parse((await world.moth(["ps", "--json"])).out) as Session[];
const rows = async (world: World): Promise<string[]> =>
  (await sessions(world)).map((row) => [row.label, row.state, row.unread].filter(Boolean).join(" ")).toSorted();

/** A program that stands for an agent's. */
function agent(): number {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid!;
}

async function atWork(world: World): Promise<{ waits: object; pid: number }> {
  const pid = agent();
  const waits = { source: "x", session: "a", label: "waits", pid, seq: Date.now() };
  const wait = { id: "w1", kind: "permission", tool: "Bash", text: "SECRET command", answerable: true };
  await world.post("/api/state", { ...waits, state: "waiting", wait });
  await world.post("/api/state", { source: "x", session: "b", label: "works", pid, state: "working" });
  await world.post("/api/agent", { source: "x", session: "c", label: "idles", pid, text: "SECRET reply", outcome: "failed" });
  await vi.waitFor(async () => expect(await rows(world)).toContain("waits waiting waits"), { timeout: 10_000 });
  return { waits, pid };
}

const ALL = ["idles idle failed", "waits waiting waits", "works working"];

test("moth stop, moth up: the sessions are there as they were, nothing is news, and the wait ends as ever", async () => {
  const world = await createWorld();
  world.env["MOTH_ANSWERS"] = "on";
  await world.up();
  const { waits } = await atWork(world);
  await world.moth(["stop"]);
  const kept = readFileSync(fileOf(world), "utf8");
  expect(kept).not.toContain("SECRET");
  if (process.platform !== "win32") expect(statSync(fileOf(world)).mode & 0o777).toBe(0o600);

  await world.up();
  expect(await rows(world)).toEqual(ALL);
  const log = await fetch(`${world.url}/api/log`, { headers: { "X-Moth-Token": world.token() } });
  expect(((await log.json()) as { events: MothEvent[] }).events).toEqual([]);
  expect((await world.moth(["status", "--line"])).out).toBe("1 waits · 1 failed · 1 works\n");
  const answered = await world.moth(["answer", "waits", "allow", "--yes"]);
  expect([answered.code, answered.err]).toEqual([1, expect.stringContaining("in the session's own window")]);

  await world.post("/api/state", { ...waits, state: "working", ended: "w1", seq: Date.now() });
  expect(await rows(world)).toEqual(["idles idle failed", "waits working", "works working"]);
  expect((await world.moth(["doctor"])).out).toContain("nobody else can read or change what is in moth's folder");
  if (process.platform === "win32") return;
  await world.moth(["stop"]);
  chmodSync(fileOf(world), 0o644);
  expect((await world.moth(["doctor"])).out).toContain(`${fileOf(world)} is open to other users`);
});

test("a moth that is killed has left them, too; whose agent has ended meanwhile is not there", async () => {
  const world = await createWorld();
  const moth = await world.up();
  const { pid } = await atWork(world);
  await vi.waitFor(() => expect(readFileSync(fileOf(world), "utf8")).toMatch(/"works"(.|\n)*"idles"|"idles"(.|\n)*"works"/), {
    timeout: 10_000,
  });
  process.kill(moth, "SIGKILL");
  await vi.waitFor(() => expect(isAlive(moth)).toBe(false));
  const again = await world.up();
  expect(await rows(world)).toEqual(ALL);
  process.kill(again, "SIGKILL");
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect([isAlive(again), isAlive(pid)]).toEqual([false, false]));
  await world.up();
  expect(await rows(world)).toEqual([]);
  expect(existsSync(fileOf(world))).toBe(false);
});

test("what moth was made to forget does not come back", async () => {
  const world = await createWorld();
  await world.up();
  await atWork(world);
  await world.moth(["forget"]);
  expect(existsSync(fileOf(world))).toBe(false);
  await world.moth(["stop"]);
  await world.up();
  expect(await rows(world)).toEqual([]);

  await atWork(world);
  await world.moth(["stop"]);
  expect((await world.moth(["forget", "--yes"])).out).toContain(`deleted ${fileOf(world)}\n`);
  await world.up();
  expect(await rows(world)).toEqual([]);
});

test("two moths of one folder keep their own sessions", async () => {
  const [one, other] = [await createWorld(), await createWorld()];
  other.env["MOTH_HOME"] = join(one.home, ".moth");
  await one.up();
  await other.up();
  const post = (world: World, label: string): Promise<unknown> =>
    fetch(`${world.url}/api/state`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Moth-Token": one.token() },
      body: JSON.stringify({ source: "x", session: label, label, state: "working" }),
    });
  await post(one, "here");
  await post(other, "there");
  await one.moth(["stop"]);
  await other.moth(["stop"]);
  await one.up();
  await other.up();
  expect(await rows(one)).toEqual(["here working"]);
  expect(await rows(other)).toEqual(["there working"]);
});

test("a roster that is broken keeps no moth from starting", async () => {
  const world = await createWorld();
  await world.up();
  await atWork(world);
  await world.moth(["stop"]);
  writeFileSync(fileOf(world), readFileSync(fileOf(world), "utf8").slice(0, 200));
  await world.up();
  expect(await rows(world)).toEqual([]);
  expect((await world.moth(["doctor"])).out).not.toContain("roster");
});
