/** Messages out of the pieces that hooks write into moth's pipe; `packages/core/src/pipe.ts` tells how they look. Whatever comes, memory is bounded. */
import { PIECE_BYTES } from "@moth-companion/core/pipe";
import { MAX_BODY_BYTES } from "@moth-companion/core/protocol";
import type { Clock } from "./clock.ts";

/** Bytes of a message: a report, and what kind it is. */
const MAX_MESSAGE = MAX_BODY_BYTES + 8;
/** Messages of which pieces are missing. Their writers write in one go, so those there are were given up. */
const MAX_OPEN = 32;
/** How long such a one is kept, in milliseconds. */
const KEEP_MS = 5000;
const LINE_END = 0x0a;

interface Open {
  pieces: Buffer[];
  size: number;
  last: number;
}

export interface Pieces {
  /** Takes what came out of the pipe. */
  put(chunk: Buffer): void;
  clear(): void;
}

/** @param tell is given each message that is whole */
export function createPieces(clock: Clock, tell: (message: string) => void): Pieces {
  const open = new Map<string, Open>();
  let rest: Buffer = Buffer.alloc(0);
  /** What comes is no piece, up to the next line end. */
  let isLost = false;
  let cancel: (() => void) | undefined;

  function line(bytes: Buffer): void {
    const [head, key, at, end] = /^([a-z0-9]{1,8}) (\d{1,3})\/(\d{1,3}) /.exec(bytes.toString("latin1", 0, 20)) ?? [];
    if (head === undefined || key === undefined) return;
    const last = Number(end);
    const found: Open | undefined = Number(at) === 0 ? { pieces: [], size: 0, last } : open.get(key);
    open.delete(key);
    if (!found || found.last !== last || found.pieces.length !== Number(at)) return;
    const piece = bytes.subarray(head.length);
    found.size += piece.length;
    if (found.size > MAX_MESSAGE) return;
    found.pieces.push(piece);
    if (found.pieces.length > last) return tell(Buffer.concat(found.pieces).toString());
    // Its bytes belong to a chunk that holds others' as well.
    found.pieces[found.pieces.length - 1] = Buffer.from(piece);
    open.set(key, found);
    for (const oldest of open.keys()) if (open.size > MAX_OPEN) open.delete(oldest);
    cancel ??= clock.after(KEEP_MS, clear);
  }

  function clear(): void {
    cancel?.();
    cancel = undefined;
    open.clear();
  }

  return {
    put(chunk) {
      let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END)) {
        if (!isLost && end < PIECE_BYTES) line(bytes.subarray(0, end));
        isLost = false;
        bytes = bytes.subarray(end + 1);
      }
      isLost ||= bytes.length >= PIECE_BYTES;
      rest = isLost ? Buffer.alloc(0) : Buffer.from(bytes);
    },
    clear,
  };
}
