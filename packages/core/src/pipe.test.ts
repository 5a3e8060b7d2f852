import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closePipe, openPipe, PIECE_BYTES, pipeFile, writePipe } from "./pipe.ts";

const BUILT = new URL("../dist/pipe.js", import.meta.url).pathname;

let home: string;
let env: Record<string, string>;
const open: number[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-pipe-"));
  mkdirSync(join(home, "run"));
  env = { MOTH_HOME: home };
});
afterEach(() => {
  for (const file of open.splice(0)) closePipe(file);
  rmSync(home, { recursive: true, force: true });
});

/** A pipe as a server makes it, with its reading end. */
function pipe(port = 4747): number {
  const file = pipeFile(port, env);
  execFileSync("mkfifo", ["-m", "600", file]);
  return keep(openSync(file, constants.O_RDWR | constants.O_NONBLOCK));
}
function keep(file: number): number {
  open.push(file);
  return file;
}
function opened(): boolean {
  const file = openPipe(env);
  if (file !== undefined) keep(file);
  return file !== undefined;
}
function readAll(reader: number): string {
  const buffer = Buffer.alloc(256 * 1024);
  return buffer.toString("utf8", 0, readSync(reader, buffer));
}

describe.skipIf(process.platform === "win32")("a pipe", () => {
  test("carries a short message as one line", () => {
    const reader = pipe();
    expect(writePipe(keep(openPipe(env)!), "agent {}")).toBe(true);
    expect(readAll(reader)).toMatch(/^[a-z0-9]{1,8} 0\/0 agent \{\}\n$/);
  });

  test("carries a long one in lines of which each is written as one", () => {
    const reader = pipe();
    const message = `agent ${JSON.stringify({ text: "mäuse\n🦋".repeat(1000) })}`;
    expect(writePipe(keep(openPipe(env)!), message)).toBe(true);
    const lines = readAll(reader).split("\n").slice(0, -1);
    expect(lines.length).toBeGreaterThan(2);
    expect(Math.max(...lines.map((line) => line.length + 1))).toBeLessThanOrEqual(PIECE_BYTES);
  });

  test("is that of the port where moth is: by settings, by MOTH_URL", () => {
    pipe(5000);
    expect(opened()).toBe(false);
    writeFileSync(join(home, "config.json"), '{"port": 5000}');
    expect(opened()).toBe(true);
    env["MOTH_URL"] = "http://localhost:4747";
    expect(opened()).toBe(false);
    env["MOTH_URL"] = "http://[::1]:5000";
    expect(opened()).toBe(true);
  });

  test("is not used for a moth on another machine", () => {
    pipe();
    env["MOTH_URL"] = "http://192.0.2.1:4747";
    expect(opened()).toBe(false);
  });

  test("that nobody reads does not open, and neither does one that is not there", () => {
    expect(opened()).toBe(false);
    closeSync(pipe());
    open.pop();
    expect(opened()).toBe(false);
  });

  test("that others may read or write is left alone", () => {
    pipe();
    for (const mode of [0o640, 0o620, 0o604, 0o602]) {
      chmodSync(pipeFile(4747, env), mode);
      expect([mode, opened()]).toEqual([mode, false]);
    }
    chmodSync(pipeFile(4747, env), 0o600);
    expect(opened()).toBe(true);
  });

  test("that is a file or a link is left alone", () => {
    const reader = pipe(4748);
    symlinkSync(pipeFile(4748, env), pipeFile(4747, env));
    expect(opened()).toBe(false);
    rmSync(pipeFile(4747, env));
    writeFileSync(pipeFile(4747, env), "", { mode: 0o600 });
    expect(opened()).toBe(false);
    expect(() => readAll(reader)).toThrow(/EAGAIN/);
  });

  test.skipIf(process.getuid?.() !== 0)("of another user is left alone", () => {
    pipe();
    chownSync(pipeFile(4747, env), 65_534, 65_534);
    expect(opened()).toBe(false);
  });

  test("that is full takes no more, at once; one whose reader is gone neither", () => {
    const reader = pipe();
    const writer = keep(openPipe(env)!);
    const message = `agent ${"x".repeat(60_000)}`;
    let sent = 0;
    while (writePipe(writer, message)) sent++;
    expect(sent).toBeLessThan(100);
    closeSync(reader);
    open.splice(open.indexOf(reader), 1);
    expect(writePipe(writer, "agent {}")).toBe(false);
  });
});

/** A Node whose module loader keeps plain numbers of what a program looked at last. */
function olderNode(): string | undefined {
  const names = (process.env["PATH"] ?? "").split(":").map((folder) => join(folder, "node"));
  return names.find((name) => {
    if (!existsSync(name)) return false;
    const major = Number(execFileSync(name, ["-p", "process.versions.node"], { encoding: "utf8" }).split(".")[0]);
    return major >= 20 && major < 24;
  });
}

describe("in a program of an older Node", () => {
  const node = olderNode();
  if (node === undefined)
    process.stderr.write("skipped: a pipe in a program of an older Node, there is no Node 20 or 22 on PATH\n");

  test.runIf(node !== undefined)("what is imported after the pipe was opened is found through its link", () => {
    pipe();
    for (const [file, text] of [
      ["store/linked/index.mjs", `import "neighbour"; console.log("found")`],
      ["store/linked/package.json", `{ "name": "linked", "exports": "./index.mjs" }`],
      ["store/node_modules/neighbour/index.mjs", ""],
      ["store/node_modules/neighbour/package.json", `{ "name": "neighbour", "exports": "./index.mjs" }`],
      ["app/main.mjs", `import { openPipe } from ${JSON.stringify(BUILT)}; openPipe(); await import("linked");`],
    ] as const) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), text);
    }
    mkdirSync(join(home, "app/node_modules"));
    symlinkSync(join(home, "store/linked"), join(home, "app/node_modules/linked"));
    expect(execFileSync(node ?? "", [join(home, "app/main.mjs")], { env, encoding: "utf8" })).toBe("found\n");
  });
});
