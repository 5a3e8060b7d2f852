import { type Env } from "@moth-companion/core/paths";
import { isKnown, lookAtAutostart } from "../autostart/autostart.ts";
import { thisMoth } from "../autostart/this-moth.ts";
import { Failure } from "../errors.ts";
import { bad, type Check, ok } from "./check.ts";

/** Where the person turned it on: whether it starts this moth. */
export function checkAutostart(env: Env): Check[] {
  if (!isKnown(process.platform)) return [];
  try {
    const { status, way, problem } = lookAtAutostart(thisMoth(env));
    if (status === "outdated")
      return [bad("warn", "autostart", `moth's start at login: ${problem}`, "Renew it: moth autostart on")];
    if (status === "foreign") return [ok("autostart", `${problem}; moth leaves it alone`)];
    const said = status === "on" ? `started at each login by ${way.name} (${way.file})` : "not started at login";
    return [ok("autostart", `moth is ${said}`)];
  } catch (error) {
    if (error instanceof Failure) return [bad("warn", "autostart", error.message, error.next ?? "")];
    throw error;
  }
}
