import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { readLedger } from "./install/ledger.ts";
import { PlanError } from "./install/plan-error.ts";
import type { Harness, Health, InstallOptions } from "./types.ts";

/** How moth's hook in a harness is doing, also when nothing is left of it: then moth's notes tell that it was there. */
export async function healthOf(harness: Harness, options: InstallOptions): Promise<Health> {
  const health = await harness.health(options);
  if (health.status !== "not-installed") return health;
  const gone = notedFiles(harness, options);
  if (gone.length === 0) return { ...health, ...(await refusal(harness, options)) };
  return {
    ...health,
    status: "overwritten",
    problem: `moth's hooks are gone from ${gone.join(", ")}: another program wrote it anew, or somebody took them out.`,
    advice: `To have them back: moth hook ${harness.id}. To leave it so: moth unhook ${harness.id}`,
  };
}

/** What keeps moth from being hooked in, if anything does: it says where and what to do itself. */
async function refusal(harness: Harness, options: InstallOptions): Promise<Pick<Health, "problem">> {
  try {
    await harness.planHook(options);
    return {};
  } catch (error) {
    // That a harness has no settings of a project's is nothing wrong, and what else fails is no matter of its files.
    const isOfFiles = error instanceof PlanError && error.code !== "NO_PROJECT" && error.file !== options.hookProgram;
    return isOfFiles ? { problem: error.message } : {};
  }
}

/** Files moth was put into, in folders that are still there. */
function notedFiles({ id }: Harness, { env, project }: InstallOptions): string[] {
  return Object.entries(readLedger(env))
    .filter(([, note]) => note.harness.split(" ")[0] === id)
    .map(([file]) => file)
    .filter((file) => existsSync(dirname(file)) && (project === undefined || file.startsWith(join(project, sep))))
    .toSorted();
}
