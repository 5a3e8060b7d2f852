/** The examples of docs/scripts.md, run as they stand there. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { BIN, createWorld, type World } from "./support/world.ts";

const PAGE = readFileSync(new URL("../../../docs/scripts.md", import.meta.url), "utf8");
const CORE = fileURLToPath(new URL("../../core", import.meta.url));
const wait = { id: "w1", kind: "permission", tool: "Bash", answerable: false };

function example(language: string): string {
  const text = PAGE.split(`\`\`\`${language}\n`)[1]?.split("```")[0];
  if (text === undefined) throw new Error(`docs/scripts.md has no example in ${language}`);
  return text;
}

/** Three agents at work. */
async function three(): Promise<World> {
  const world = await createWorld();
  await world.up();
  for (const label of ["api", "web", "docs"]) await post(world, label, "state", { state: "working" });
  return world;
}

function post(world: World, label: string, to: "agent" | "state", body: object): Promise<unknown> {
  return world.post(`/api/${to}`, { source: "x", session: `id-of-${label}`, label, ...body });
}

function start(world: World, program: string, args: string[]): { err: () => string; ended: Promise<string> } {
  const child = spawn(program, args, { cwd: world.home, env: world.env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => (out += String(data)));
  child.stderr.on("data", (data) => (err += String(data)));
  return { err: () => err, ended: new Promise((resolve) => child.once("close", (code) => resolve(`${code}: ${out}`))) };
}

test.skipIf(process.platform === "win32")("the example for a shell leaves what each session said in a file", async () => {
  const world = await three();
  const moth = `moth() { ${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "$@"; }\n`;
  const { ended, err } = start(world, "bash", ["-c", moth + example("bash")]);
  for (const label of ["web", "api", "docs"]) await post(world, label, "agent", { text: `${label} is done.` });
  expect((await ended).split(/\n|: /).toSorted()).toEqual(["", "0", "x · api is idle", "x · docs is idle", "x · web is idle"]);
  expect(err()).toBe("");
  for (const label of ["web", "api", "docs"]) {
    expect(readFileSync(join(world.home, `${label}.md`), "utf8")).toBe(`${label} is done.\n`);
  }
});

test.skipIf(process.platform === "win32")("the client is had from a checkout as the page says", async () => {
  const world = await createWorld();
  const line = PAGE.split("\n").find((line) => line.includes("<checkout>")) ?? "";
  const install = line.replace(/ +#.*/, "").replace("<checkout>/packages/core", JSON.stringify(CORE));
  writeFileSync(join(world.home, "package.json"), "{}");
  const installed = start(world, "bash", ["-c", `${install} --offline --no-audit --no-fund`]);
  expect(await installed.ended).toMatch(/^0: /);
  writeFileSync(join(world.home, "replies.mjs"), example("js"));
  const ran = start(world, process.execPath, ["replies.mjs", "api"]);
  expect([await ran.ended, ran.err()]).toEqual(["1: ", expect.stringContaining("NOT_RUNNING")]);
});

test("the example in JavaScript gathers what several sessions say, and names the one that needs the person", async () => {
  const world = await three();
  mkdirSync(join(world.home, "node_modules", "@moth-companion"), { recursive: true });
  symlinkSync(CORE, join(world.home, "node_modules", "@moth-companion", "core"), "junction");
  writeFileSync(join(world.home, "fan-out.mjs"), example("js"));
  const { ended, err } = start(world, process.execPath, ["fan-out.mjs", "api", "web"]);
  await post(world, "web", "state", { state: "waiting", wait });
  await vi.waitFor(() => expect(err()).toBe("web needs you\n"), { timeout: 15_000 });
  await post(world, "api", "agent", { text: "All 12 pass." });
  await post(world, "web", "agent", { text: "Built." });
  expect(await ended).toBe("0: # api\n\nAll 12 pass.\n\n# web\n\nBuilt.\n\n");
});
