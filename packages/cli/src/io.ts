import type { Env } from "@moth-companion/core/paths";
import { runnable } from "./runnable.ts";
import { commandName } from "./self.ts";
import { colorDepth, createStyle, type Style } from "./style.ts";
import { fold } from "./width.ts";

/** The world a command acts on. A test gives its own. */
export interface Io {
  env: Env;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Milliseconds since 1970. */
  now(): number;
}

/** @param opened is handed each stream for output as it is first used */
export function processIo(opened: (stream: NodeJS.WriteStream) => void): Io {
  const used = new Set<NodeJS.WriteStream>();
  const open = (stream: NodeJS.WriteStream): NodeJS.WriteStream => {
    if (!used.has(stream)) opened(stream);
    used.add(stream);
    return stream;
  };
  return {
    env: process.env,
    // Getters: merely touching one opens it, and most commands never read and have nothing to complain of.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return open(process.stdout);
    },
    get stderr() {
      return open(process.stderr);
    },
    now: Date.now,
  };
}

export function styleOf(io: Io): Style {
  return createStyle(colorDepth(io.stdout, io.env));
}

/** Columns to fit into; undefined: no terminal, so nothing is cut or wrapped. */
export function columnsOf(io: Io): number | undefined {
  if (io.stdout.isTTY) return io.stdout.columns || 80;
  const given = Number(io.env["COLUMNS"]);
  return Number.isInteger(given) && given > 0 ? given : undefined;
}

export function print(io: Io, ...lines: string[]): void {
  if (lines.length > 0) io.stdout.write(`${lines.join("\n")}\n`);
}

/** moth's own words: commands in them can be typed as they stand. */
export function say(io: Io, ...lines: string[]): void {
  const self = commandName(io.env);
  print(io, ...lines.flatMap((line) => fold(runnable(line, self), columnsOf(io))));
}

/** The same to stderr, where nothing else goes. */
export function warn(io: Io, ...lines: string[]): void {
  if (lines.length === 0) return;
  const columns = io.stderr.isTTY ? io.stderr.columns || 80 : undefined;
  const said = runnable(lines.join("\n"), commandName(io.env)).split("\n");
  io.stderr.write(`${said.flatMap((line) => fold(line, columns)).join("\n")}\n`);
}

/** JSON that a terminal shows and never obeys: the control characters that JSON itself lets through are escaped too. */
export function toJson(value: unknown, indent = 2): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return JSON.stringify(value, undefined, indent).replace(
    /[\x7f-\x9f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function printJson(io: Io, value: unknown): void {
  print(io, toJson(value));
}
