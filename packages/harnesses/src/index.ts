export { healthOf } from "./health.ts";
export { applyPlan } from "./install/apply.ts";
export { launcherFile, launcherNode } from "./install/launcher.ts";
export { PlanError, type PlanErrorCode } from "./install/plan-error.ts";
export { notifiersIn } from "./notifiers.ts";
export { findHarness, harnesses } from "./registry.ts";
export {
  type Applied,
  type Detection,
  type FileChange,
  type Harness,
  type Health,
  HEALTHS,
  type HookContext,
  type HookExtra,
  type InstallOptions,
  type Plan,
  type ReadPayload,
  type Report,
  type RequestAnswer,
  type StartWatch,
  type WatchedSession,
  type WatchHost,
} from "./types.ts";
