/** The program is compiled once for each harness, and a process that finds nothing fit to run compiles it anew. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { buildHook, type Listener, listen, makeHome, request, runHook, SILENT } from "./run-hook.ts";

const fixture = (file: string): string => readFileSync(join(import.meta.dirname, "../../harnesses/src", file), "utf8");
const STOP = fixture("claude-code/fixtures/stop.json");

let program: string;
let home: string;
let folder: string;
let moth: Listener;
beforeAll(() => {
  program = buildHook();
});
afterAll(() => rmSync(dirname(program), { recursive: true }));
beforeEach(async () => {
  home = makeHome();
  folder = join(home, ".moth/run/compiled");
  moth = await listen();
});
afterEach(async () => {
  await moth.stop();
  rmSync(home, { recursive: true, force: true });
});

/** An event is told, whatever lies there. */
async function tell(input = STOP, harness = "claude-code", by = program): Promise<void> {
  const before = moth.heard.length;
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, MOTH_URL: `http://127.0.0.1:${moth.port}` };
  expect(await runHook({ program: by, args: [harness], env, input })).toEqual(SILENT);
  await vi.waitFor(() => expect(moth.heard).toHaveLength(before + 1));
  expect(request(moth.heard.at(-1)).body["source"]).toBe(harness);
}

function files(): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Changes whenever the file is put there anew. */
function inode(file: string): bigint {
  return statSync(join(folder, file), { bigint: true }).ino;
}

it("is kept at a turn's end, and run by the next process, for each harness its own", async () => {
  await tell(JSON.stringify({ ...JSON.parse(STOP), hook_event_name: "UserPromptSubmit" }));
  expect(files()).toEqual([]);
  await tell();
  const [file = ""] = files();
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  const before = inode(file);
  await tell();
  expect(files()).toEqual([file]);
  expect(inode(file)).toBe(before);
  await tell(fixture("codex/fixtures/stop.json"), "codex");
  expect(files().map((name) => name.split(".")[0])).toEqual(["claude-code", "codex"]);
});

it.each<[string, (file: string) => void]>([
  ["something else", (file) => writeFileSync(file, "no code")],
  ["nothing", (file) => truncateSync(file)],
  ["its beginning", (file) => truncateSync(file, 4000)],
  ["another Node's code", (file) => writeFileSync(file, readFileSync(file).fill(7, 4, 8))],
])("a file with %s in it is replaced", async (_, spoil) => {
  await tell();
  const [file = ""] = files();
  spoil(join(folder, file));
  const before = readFileSync(join(folder, file));
  await tell();
  expect(files()).toEqual([file]);
  expect(readFileSync(join(folder, file)).equals(before)).toBe(false);
  const after = inode(file);
  await tell();
  expect(inode(file)).toBe(after);
});

it("what the harness has of other versions of the program goes, and what others have stays", async () => {
  mkdirSync(folder, { recursive: true });
  for (const name of ["claude-code.0000.node", "claude-code.4711", "codex.0000.node"]) writeFileSync(join(folder, name), "old");
  await tell();
  expect(files().map((name) => name.split(".").slice(0, 2).join("."))).toEqual([
    expect.stringMatching(/^claude-code\.[0-9a-f]{12}$/),
    "codex.0000",
  ]);
});

it("another version of the program does not run the code of this one", async () => {
  await tell();
  const other = join(dirname(program), "other");
  mkdirSync(other);
  copyFileSync(program, join(other, "moth-hook.cjs"));
  const text = readFileSync(join(dirname(program), "moth-hook-program.js"), "utf8");
  // As long as this one, which is all that Node compares.
  const changed = text.replace(/^\/\/[0-9a-f]{12}\n/, "//000000000000\n").replaceAll("POST ${", "POST /other${");
  writeFileSync(join(other, "moth-hook-program.js"), changed);
  await tell(STOP, "claude-code", join(other, "moth-hook.cjs"));
  expect(request(moth.heard.at(-1)).head).toContain("POST /other/api/agent ");
  expect(files().map((name) => name.split(".")[1])).toEqual(["000000000000"]);
});

it("where nothing can be kept, events are told all the same", async () => {
  writeFileSync(join(home, ".moth/run"), "not a folder");
  await tell();
  await tell();
  expect(files()).toEqual([]);
});
