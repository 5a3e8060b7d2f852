/** Seeded chance for property tests: the same seed gives the same case, on every machine. */

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
export function createDice(seed: number): Dice {
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

/**
 * Runs a check for `runs` cases, each with dice of its own. `MOTH_PROPERTY_SEED` and `MOTH_PROPERTY_RUNS` replace seed and count; a
 * failure names those that run the failed case alone, and shows what the check had noted.
 */
export function checkCases(runs: number, check: (dice: Dice, note: (text: string) => void) => void): void {
  const { MOTH_PROPERTY_SEED, MOTH_PROPERTY_RUNS } = process.env;
  const first = Number(MOTH_PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const count = Number(MOTH_PROPERTY_RUNS ?? runs);
  for (let seed = first; seed < first + count; seed++) {
    const notes: string[] = [];
    try {
      check(createDice(Math.imul(seed, 0x9e3779b1)), (text) => notes.push(JSON.stringify(text)));
    } catch (error) {
      const how = `Run this case alone: MOTH_PROPERTY_SEED=${seed} MOTH_PROPERTY_RUNS=1`;
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${notes.join("\n")}\n${how}`, { cause: error });
    }
  }
}
