import { mothAddress } from "@moth-companion/core/config";
import type { Env } from "@moth-companion/core/paths";
import { commandName } from "../self.ts";
import type { Settings } from "../settings.ts";
import { reachedAt, urlOf } from "./running.ts";

/** How the person reaches one moth. */
interface Ways {
  /** moth's command so that it asks this one; undefined where that is more than one line to type. */
  self: string | undefined;
  /** Ends this one, and no other. */
  stop: string;
}

/** The commands for a moth with these settings. Where a flag put it elsewhere than moth is looked for, bare ones would reach another. */
export function waysTo(settings: Settings, env: Env, platform: NodeJS.Platform = process.platform): Ways {
  const self = commandName(env);
  const [at, looked] = [reachedAt(settings), mothAddress(env)];
  const isLookedFor = looked?.port === at.port && (looked.host === "localhost" ? "127.0.0.1" : looked.host) === at.host;
  if (isLookedFor) return { self, stop: `${self} stop` };
  return {
    // The shells of Windows have no variable for one command.
    self: platform === "win32" ? undefined : `MOTH_URL=${urlOf(settings)} ${self}`,
    stop: `${self} stop --port ${at.port}`,
  };
}

/** What the person can do next with it. */
export function nextWays({ self, stop }: Ways): string {
  return self === undefined ? `To stop it: ${stop}` : `Next: ${self} tail, or ${stop}`;
}
