/**
 * Hooks that can stand in for their harness's dialog while the person is away: only for who asks for them, since their entries allow a hook
 * to take a day. Once there, they stay until moth is taken out.
 */
import type { InstallOptions } from "../types.ts";
import type { Entry } from "./hook-table.ts";
import type { HookCommand } from "./launcher.ts";

/** What such a hook is called with beside the harness's id. */
export const HOLDS = "holds";

interface Spelling {
  commandOf(entry: Entry): Partial<Record<keyof HookCommand, unknown>> | undefined;
}

/** Whether one of a file's entries can hold. */
export function holds(hooks: Spelling, entries: readonly { value: unknown }[]): boolean {
  return entries.some(({ value }) => {
    const args: unknown = hooks.commandOf(value as Entry)?.args;
    return Array.isArray(args) && args.includes(HOLDS);
  });
}

/** The options by which a file's entries are right: with hooks that hold where there is one. */
export function asHeld(hooks: Spelling, options: InstallOptions, entries: readonly { value: unknown }[]): InstallOptions {
  return holds(hooks, entries) ? { ...options, answers: true } : options;
}
