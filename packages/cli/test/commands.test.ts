import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { BIN, createWorld } from "./support/world.ts";

const about = { source: "x", session: "3f2a91bc-1", label: "moth-repo" };

test("not running: ps ends in 3 and says what to do", async () => {
  const world = await createWorld();
  expect(await world.moth(["ps"])).toEqual({
    code: 3,
    out: "",
    err: `moth: moth is not running at ${world.url} (nothing listens there)\n      Start it: moth up\n`,
  });
});

test("moth alone: the next step, first to start it", async () => {
  const world = await createWorld();
  const { code, out } = await world.moth([]);
  expect([code, out]).toEqual([0, "moth is asleep.\n\nNext: moth up    (or in the background: moth up -d)\n"]);
  // Outside the checkout npx would fetch another package.
  expect((await world.moth([], { npm_command: "exec" })).out).toContain(`Next: node ${BIN} up`);
  // Nor is it a command where nothing has put it into PATH.
  const PATH = "";
  expect((await world.moth([], { PATH })).out).toContain(`Next: node ${BIN} up    (or in the background: node ${BIN} up -d)`);
  expect((await world.moth(["ps"], { PATH })).err).toContain(`Start it: node ${BIN} up\n`);
});

test("ps follows a session from working over waiting to idle", async () => {
  const world = await createWorld();
  await world.up();
  const state = async (): Promise<unknown> =>
    (JSON.parse((await world.moth(["ps", "--json"])).out) as { state: string }[])[0]?.state;
  await world.post("/api/state", { ...about, state: "working" });
  expect(await state()).toBe("working");
  await world.post("/api/state", {
    ...about,
    state: "waiting",
    wait: { id: "w", kind: "permission", tool: "Bash", answerable: false },
  });
  await vi.waitFor(async () => expect(await state()).toBe("waiting"), { timeout: 10_000 });
  expect((await world.moth(["ps"])).out).toMatch(/^SESSION .*\nmoth-repo +x +waits: permission \(Bash\) +\ds +3f2a91bc\n$/);
  await world.post("/api/agent", { ...about, text: "All done." });
  expect(await state()).toBe("idle");
});

test("open gives a link that leads to the page once; where there is no screen it opens nothing", async () => {
  const world = await createWorld();
  expect((await world.moth(["open"])).code).toBe(3);
  await world.up();
  expect((await world.moth(["open"])).out).toMatch(
    /^Open in your browser:\n {2}http:\/\/127\.0\.0\.1:\d+\/open\?key=[\w-]+\n\(good for 60 seconds, once\)\n$/,
  );
  const link = (await world.moth(["open", "--print"])).out.trim();
  const page = await fetch(link);
  // The page as the packed server carries it.
  expect([page.status, (await page.text()).includes("look with: moth tail")]).toEqual([200, true]);
  const enter = {
    method: "POST",
    headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify({ key: new URL(link).searchParams.get("key") }),
  };
  for (const status of [200, 403]) expect((await fetch(`${world.url}/api/enter`, enter)).status).toBe(status);
});

test("what a terminal would obey never reaches it", async () => {
  const world = await createWorld();
  await world.up(["--react-every", "0", "--quiet-after", "0"]);
  await world.post("/api/agent", { ...about, label: "re\u001b]0;evil\u0007po", text: "a\u001b[2Jb\u009b31mc" });
  for (const args of [["ps"], ["ps", "--json"]]) {
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect((await world.moth(args, { FORCE_COLOR: "0" })).out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  }
  const tail = world.start(["tail", "--history", "50"]);
  await vi.waitFor(() => expect(tail.out()).toContain("said: abc"), { timeout: 10_000 });
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  expect(tail.out()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test("a reader that leaves is no error: moth --help | head", async () => {
  const child = spawn(process.execPath, [BIN, "completion", "fish"], { stdio: ["ignore", "pipe", "pipe"] });
  let err = "";
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, err]).toEqual([0, ""]);
});

test.skipIf(!existsSync("/dev/full"))(
  "an output that takes nothing more is named in one line, and the exit code is 1",
  async () => {
    const world = await createWorld();
    await world.up();
    await world.post("/api/agent", { ...about, text: "All done." });
    const commands = [
      ["ps"],
      ["ps", "--json"],
      ["--help"],
      ["--version"],
      [],
      ["status"],
      ["hooks"],
      ["config"],
      ["doctor"],
      ["tail"],
    ];
    for (const args of [...commands, ["tail", "--json"], ["completion", "bash"]]) {
      const full = openSync("/dev/full", "w");
      const ran = spawnSync(process.execPath, [BIN, ...args], {
        env: world.env,
        cwd: world.home,
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8",
        timeout: 20_000,
      });
      const both = spawnSync(process.execPath, [BIN, ...args], {
        env: world.env,
        cwd: world.home,
        stdio: ["ignore", full, full],
        timeout: 20_000,
      });
      closeSync(full);
      expect([args, ran.status, ran.stderr, both.status]).toEqual([
        args,
        1,
        "moth: cannot write to the output (no space left)\n",
        1,
      ]);
    }
  },
  30_000,
);

test("no proxy is ever asked, also where Node would follow it", async () => {
  const world = await createWorld();
  await world.up();
  const asked: string[] = [];
  const proxy = createServer((socket) => void socket.on("data", (data) => asked.push(String(data))).on("error", () => {}));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: url, http_proxy: url, ALL_PROXY: url };
  expect(await world.moth(["ps"], env)).toMatchObject({ code: 0 });
  expect(await world.moth(["status"], env)).toMatchObject({ code: 0 });
  expect(asked).toEqual([]);
});

test("doctor: well, then with an open token and a broken file", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  await world.up();
  const well = await world.moth(["doctor", "--json"]);
  const checks = JSON.parse(well.out) as { check: string; status: string; message: string }[];
  expect(well.code).toBe(0);
  expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
  expect(checks.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["node", "folder", "token", "settings", "server", "records", "hooks", "proxy", "overrides"]),
  );

  spawnSync("chmod", ["644", join(world.home, ".moth/token")]);
  spawnSync("sh", ["-c", `echo oops > ${join(world.home, ".moth/config.json")}`]);
  const sick = await world.moth(["doctor"]);
  expect(sick.code).toBe(1);
  expect(sick.out).toMatch(/^fail {2}.*token is open to other users \(mode 644\)\n {6}chmod 600 .*token$/m);
  expect(sick.out).toMatch(/^fail {2}.*config\.json is not valid JSON/m);
  expect(sick.out).toMatch(/^What is open to other users can be closed: .* doctor --fix$/m);
  const mended = await world.moth(["doctor", "--fix"]);
  expect(mended.out).toMatch(/^ok {4}.*token was open to other users \(mode 644\); now it is yours alone \(600\)$/m);
  expect(mended.out).not.toContain("doctor --fix");
});

test("a Node that is too old is told so, in syntax it can read", () => {
  const old =
    'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.19.0" } })';
  const ran = spawnSync(process.execPath, ["--import", old, BIN, "ps"], { encoding: "utf8" });
  expect([ran.status, ran.stdout]).toEqual([1, ""]);
  expect(ran.stderr).toMatch(/^moth: needs Node 20 or newer, this is Node 18\.19\.0 \(.*\)\.\n {6}Install a newer Node/);
});

test("a command loads what it needs: neither server nor installers nor prompts at the start", () => {
  const dist = join(dirname(BIN), "../dist");
  const loaded = new Set<string>();
  const load = (file: string): void => {
    const statics = readFileSync(join(dist, file), "utf8").matchAll(/^(?:import|export)\b[^"'(]*["']([^"']+)["']/gm);
    for (const [, specifier = ""] of statics) {
      if (loaded.has(specifier)) continue;
      loaded.add(specifier);
      if (specifier.startsWith("./")) load(specifier);
    }
  };
  load("main.js");
  expect([...loaded].filter((specifier) => !/^(\.|node:)/.test(specifier)).sort()).toMatchInlineSnapshot(`
    [
      "fs",
      "module",
      "path",
      "string-width",
      "url",
      "wrap-ansi",
    ]
  `);
});
