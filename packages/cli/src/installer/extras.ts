import type { Harness, HookExtra, InstallOptions } from "@moth-companion/harnesses";
import { Failure } from "../errors.ts";

const FLAGS: Readonly<Record<HookExtra, string>> = {
  profile: "--profile",
  trust: "--trust",
  legacy: "--legacy-notify",
  answers: "--answers",
};

export type Extras = Pick<InstallOptions, HookExtra>;

/**
 * What a harness gets of the extras that were asked for.
 * @param all every harness was meant: then one without an extra goes without it
 * @throws Failure when a harness that was named does not have it
 */
export function extrasOf({ id, name, extras = {} }: Harness, asked: Extras, all: boolean): Extras {
  const first = (Object.keys(asked) as HookExtra[]).find((extra) => extras[extra] !== true);
  if (first !== undefined && !all) {
    const why = extras[first];
    const reason = typeof why === "string" ? why : `${name} has nothing of the kind`;
    throw new Failure("USAGE", `${FLAGS[first]} is not for ${id}: ${reason}`, `Leave ${FLAGS[first]} out`);
  }
  return Object.fromEntries(Object.entries(asked).filter(([extra]) => extras[extra as HookExtra] === true));
}
