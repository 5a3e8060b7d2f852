import { isAbsolute } from "node:path";
import {
  harnesses as registry,
  healthOf,
  type Detection,
  type Harness,
  type Health,
  type InstallOptions,
  notifiersIn,
} from "@moth-companion/harnesses";
import type { Env } from "@moth-companion/core/paths";
import { oneLine } from "@moth-companion/core/text";
import { runnable } from "./runnable.ts";
import { builtFile, commandName, hookProgram } from "./self.ts";

/** What is known of one harness on this machine. The shape of `moth hooks --json`, one per harness. */
export interface HookReport {
  id: string;
  name: string;
  found: boolean;
  version?: string;
  program?: string;
  /** Where its settings live. */
  configDir: string;
  /** Of moth's hook in it: `not-installed`, `installed`, `outdated`, `broken`, ... */
  status: string;
  /** Files moth is hooked in by. */
  where: string[];
  problem?: string;
  advice?: string;
  /** Milliseconds since 1970 at which moth last heard it; missing: never. */
  lastHeard?: number;
  /** Why moth was never run with it; missing: it was. */
  notVerified?: string;
  /** Other programs hooked into it that tell of turns, by name. */
  notifiers: string[];
  /** Environment variables, set here, that move its settings. */
  movedBy: string[];
}

/** Every harness moth knows, looked at now. @param options with a project: the hooks in that project instead of the person's */
export async function reportHooks(
  env: Env,
  options: InstallOptions = installOptions(env),
  harnesses: readonly Harness[] = registry,
): Promise<HookReport[]> {
  const { lastHeard } = await import("@moth-companion/server");
  const heard = lastHeard(env);
  const self = commandName(env);
  return Promise.all(
    harnesses.map(async (harness) => {
      const at = heard[harness.id];
      return {
        id: harness.id,
        name: harness.name,
        ...typable(await lookAt(harness, options), self),
        ...(at !== undefined && { lastHeard: at }),
        ...(harness.notVerified !== undefined && { notVerified: harness.notVerified }),
        notifiers: await notifiersOf(harness, options),
        movedBy: harness.movedBy.filter((name) => env[name] !== undefined),
      };
    }),
  );
}

/** One harness that cannot be looked at must not hide the others. */
async function lookAt(
  harness: Harness,
  options: InstallOptions,
): Promise<Detection & Omit<Health, "status"> & { status: string }> {
  try {
    const [detection, health] = await Promise.all([harness.detect(options.env), healthOf(harness, options)]);
    return { ...detection, ...health };
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error));
    return {
      found: false,
      configDir: "",
      status: "unknown",
      where: [],
      problem: `could not be looked at (${why})`,
      advice: "Please report this",
    };
  }
}

function typable<T extends Pick<Health, "problem" | "advice">>(health: T, self: string): T {
  const { problem, advice } = health;
  return {
    ...health,
    ...(problem !== undefined && { problem: runnable(problem, self) }),
    ...(advice !== undefined && { advice: runnable(advice, self) }),
  };
}

/** A courtesy: what cannot be read names none. */
async function notifiersOf(harness: Harness, options: InstallOptions): Promise<string[]> {
  return notifiersIn(await harness.strangers(options).catch(() => []));
}

/** What installers need to know of this installation. */
export function installOptions(env: Env): InstallOptions {
  return { env, hookProgram: hookProgram(), findPlugin: builtFile, node: process.execPath };
}

/** Whether moth's hook stands in the harness, in whatever health. */
export function isHooked(report: HookReport): boolean {
  return report.status !== "not-installed" && report.status !== "unknown";
}

/** Whether moth is in by the harness's own installer alone, at most to be trusted yet: then hooks would be one way too many. */
export function isByPlugin({ status, where }: HookReport): boolean {
  const works = ["installed", "waiting-for-trust", "modified"].includes(status);
  return works && where.length > 0 && !where.some((way) => isAbsolute(way));
}

/** The health in the person's words. */
export function healthWords(status: string): string {
  if (status === "installed") return "hooked";
  return status === "not-installed" ? "not hooked" : status.replaceAll("-", " ");
}

/** Who else tells of a harness's turns: with moth beside them the person is told more than once. */
export function notifierWords({ notifiers }: HookReport): string {
  const last = notifiers.at(-1) ?? "";
  const all = notifiers.length > 1 ? `${notifiers.slice(0, -1).join(", ")} and ${last} tell` : `${last} tells`;
  return `${all} of its turns, too.`;
}
