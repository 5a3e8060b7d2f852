/** A harness's plan as it may be carried out: it says which files lie behind links, and none of a project's may lie outside it. */
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { type Env, mothHome, userHome } from "@moth-companion/core/paths";
import type { FileChange, Harness, InstallOptions, Plan } from "../types.ts";
import { readLedger } from "./ledger.ts";
import { PlanError } from "./plan-error.ts";
import { followLinks, realFolder } from "./text-file.ts";

/**
 * A repository may be somebody else's, and so may a link in it be, by which moth would write into a file of the person's, and lay a copy
 * of that where it is published.
 * @throws PlanError LEADS_OUT for such a link of the project's; whatever else planning throws
 */
export async function makePlan(harness: Harness, action: Plan["action"], options: InstallOptions): Promise<Plan> {
  return await checked(options, async () =>
    action === "hook" ? await harness.planHook(options) : await harness.planUnhook(options),
  );
}

async function checked(options: InstallOptions, make: () => Promise<Plan>): Promise<Plan> {
  const { env, project } = options;
  try {
    const plan = await make();
    for (const { file } of plan.changes) {
      // What an older moth put there through a link, this one takes out again.
      if (plan.action === "hook" || !readLedger(env)[file]) requireWithin(env, project, file);
    }
    const changes = plan.changes.map((change) => withReal(change, project ?? userHome(env)));
    return { ...plan, changes, again: async () => await checked(options, async () => await plan.again()) };
  } catch (error) {
    // What is wrong with a file out there is of no concern here.
    if (error instanceof PlanError) requireWithin(env, project, error.file);
    throw error;
  }
}

function requireWithin(env: Env, project: string | undefined, file: string): void {
  if (project === undefined || !isIn(project, file)) return;
  // Somebody may hook their whole home as a project.
  if (isIn(mothHome(env), file) && !isIn(mothHome(env), project)) return;
  const target = followLinks(file);
  if (isIn(realFolder(project), target)) return;
  const message = `${file} leads out of the project, to ${target}, so moth leaves it alone.`;
  const advice = "Put a file or folder of the project's own in the link's place, or hook moth in where that file belongs.";
  throw new PlanError("LEADS_OUT", `${message} ${advice}`, { file });
}

/** @param base the folder that is looked at from within: what leads there is no news */
function withReal(change: FileChange, base: string): FileChange {
  if (change.own) return change;
  const root = isIn(base, change.file) ? base : dirname(change.file);
  const real = followLinks(change.file);
  return real === join(realFolder(root), relative(root, change.file)) ? change : { ...change, real };
}

function isIn(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
