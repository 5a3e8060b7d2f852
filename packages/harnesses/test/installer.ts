/** A harness's hooks put in and taken out again, in the home that a test has at the time. */
import { applyPlan } from "../src/install/apply.ts";
import type { Applied, Harness, InstallOptions } from "../src/types.ts";
import type { TestHome } from "./test-home.ts";

type Change = (options?: InstallOptions) => Promise<Applied>;

export function installer(
  { planHook, planUnhook }: Pick<Harness, "planHook" | "planUnhook">,
  home: () => TestHome,
): { hook: Change; unhook: Change } {
  return {
    hook: async (options = home().options) => applyPlan(await planHook(options), options.env),
    unhook: async (options = home().options) => applyPlan(await planUnhook(options), options.env),
  };
}
