import type { Random } from "./random.ts";

/** Something that goes wrong, and what must hold all the same. */
export interface Fault {
  name: string;
  /** Why it cannot be tried here; undefined: it can. */
  lacks?(short: boolean): string | undefined;
  /** @returns how many of it there were, in words or as a number */
  run(trial: Trial): Promise<string | number>;
}

export interface Trial {
  short: boolean;
  random: Random;
  /** One thing that must hold; said as often as it is looked at, and true when it was every time. */
  claim(what: string, holds: boolean, seen?: unknown): void;
  /** Undone when the trial is over, however it ends, the last first. */
  after(undo: () => unknown): void;
}

export interface Result {
  name: string;
  count: string;
  /** What was claimed, each with what was seen when it did not hold. */
  claims: ReadonlyMap<string, readonly string[]>;
  seconds: number;
  skipped?: string;
}

/** Milliseconds one fault may take. */
const LONGEST = { short: 120_000, full: 1_800_000 };

/** Tries one fault to its end. Never rejects: what is thrown is a claim that did not hold. */
export async function attempt(fault: Fault, random: Random, short: boolean): Promise<Result> {
  const claims = new Map<string, string[]>();
  const undo: (() => unknown)[] = [];
  const began = performance.now();
  const claim: Trial["claim"] = (what, holds, seen) => {
    const against = claims.get(what) ?? [];
    claims.set(what, against);
    if (!holds) against.push(seen === undefined ? "" : typeof seen === "string" ? seen : JSON.stringify(seen));
  };
  let isOver = false;
  // One that was too late still goes on, and what it starts then is to end, too.
  const after: Trial["after"] = (fn) => void (isOver ? fn() : undo.push(fn));
  const ended = (count: string, skipped?: string): Result => ({
    name: fault.name,
    count,
    claims,
    seconds: (performance.now() - began) / 1000,
    ...(skipped !== undefined && { skipped }),
  });
  const skipped = fault.lacks?.(short);
  if (skipped !== undefined) return ended("", skipped);
  const limit = short ? LONGEST.short : LONGEST.full;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it was not over after ${limit / 1000} s`)), limit);
  });
  let count = "";
  try {
    const trial = { short, random, claim, after };
    count = String(await Promise.race([fault.run(trial), late]));
    if (claims.size === 0) claim("something was looked at", false);
  } catch (error) {
    claim("it comes to its end", false, error instanceof Error ? (error.stack ?? error.message) : error);
  } finally {
    clearTimeout(timer);
    isOver = true;
    for (const fn of undo.toReversed()) await fn();
  }
  return ended(count);
}
