import { setTimeout as sleep } from "node:timers/promises";

export interface WaitOptions {
  /** Milliseconds, at most. Ends early when the condition holds, so it is generous: a busy machine is slow. */
  within?: number;
  /** What is known, for the error when the wait was in vain. */
  facts?: () => unknown;
}

/** Milliseconds to wait for anything; `MOTH_E2E_PATIENCE` for a machine that does other things as well. */
export const PATIENCE: number = Number(process.env["MOTH_E2E_PATIENCE"]) || 20_000;

/**
 * Waits until `look` gives something, and returns it.
 * @throws when it never did, with what was waited for and the facts
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  options: WaitOptions = {},
): Promise<T> {
  const within = options.within ?? PATIENCE;
  const end = Date.now() + within;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false && seen !== null) return seen;
    if (Date.now() > end) break;
    await sleep(20);
  }
  const facts = options.facts?.();
  throw new Error(`Waited ${within} ms in vain for ${what}.${facts === undefined ? "" : `\n${render(facts)}`}`);
}

function render(facts: unknown): string {
  if (typeof facts === "string") return facts;
  return Array.isArray(facts)
    ? facts.map((fact) => `  ${typeof fact === "string" ? fact : JSON.stringify(fact)}`).join("\n")
    : JSON.stringify(facts, null, 2);
}
