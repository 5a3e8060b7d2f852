/**
 * The near way to a moth of this machine: a named pipe in moth's folder. Whoever may write to it is the person, so it needs no token;
 * and nobody but the person can hear at its other end, whoever listens on moth's port. It also costs a hook less than half of what a
 * socket does: Node need not load one.
 *
 * What is written at once is not mixed with what others write as long as it is short. So a message goes in pieces, each a line:
 * `<key> <piece>/<last piece> <bytes>`, counted from 0, where `key` is the message's own and the bytes of all are `<kind> <report as JSON>`.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { mothAddress } from "./config.ts";
import { type Address, type Env, mothHome } from "./paths.ts";

/** Bytes that are written as one, line end included: POSIX promises 512 everywhere, Linux 4096. */
export const PIECE_BYTES: number = process.platform === "linux" ? 4096 : 512;

/** Where a server on this port reads. */
export function pipeFile(port: number, env: Env = process.env): string {
  return `${mothHome(env)}/run/${port}.in`;
}

/** Whether an address is this machine's alone. */
export function isLoopback({ host }: Address): boolean {
  return host === "127.0.0.1" || host === "localhost" || host === "::1";
}

/**
 * Opens the pipe of the moth at an address, the one that these variables name unless given. Never waits, never throws.
 * @returns its descriptor; undefined: nobody reads there, or it is not the person's alone
 */
export function openPipe(env: Env = process.env, address: Address | undefined = mothAddress(env)): number | undefined {
  const own = process.getuid?.();
  if (own === undefined || !address || !isLoopback(address)) return undefined;
  let pipe: number | undefined;
  try {
    // A pipe that nobody reads does not open so, and a link is not followed.
    pipe = openSync(pipeFile(address.port, env), constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    // By big numbers: after a pipe was looked at by plain ones, Node 20 and 22 do not find the next package that is imported through a link
    // (their module loader reads the type of what was looked at last), in whatever program this runs.
    const { mode, uid } = fstatSync(pipe, { bigint: true });
    const type = Number(mode) & constants.S_IFMT;
    const isOurs = type === constants.S_IFIFO && Number(uid) === own && (Number(mode) & 0o077) === 0;
    if (isOurs) return pipe;
  } catch {
    // As if there were none.
  }
  if (pipe !== undefined) closePipe(pipe);
  return undefined;
}

export function closePipe(pipe: number): void {
  try {
    closeSync(pipe);
  } catch {
    // It is closed.
  }
}

/**
 * Writes a message. Never waits, never throws.
 * @param message `<kind> <report as JSON>`, without a line end
 * @returns whether all of it is in the pipe; what is there of a message that is not whole is worth nothing to its reader
 */
export function writePipe(pipe: number, message: string): boolean {
  const bytes = Buffer.from(message);
  const key = Math.random().toString(36).slice(2, 10).padEnd(8, "0");
  // Beside the bytes: a key, two spaces, a slash, twice up to three digits, a line end.
  const room = PIECE_BYTES - key.length - 10;
  const last = Math.ceil(bytes.length / room) - 1;
  try {
    for (let at = 0; at <= last; at++) {
      const head = Buffer.from(`${key} ${at}/${last} `);
      const piece = Buffer.concat([head, bytes.subarray(at * room, (at + 1) * room), Buffer.from("\n")]);
      if (writeSync(pipe, piece) !== piece.length) return false;
    }
    return true;
  } catch {
    // Full, or its reader is gone.
    return false;
  }
}
