import { harnesses as registry, type Harness, type InstallOptions } from "@moth-companion/harnesses";
import type { Env } from "@moth-companion/core/paths";
import { builtFile, hookProgram } from "./self.ts";

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
}

/** Every harness moth knows, looked at now. */
export async function reportHooks(env: Env, harnesses: readonly Harness[] = registry): Promise<HookReport[]> {
  const options = installOptions(env);
  const { lastHeard } = await import("@moth-companion/server");
  const heard = lastHeard(env);
  return Promise.all(
    harnesses.map(async (harness) => {
      const [detection, health] = await Promise.all([harness.detect(env), harness.health(options)]);
      const at = heard[harness.id];
      return { id: harness.id, name: harness.name, ...detection, ...health, ...(at !== undefined && { lastHeard: at }) };
    }),
  );
}

/** What installers need to know of this installation. */
export function installOptions(env: Env): InstallOptions {
  return { env, hookProgram: hookProgram(), findPlugin: builtFile, node: process.execPath };
}

/** Whether moth's hook stands in the harness, in whatever health. */
export function isHooked(report: HookReport): boolean {
  return report.status !== "not-installed";
}

/** The health in the person's words. */
export function healthWords(status: string): string {
  if (status === "installed") return "hooked";
  return status === "not-installed" ? "not hooked" : status.replaceAll("-", " ");
}
