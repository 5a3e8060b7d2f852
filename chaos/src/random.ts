/** Chance that can be played again: the same seed gives the same numbers. */
export interface Random {
  /** From 0 up to, but not, 1. */
  next(): number;
  /** A whole number from `min` to `max`, both of them possible. */
  int(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
  bytes(length: number): Buffer;
}

/** Mulberry32, begun anew for each name, so that a fault tried alone meets the same chance as among the others. */
export function createRandom(seed: number, name: string): Random {
  let state = Buffer.from(name).reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193), seed ^ 0x811c9dc5) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick: (from) => from[int(0, from.length - 1)]!,
    oneIn: (n) => int(1, n) === 1,
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(0, 255))),
  };
}
