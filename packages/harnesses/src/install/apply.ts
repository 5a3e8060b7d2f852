import { rmdirSync, statSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "@moth-companion/core/folder";
import type { Env } from "@moth-companion/core/paths";
import type { Applied, FileChange, Plan } from "../types.ts";
import { copiesOf, dropCopies, keepCopy } from "./backup.ts";
import { sweepLeftovers } from "./leftovers.ts";
import { locked } from "./lock.ts";
import { PlanError } from "./plan-error.ts";
import { followLinks, readBytes } from "./text-file.ts";
import { writeAtomic, writeInPlace } from "./write-atomic.ts";

/** How often a plan is made anew because its files changed under it. */
const ATTEMPTS = 5;

/**
 * Carries a plan out, alone among installers. A file of somebody else's is copied aside first and replaced in one step, through
 * links and with its modes; one that has several names (hard links) is written in its place, so that they stay one file. One that is
 * what it was before moth came loses its copies again. When a file changed since the plan was made, the same is planned again for what
 * stands there now.
 * @throws PlanError ACCESS or BUSY. Changes made before it stay; moth's own files come first, so no hook points at nothing.
 */
export async function applyPlan(plan: Plan, env: Env = process.env): Promise<Applied> {
  if (plan.changes.length === 0) return { changed: [] };
  return await locked(env, async () => {
    let current = plan;
    for (let attempt = 0; !isCurrent(current); attempt++) {
      if (attempt === ATTEMPTS) {
        const file = current.changes[0]?.file ?? "";
        throw new PlanError("BUSY", `${file} keeps changing. Close the program that writes it and try again.`, { file });
      }
      current = await current.again();
    }
    sweepLeftovers(current, env);
    const changed: Applied["changed"] = [];
    for (const change of current.changes) changed.push(applyChange(change, current.action));
    for (const folder of current.folders ?? []) removeIfEmpty(folder);
    return { changed };
  });
}

function isCurrent(plan: Plan): boolean {
  return plan.changes.every(({ file, before }) => {
    const now = readBytes(file);
    return before && now ? before.equals(now) : before === now;
  });
}

function applyChange(
  { file, before, after, mode, own, summary }: FileChange,
  action: Plan["action"],
): Applied["changed"][number] {
  try {
    const target = followLinks(file);
    const backup = before && !own ? keepCopy(target, before) : undefined;
    if (after) {
      makeFolder(dirname(target), own ? 0o700 : undefined);
      if (before && !own && statSync(target).nlink > 1) writeInPlace(target, after);
      else writeAtomic(target, after, before && !own ? undefined : mode);
    } else {
      unlinkSync(target);
    }
    if (backup === undefined) return { file, summary };
    // As it was before moth came: nothing is in its copies, and in one of it with moth's hooks, that is not in the file.
    const same = action === "unhook" && after ? [...new Set([...copiesOf(target, after), ...copiesOf(file, after)])] : [];
    if (same.length === 0) return { file, summary, backup };
    dropCopies([...same, backup]);
    return { file, summary, isAsBefore: true };
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new PlanError("ACCESS", `${file} cannot be written (${code}). Check who owns it and its folder.`, { file, cause });
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something else lives there now.
  }
}
