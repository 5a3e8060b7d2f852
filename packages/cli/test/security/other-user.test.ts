/** Another user of this machine, who can look at the person's home. Played by a process of its own under an id that owns nothing. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { tempFolder } from "../support/io.ts";
import { BIN, createWorld, type World } from "../support/world.ts";

// Each starts several programs.
vi.setConfig({ testTimeout: 60_000 });

const OTHER = { uid: 65_534, gid: 65_534 };
// Only root can be somebody else.
const cannotPlay = process.getuid?.() !== 0;
const about = { source: "pi", session: "s1", label: "secret-project" };

/** A person's moth that has something to hide, in a home that everybody may look into, as many are. */
async function busyWorld(): Promise<World & { pid: number }> {
  const world = await createWorld();
  chmodSync(world.home, 0o755);
  const pid = await world.up();
  await world.moth(["config", "react_every", "5"]);
  await world.post("/api/agent", { ...about, text: "A secret reply." });
  return { ...world, pid };
}

/** Runs JavaScript as the other user and gives what it printed. */
function asOther(program: string, env: Record<string, string> = {}): string {
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    ...OTHER,
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...env },
    encoding: "utf8",
    timeout: 50_000,
  });
  expect(run.stderr).toBe("");
  return run.stdout;
}

test.skipIf(cannotPlay)("another user reads no file of moth's, writes none, and does not even see their names", async () => {
  const world = await busyWorld();
  const folder = join(world.home, ".moth");
  const all = [folder, ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))];
  expect(all.some((path) => path.endsWith(`${world.port}.log`))).toBe(true);
  expect(all.some((path) => path.endsWith(`${world.port}.in`))).toBe(true);
  const out = asOther(`import { openSync, readdirSync, writeFileSync, constants } from "node:fs";
    const code = (fn) => { try { fn(); return "done"; } catch (error) { return error.code; } };
    console.log(JSON.stringify(${JSON.stringify(all)}.map((path) => [
      code(() => readdirSync(path)), code(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)),
      code(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)), code(() => writeFileSync(path + "x", "")),
    ])));`);
  // A folder is no file to write into, whoever asks.
  expect(new Set((JSON.parse(out) as string[][]).flat().filter((code) => code !== "EISDIR"))).toEqual(new Set(["EACCES"]));
});

test.skipIf(cannotPlay)("another user on the port reads no reply, posts nothing and answers nothing", async () => {
  const world = await busyWorld();
  const out = asOther(`const ask = async (path, body) => {
      const post = body && { method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(${JSON.stringify(world.url)} + path, {
        headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", Cookie: "moth-4747=x", "X-Moth-Page": "x" }, ...post });
      return [path, answer.status, await answer.text()];
    };
    const one = { source: "pi", session: "s1" };
    console.log(JSON.stringify([
      await ask("/api/log"), await ask("/api/sessions"), await ask("/api/last?source=pi&session=s1"), await ask("/api/events"),
      await ask("/api/notify"), await ask("/api/answers?source=pi&session=s1&wait=w"),
      await ask("/api/agent", { ...one, text: "x" }), await ask("/api/state", { ...one, state: "gone" }), await ask("/api/chat", { text: "x" }),
      await ask("/api/answer", { ...one, wait: "w", choice: "allow" }), await ask("/api/reset", {}), await ask("/api/open", {}),
      await ask("/api/enter", { key: "x" }), await ask("/open?key=x"), await ask("/api/says"), await ask("/api/health"), await ask("/"),
    ]));`);
  const asked = JSON.parse(out) as [string, number, string][];
  const open = new Set(["/open?key=x", "/api/says", "/api/health", "/"]);
  expect(asked.filter(([path]) => !open.has(path)).map(([, status]) => status)).toEqual([
    ...Array.from({ length: 12 }, () => 401),
    403,
  ]);
  expect(out).not.toMatch(/secret/i);
  expect((await world.moth(["ps"])).out).toContain("secret-project");
});

test.skipIf(cannotPlay)("another user ends no moth, and sees neither token nor reply among its arguments", async () => {
  const world = await busyWorld();
  const out = asOther(`import { readFileSync } from "node:fs";
    const code = (fn) => { try { return String(fn()); } catch (error) { return error.code; } };
    console.log(code(() => process.kill(${world.pid}, "SIGTERM")), code(() => readFileSync("/proc/${world.pid}/environ")));
    console.log(code(() => readFileSync("/proc/${world.pid}/cmdline")));`);
  expect(out).toMatch(/^EPERM (EACCES|ENOENT)\n/);
  expect(out).not.toContain(world.token());
  expect(out).not.toMatch(/secret/i);
});

test.skipIf(cannotPlay)(
  "moth's commands, run by another user on the person's folder, say what is wrong and change nothing",
  async () => {
    const world = await busyWorld();
    const folder = join(world.home, ".moth");
    const look = (): string => spawnSync("sh", ["-c", "ls -la; cat token config.json"], { cwd: folder, encoding: "utf8" }).stdout;
    const before = look();
    for (const args of [
      ["ps"],
      ["up"],
      ["stop"],
      ["config", "react_every", "1"],
      ["forget", "--all", "--yes"],
      ["last", "secret-project"],
    ]) {
      const env = { ...world.env, HOME: "/nonexistent", MOTH_HOME: folder };
      const run = spawnSync(process.execPath, [BIN, ...args], { ...OTHER, cwd: "/", env, encoding: "utf8", timeout: 50_000 });
      expect([args[0], run.status === 0 && args[0] !== "up"]).toEqual([args[0], false]);
      expect(run.stdout + run.stderr).not.toMatch(/secret|a bug in moth/i);
    }
    expect(look()).toBe(before);
    expect((await world.moth(["ps"])).code).toBe(0);
  },
);

test.skipIf(cannotPlay)("a folder that another user has prepared is refused; one that was only left open is closed", async () => {
  const prepared = await createWorld();
  mkdirSync(join(prepared.home, ".moth"), { mode: 0o777 });
  chownSync(join(prepared.home, ".moth"), OTHER.uid, OTHER.gid);
  // To root everything is its own; so the person is a third one here.
  chownSync(prepared.home, 12_345, 12_345);
  const as = { uid: 12_345, gid: 12_345, cwd: "/", encoding: "utf8", timeout: 50_000 } as const;
  const refused = spawnSync(process.execPath, [BIN, "up"], { ...as, env: prepared.env });
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("belongs to another user")]);

  const open = await createWorld();
  mkdirSync(join(open.home, ".moth", "run"), { recursive: true });
  for (const path of ["", "run"]) chmodSync(join(open.home, ".moth", path), 0o777);
  writeFileSync(join(open.home, ".moth", "token"), "0123456789abcdef0123", { mode: 0o666 });
  chmodSync(join(open.home, ".moth", "token"), 0o666);
  await open.up();
  const modes = ["", "token"].map((path) => statSync(join(open.home, ".moth", path)).mode & 0o077);
  expect(modes).toEqual([0, 0]);
});

test.skipIf(cannotPlay)("links that another user could plant are not written through", async () => {
  const world = await createWorld();
  const target = join(tempFolder(), "target");
  writeFileSync(target, "mine");
  mkdirSync(join(world.home, ".moth", "run"), { recursive: true });
  for (const name of ["token", `run/${world.port}.json`, `run/${world.port}.in`, "run/heard.json"]) {
    symlinkSync(target, join(world.home, ".moth", name));
  }
  expect(await world.moth(["up", "-d"])).toMatchObject({ code: 1, err: expect.stringContaining("is a symbolic link") as string });
  spawnSync("rm", [join(world.home, ".moth", "token")]);
  await world.up();
  await world.post("/api/state", { ...about, state: "working" });
  expect((await world.moth(["stop"])).code).toBe(0);
  expect(spawnSync("cat", [target], { encoding: "utf8" }).stdout).toBe("mine");
});
