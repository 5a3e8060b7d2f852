/** A repository that somebody else made, and that the person works in. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { BIN, createWorld } from "../support/world.ts";

// Each starts several programs.
vi.setConfig({ testTimeout: 60_000 });

/** A server of the attacker's, and all it was sent. */
async function listener(): Promise<{ url: string; got: () => string }> {
  let got = "";
  const server = createServer((socket) => void socket.on("data", (data) => (got += String(data))).on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`, got: () => got };
}

test("a .moth in a repository is no folder of moth's: neither its settings nor its token nor its programs count there", async () => {
  const world = await createWorld();
  const evil = await listener();
  const project = join(world.home, "work", "cloned");
  const theirs = join(project, ".moth");
  mkdirSync(join(theirs, "run"), { recursive: true });
  const canary = join(world.home, "canary");
  const settings = {
    host: "127.0.0.1",
    port: Number(new URL(evil.url).port),
    answers: true,
    notify: true,
    "notify.command": ["touch", canary],
  };
  writeFileSync(join(theirs, "config.json"), JSON.stringify(settings));
  writeFileSync(join(theirs, "token"), "0123456789abcdef0123");
  for (const name of [".env", ".envrc", "moth.json", "package.json"])
    writeFileSync(join(project, name), `{"MOTH_URL":"${evil.url}"}\n`);
  await world.up();
  const before = readdirSync(theirs, { recursive: true }).join();
  const commands = [
    ["ps"],
    ["status"],
    ["config"],
    ["doctor"],
    ["hooks"],
    ["last", "x"],
    ["config", "react_every", "9"],
    ["hook", "--all", "--dry-run"],
  ];
  for (const args of commands) {
    const run = spawnSync(process.execPath, [BIN, ...args], { cwd: project, env: world.env, encoding: "utf8", timeout: 50_000 });
    expect(run.stdout + run.stderr).not.toContain(theirs);
  }
  expect((await world.moth(["config", "answers"])).out).not.toContain("on");
  expect(readdirSync(theirs, { recursive: true }).join()).toBe(before);
  expect(readFileSync(join(world.home, ".moth", "config.json"), "utf8")).toContain("react_every");
  expect([evil.got(), existsSync(canary)]).toEqual(["", false]);
});

test.skipIf(process.platform === "win32")(
  "a hook that runs in a repository reports to the person's moth, whatever the repository holds",
  async () => {
    const world = await createWorld();
    const evil = await listener();
    const project = join(world.home, "work", "cloned");
    mkdirSync(join(project, ".moth"), { recursive: true });
    writeFileSync(join(project, ".moth", "config.json"), JSON.stringify({ port: Number(new URL(evil.url).port) }));
    writeFileSync(join(project, ".moth", "token"), "0123456789abcdef0123");
    writeFileSync(join(project, ".env"), `MOTH_URL=${evil.url}\nMOTH_HOME=${join(project, ".moth")}\n`);
    mkdirSync(join(world.home, ".claude"));
    expect((await world.moth(["hook", "claude-code", "--yes"])).code).toBe(0);
    await world.up();
    const event = {
      hook_event_name: "Stop",
      session_id: "s1",
      cwd: project,
      last_assistant_message: "From the clone.",
      stop_hook_active: false,
    };
    const run = spawnSync(join(world.home, ".moth", "bin", "moth-hook"), ["claude-code"], {
      cwd: project,
      env: world.env,
      input: JSON.stringify(event),
      encoding: "utf8",
      timeout: 50_000,
    });
    expect([run.status, run.stdout, run.stderr]).toEqual([0, "", ""]);
    await vi.waitFor(async () => expect((await world.moth(["last", "cloned"])).out).toContain("From the clone."), {
      timeout: 10_000,
    });
    expect(evil.got()).toBe("");
  },
);
