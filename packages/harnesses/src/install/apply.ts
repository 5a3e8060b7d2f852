import type { Env } from "@moth-companion/core/paths";
import type { Applied, Plan } from "../types.ts";

/** Carries a plan out. */
export function applyPlan(_plan: Plan, _env: Env = process.env): Promise<Applied> {
  return Promise.resolve({ changed: [] });
}
