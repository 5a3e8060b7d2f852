/** Seeded chance for property tests: the same seed gives the same case, on every machine. */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

export interface Dice {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** Some of them, in any order. */
  some<T>(from: readonly T[]): T[];
}

// mulberry32, public domain
function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: <T>(from: readonly [T, ...T[]]): T => from[below(from.length)] as T,
    some<T>(from: readonly T[]): T[] {
      const left = [...from];
      const taken: T[] = [];
      for (let count = below(from.length + 1); count > 0; count--) taken.push(...left.splice(below(left.length), 1));
      return taken;
    },
  };
}

type Note = (text: string) => void;

/**
 * Runs a check for `runs` cases, each with dice of its own. `MOTH_PROPERTY_SEED` and `MOTH_PROPERTY_RUNS` replace seed and count; a
 * failure names those that run the failed case alone, and shows what the check had noted.
 * @returns how many cases were run
 */
export function checkCases(runs: number, check: (dice: Dice, note: Note) => void): number {
  const all = seeds(runs);
  for (const seed of all) {
    const notes: string[] = [];
    try {
      check(diceOf(seed), (text) => notes.push(JSON.stringify(text)));
    } catch (error) {
      throw replayable(error, seed, notes);
    }
  }
  return all.length;
}

/** The same for checks that take their time: one case after the other. */
export async function checkCasesInTurn(runs: number, check: (dice: Dice, note: Note) => Promise<void>): Promise<void> {
  for (const seed of seeds(runs)) {
    const notes: string[] = [];
    try {
      await check(diceOf(seed), (text) => notes.push(text));
    } catch (error) {
      throw replayable(error, seed, notes);
    }
  }
}

/** As `expect(actual).toEqual(expected)`, for loops of ten thousand: it costs nothing where it holds. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

function seeds(runs: number): number[] {
  const { MOTH_PROPERTY_SEED, MOTH_PROPERTY_RUNS } = process.env;
  const first = Number(MOTH_PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  return Array.from({ length: Number(MOTH_PROPERTY_RUNS ?? runs) }, (_, index) => first + index);
}

function diceOf(seed: number): Dice {
  return createDice(Math.imul(seed, 0x9e3779b1));
}

function replayable(error: unknown, seed: number, notes: readonly string[]): Error {
  const how = `Run this case alone: MOTH_PROPERTY_SEED=${seed} MOTH_PROPERTY_RUNS=1`;
  return new Error([error instanceof Error ? error.message : String(error), ...notes, how].join("\n"), { cause: error });
}
