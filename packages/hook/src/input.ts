import { fstatSync, readFileSync } from "node:fs";
import { Socket } from "node:net";

/** Bytes of an event, at most: a longer one is no event. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

/**
 * The JSON value on stdin, as soon as it is whole: some harnesses never close their end.
 * Undefined when there is none; pending while it is incomplete and stdin stays open.
 */
export async function readInput(): Promise<unknown> {
  const stdin = openSocket();
  return stdin ? await readSocket(stdin) : readFile();
}

/** A socket and not `process.stdin`: cheaper to load, and its reads are never stuck in a thread that would hold the exit. */
function openSocket(): Socket | undefined {
  try {
    return new Socket({ fd: 0, readable: true, writable: false });
  } catch {
    // Neither a pipe nor a socket.
    return undefined;
  }
}

function readSocket(stdin: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stdin.on("error", () => resolve(undefined));
    stdin.on("close", () => resolve(undefined));
    stdin.on("end", () => resolve(parseInput(Buffer.concat(chunks).toString("utf8"))));
    stdin.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_INPUT_BYTES || !beginsObject(chunks[0]!)) return resolve(undefined);
      if (!endsObject(chunk)) return;
      const value = parseInput(Buffer.concat(chunks).toString("utf8"));
      if (value !== undefined) resolve(value);
    });
  });
}

/** A terminal or a device never ends: only a plain file is read. */
function readFile(): unknown {
  const stat = fstatSync(0);
  return stat.isFile() && stat.size <= MAX_INPUT_BYTES ? parseInput(readFileSync(0, "utf8")) : undefined;
}

function beginsObject(chunk: Buffer): boolean {
  const byte = chunk.find((byte) => byte > 0x20);
  // 0xef begins a byte order mark.
  return byte === undefined || byte === 0x7b || byte === 0xef;
}

function endsObject(chunk: Buffer): boolean {
  let last = chunk.length - 1;
  while (last >= 0 && chunk[last]! <= 0x20) last--;
  return last < 0 || chunk[last] === 0x7d;
}

/** An event's text as a value; undefined when it is no JSON. */
export function parseInput(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch {
    return undefined;
  }
}
