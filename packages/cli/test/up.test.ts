import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { version } from "../src/self.ts";
import { openTerminal } from "./support/terminal.ts";
import { createWorld, isAlive } from "./support/world.ts";

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "up says where it listens and what is next; %s ends it cleanly",
  async (signal) => {
    const world = await createWorld();
    const up = world.start(["up"]);
    await vi.waitFor(() => expect(up.out()).toMatch(/^(Next|No harness)/m), { timeout: 10_000 });
    expect(up.out()).toContain(`moth ${version()} listens at ${world.url}\n`);
    expect(existsSync(join(world.home, `.moth/run/${world.port}.json`))).toBe(true);
    up.child.kill(signal);
    expect(await up.ended).toMatchObject({ code: 0, out: expect.stringMatching(/moth is asleep\.\n$/) as string, err: "" });
    expect(existsSync(join(world.home, `.moth/run/${world.port}.json`))).toBe(false);
  },
);

test("ctrl-c is spoken of in a terminal only, and no line is left empty for harnesses that are not here", async () => {
  const world = await createWorld();
  world.env["PATH"] = "/usr/bin:/bin";
  const terminal = openTerminal(["up"], { env: world.env, cwd: world.home, columns: 400 });
  await terminal.waitFor(() => expect(terminal.rows().at(-1)).toBe("ctrl-c puts moth to sleep."));
  expect(terminal.rows().slice(0, 3)).toEqual([
    `moth ${version()} listens at ${world.url}`,
    "",
    expect.stringMatching(/^No harness was found on this machine\./),
  ]);
  terminal.type("\u0003");
  expect(await terminal.ended).toBe(0);

  await world.up();
  const log = join(world.home, `.moth/run/${world.port}.log`);
  await vi.waitFor(() => expect(readFileSync(log, "utf8")).toContain("No harness was found"), { timeout: 10_000 });
  await world.moth(["stop"]);
  expect(readFileSync(log, "utf8")).not.toContain("ctrl-c");
});

test("up -d, twice, status, stop, twice", async () => {
  const world = await createWorld();
  const pid = await world.up();
  expect(isAlive(pid)).toBe(true);
  expect(await world.moth(["up", "-d"])).toEqual({
    code: 0,
    out: `moth ${version()} is already running at ${world.url} (process ${pid}).\nNext: moth tail, or moth stop\n`,
    err: "",
  });
  expect((await world.moth(["up"])).out).toContain("already running");
  expect(await world.moth(["status"])).toEqual({
    code: 0,
    out: `moth ${version()} is running at ${world.url} (process ${pid})\nNo session runs right now.\n`,
    err: "",
  });
  expect(JSON.parse((await world.moth(["status", "--json"])).out)).toMatchObject({ running: true, url: world.url, pid });
  expect(statSync(join(world.home, `.moth/run/${world.port}.log`)).mode & 0o777).toBe(0o600);

  expect(await world.moth(["stop"])).toEqual({ code: 0, out: `moth (process ${pid}) is asleep.\n`, err: "" });
  expect(isAlive(pid)).toBe(false);
  expect(await world.moth(["stop"])).toEqual({ code: 0, out: `moth was not running at ${world.url}.\n`, err: "" });
  expect((await world.moth(["status"])).code).toBe(3);
  expect(JSON.parse((await world.moth(["status", "--json"])).out)).toEqual({ running: false, url: world.url });
});

test("two at the same moment: one moth, both content", async () => {
  const world = await createWorld();
  const both = await Promise.all([world.moth(["up", "-d"]), world.moth(["up", "-d"])]);
  const pids = both.map(({ out }) => Number(/process (\d+)/.exec(out)?.[1]));
  onTestFinished(() => pids.filter(isAlive).forEach((pid) => process.kill(pid, "SIGKILL")));
  expect(both.map(({ code, err }) => [code, err])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  expect(pids[0]).toBe(pids[1]);
});

test("the background moth hears a report and survives the terminal that started it", async () => {
  const world = await createWorld();
  await world.up(["--batch-window", "0", "--react-every", "0", "--quiet-after", "0"]);
  await world.post("/api/state", { source: "x", session: "s1", label: "repo", state: "working" });
  expect(JSON.parse((await world.moth(["ps", "--json"])).out)).toMatchObject([{ source: "x", session: "s1", state: "working" }]);
});

test("another program on the port is named, and nothing is started or stopped", async () => {
  const world = await createWorld();
  const other = createServer((_request, response) => response.writeHead(404, { Server: "nginx/1.24" }).end("no"));
  await new Promise<void>((resolve) => other.listen(world.port, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  for (const args of [["up"], ["up", "-d"]]) {
    expect(await world.moth(args)).toMatchObject({
      code: 1,
      err: `moth: another program holds ${world.url}: an HTTP server that answered 404, nginx/1.24\n      Stop it, or give moth another port. MOTH_URL says where: set it to http://127.0.0.1:${world.port + 1}, or unset it\n`,
    });
  }
  expect(await world.moth(["stop"])).toMatchObject({ code: 1, err: expect.stringContaining("is no moth") as string });
  expect(await world.moth(["ps"])).toMatchObject({ code: 1, err: expect.stringContaining("no moth") as string });
  expect(await world.moth(["status"])).toMatchObject({ code: 1, err: expect.stringContaining("another program") as string });
});

test("stop leaves a moth alone that its folder does not know", async () => {
  const world = await createWorld();
  const pid = await world.up();
  const ran = await world.moth(["stop"], { MOTH_HOME: join(world.home, "elsewhere") });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("so it was left alone") as string });
  expect(isAlive(pid)).toBe(true);
  expect(await world.moth(["up"], { MOTH_HOME: join(world.home, "elsewhere") })).toMatchObject({
    code: 1,
    err: expect.stringContaining("a moth that is not yours") as string,
  });
});

test("one whose token was removed is still the person's, and the way to a new one is told", async () => {
  const world = await createWorld();
  const pid = await world.up();
  rmSync(join(world.home, ".moth/token"));
  expect((await world.moth(["ps"])).err).toContain("A new one is made by: moth stop, then moth up -d");
  writeFileSync(join(world.home, ".moth/token"), "another-token-of-many-characters", { mode: 0o600 });
  expect(await world.moth(["up", "-d"])).toEqual({
    code: 1,
    out: "",
    err: `moth: your moth runs at ${world.url} (process ${pid}), and its token in ${join(world.home, ".moth/token")} was changed or removed\n      Start it anew: moth stop, then moth up -d\n`,
  });
  await world.moth(["stop"]);
  await world.up();
  expect((await world.moth(["ps"])).code).toBe(0);
});

test("a moth whose records were deleted is not the person's for sure, and doctor tells more than to ask doctor", async () => {
  const world = await createWorld();
  const elsewhere = await createWorld();
  const pid = await world.up();
  mkdirSync(join(elsewhere.home, ".moth"));
  writeFileSync(join(elsewhere.home, ".moth/config.json"), JSON.stringify({ port: world.port }));
  writeFileSync(join(elsewhere.home, ".moth/token"), "another-token-of-many-characters", { mode: 0o600 });
  expect((await elsewhere.moth(["ps"], { MOTH_URL: "" })).err).toContain("See what it is: moth doctor\n");
  const { out } = await elsewhere.moth(["doctor"], { MOTH_URL: "" });
  const told = out.replaceAll(/\s+/g, " ");
  expect(told).toContain(`(process ${pid}, it says) is known to no record in ${join(elsewhere.home, ".moth")}`);
  expect(told).toContain(`is named by MOTH_URL=${world.url}`);
  expect(told).not.toContain("See what it is");
});

test("stop believes no record alone, and no answer alone", async () => {
  const world = await createWorld();
  const sleeper = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  onTestFinished(() => void sleeper.kill("SIGKILL"));
  // Says it is moth, under the process id of someone else.
  const liar = createServer((_request, response) =>
    response.end(JSON.stringify({ name: "moth", version: "0.0.0", protocol: 1, pid: sleeper.pid })),
  );
  await new Promise<void>((resolve) => liar.listen(world.port, "127.0.0.1", resolve));
  onTestFinished(() => void liar.close());
  expect(await world.moth(["stop"])).toMatchObject({ code: 1 });
  mkdirSync(join(world.home, ".moth/run"), { recursive: true });
  const record = { pid: process.pid, host: "127.0.0.1", port: world.port, version: "0.0.0", started: 0 };
  writeFileSync(join(world.home, `.moth/run/${world.port}.json`), JSON.stringify(record));
  expect(await world.moth(["stop"])).toMatchObject({ code: 1 });
  expect(isAlive(sleeper.pid ?? 0)).toBe(true);
});

test("a broken settings file is named, and moth runs with the defaults", async () => {
  const world = await createWorld();
  mkdirSync(join(world.home, ".moth"));
  writeFileSync(join(world.home, ".moth/config.json"), "{ oops");
  const up = world.start(["up"]);
  await vi.waitFor(() => expect(up.out()).toContain(`listens at ${world.url}`), { timeout: 10_000 });
  expect(up.err()).toMatch(/^moth: .*config\.json is not valid JSON .*; its settings are not used until it is mended\./);
  up.child.kill();
  expect((await up.ended).code).toBe(0);
});

test("why a background start failed is said at once, with the log", async () => {
  const world = await createWorld();
  mkdirSync(join(world.home, ".moth"));
  symlinkSync("/nowhere", join(world.home, ".moth/token"));
  const ran = await world.moth(["up", "-d"]);
  expect(ran.code).toBe(1);
  expect(ran.err).toMatch(/^moth: moth did not start\n {6}moth: The token file .* is a symbolic link/);
  expect(ran.err).toContain(`Its log: ${join(world.home, `.moth/run/${world.port}.log`)}`);
});

test("the log of a background moth is never written through a link", async () => {
  const world = await createWorld();
  mkdirSync(join(world.home, ".moth/run"), { recursive: true });
  writeFileSync(join(world.home, "precious"), "mine");
  symlinkSync(join(world.home, "precious"), join(world.home, `.moth/run/${world.port}.log`));
  expect(await world.moth(["up", "-d"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("cannot be written (ELOOP)") as string,
  });
  expect(readFileSync(join(world.home, "precious"), "utf8")).toBe("mine");
});

test("listening to other machines is warned of; a port of its own is told with the way back", async () => {
  const world = await createWorld();
  const { port } = await createWorld();
  const up = world.start(["up", "--host", "0.0.0.0", "--port", String(port)]);
  await vi.waitFor(() => expect(up.out()).toContain("listens at"), { timeout: 10_000 });
  expect(up.err()).toContain("listening on 0.0.0.0 lets other machines reach moth");
  await vi.waitFor(() => expect(up.err()).toContain(`adapters and commands look for moth at ${world.url}, not here`));
  up.child.kill();
  expect((await up.ended).code).toBe(0);
});

test("a MOTH_URL that is none is an error with what to write", async () => {
  const world = await createWorld();
  for (const args of [["up"], ["ps"], ["stop"], ["tail"]]) {
    expect(await world.moth(args, { MOTH_URL: "https://x" })).toEqual({
      code: 1,
      out: "",
      err: 'moth: MOTH_URL is "https://x", which is no http:// address\n      Set it like http://127.0.0.1:4747, or unset it\n',
    });
  }
});

test.skipIf(process.platform !== "linux")("where no folder can be made, up ends with an error, and at once", async () => {
  const world = await createWorld();
  for (const args of [["up"], ["up", "-d"]]) {
    const ran = await world.moth(args, { MOTH_HOME: "/proc/no-such-folder/moth" });
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toMatch(/^moth: .*\/proc\/no-such-folder\/moth.* \(ENOENT\)/);
  }
});
