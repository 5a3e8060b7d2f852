/** The hook beside a moth that reads a pipe, and how it reads its own stdin without a socket. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdirSync, openSync, readFileSync, readSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeFile, writePipe } from "@moth-companion/core/pipe";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { buildHook, type Listener, listen, makeHome, request, runHook, SILENT, SOON_MS } from "./run-hook.ts";

const STOP = readFileSync(join(import.meta.dirname, "../../harnesses/src/claude-code/fixtures/stop.json"), "utf8");
const TEXT = "The tests pass. **Two files** changed.";

let program: string;
let home: string;
/** What listens on moth's port. */
let port: Listener;
const open: number[] = [];

beforeAll(() => {
  program = buildHook();
});
afterAll(() => rmSync(dirname(program), { recursive: true }));
beforeEach(async () => {
  home = makeHome();
  mkdirSync(join(home, ".moth/run"));
  port = await listen();
});
afterEach(async () => {
  for (const file of open.splice(0)) closeSync(file);
  await port.stop();
  rmSync(home, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  USERPROFILE: home,
  MOTH_URL: `http://127.0.0.1:${port.port}`,
});

/** A named pipe with its reading end, which a server would have. */
function namedPipe(file: string): number {
  execFileSync("mkfifo", ["-m", "600", file]);
  const reader = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  open.push(reader);
  return reader;
}
const pipe = (): number => namedPipe(pipeFile(port.port, { HOME: home }));

/** The reports in it. */
function read(reader: number): { kind: string; body: Record<string, unknown> }[] {
  const buffer = Buffer.alloc(256 * 1024);
  let text: string;
  try {
    text = buffer.toString("utf8", 0, readSync(reader, buffer));
  } catch {
    return [];
  }
  const whole = text.replaceAll(/\n?\w+ [1-9]\d*\/\d+ /g, "");
  return whole
    .trim()
    .split("\n")
    .map((line) => {
      const [, kind = "", body = ""] = /^\w+ 0\/\d+ (\w+) (.*)$/.exec(line) ?? [];
      return { kind, body: JSON.parse(body) as Record<string, unknown> };
    });
}

describe.skipIf(process.platform === "win32")("beside a pipe", () => {
  it("tells all there, and nothing to the port: not the report, not the token", async () => {
    const reader = pipe();
    expect(await runHook({ program, env: env(), input: STOP })).toEqual(SILENT);
    expect(read(reader)).toMatchObject([{ kind: "agent", body: { source: "claude-code", text: TEXT, state: "idle" } }]);
    expect(port.heard).toEqual([]);
  });

  it("needs no token", async () => {
    const reader = pipe();
    rmSync(join(home, ".moth/token"));
    expect(await runHook({ program, env: env(), input: STOP })).toEqual(SILENT);
    expect(read(reader)).toHaveLength(1);
  });

  it("sends a reply of any length there, cut to what moth takes", async () => {
    const reader = pipe();
    for (const [length, end] of [
      [20_000, "m"],
      [9_000_000, "…"],
    ] as const) {
      const long = { ...(JSON.parse(STOP) as object), last_assistant_message: "m".repeat(length) };
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await runHook({ program, env: env(), input: JSON.stringify(long) })).toEqual(SILENT);
      const [report] = [...read(reader), ...port.heard.map((text) => request(text))];
      expect(String(report?.body["text"]).at(-1)).toBe(end);
    }
  });

  it.each([
    ["nobody reads the other end", (reader: number) => closeSync(open.splice(open.indexOf(reader), 1)[0]!)],
    [
      "it is full",
      (reader: number) => {
        while (writePipe(reader, "x".repeat(400)) || writePipe(reader, "x"));
      },
    ],
  ])("of which %s, the report goes to the port", async (_what, make) => {
    make(pipe());
    expect(await runHook({ program, env: env(), input: STOP })).toEqual(SILENT);
    await vi.waitFor(() => expect(request(port.heard[0]).body["text"]).toBe(TEXT));
  });
});

const parts = (text: string, count: number): Buffer[] => {
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
};

/** Starts the hook with this as stdin; ended, in time. */
async function run(stdin: number | "pipe", feed: (write: (text: Buffer) => void) => Promise<void> | void): Promise<void> {
  const child = spawn(process.execPath, [program, "claude-code"], { env: env(), stdio: [stdin, "inherit", "inherit"] });
  const ended = once(child, "exit");
  await feed((text) => void (typeof stdin === "number" ? writeSync(stdin, text) : child.stdin?.write(text)));
  const late = setTimeout(() => child.kill("SIGKILL"), SOON_MS);
  expect(await ended).toEqual([0, null]);
  clearTimeout(late);
  child.stdin?.destroy();
}
const slowly = async (write: (text: Buffer) => void): Promise<void> => {
  for (const part of parts(STOP.replace("Two files", "Two mäuse 🦋"), 3)) {
    write(part);
    // oxlint-disable-next-line no-await-in-loop -- so that the hook reads in between
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe.skipIf(process.platform === "win32")("stdin", () => {
  it("in pieces is read to its end, although it stays open", async () => {
    const reader = pipe();
    await run("pipe", slowly);
    expect(read(reader)[0]?.body["text"]).toContain("mäuse 🦋");
  });

  it("that is a pipe of the system's, empty at first and never closed, is read", async () => {
    const reader = pipe();
    const stdin = join(home, "stdin");
    const nonBlocking = namedPipe(stdin);
    // As a harness that never waits for its own pipes hands it on: a read of it has nothing yet.
    await run(nonBlocking, slowly);
    expect(read(reader)[0]?.body["text"]).toContain("mäuse 🦋");
  });

  it("that is a shell's pipe is read", () => {
    const reader = pipe();
    execFileSync("sh", ["-c", '(sleep 0.1; cat; ) | "$NODE" "$HOOK" claude-code'], {
      env: { ...env(), NODE: process.execPath, HOOK: program },
      input: STOP,
    });
    expect(read(reader)).toHaveLength(1);
  });

  it.each(["pipe", "named"])("on which nothing comes holds nobody (%s)", async (kind) => {
    const reader = pipe();
    await run(kind === "pipe" ? "pipe" : namedPipe(join(home, "stdin")), () => {});
    await run(kind === "pipe" ? "pipe" : open.at(-1)!, (write) => write(Buffer.from('{"hook_event_name": "Stop", ')));
    expect(read(reader)).toEqual([]);
  });
});
