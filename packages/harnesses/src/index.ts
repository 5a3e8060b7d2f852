export { healthOf } from "./health.ts";
export { applyPlan } from "./install/apply.ts";
export { findProgram } from "./install/find-program.ts";
export { launcherFile, launcherNode } from "./install/launcher.ts";
export { makePlan } from "./install/make-plan.ts";
export { PlanError, type PlanErrorCode } from "./install/plan-error.ts";
export { notifiersIn } from "./notifiers.ts";
export { findHarness, harnesses } from "./registry.ts";
export {
  type Applied,
  type Detection,
  type Door,
  type DoorHost,
  type FileChange,
  type Harness,
  type Health,
  HEALTHS,
  type HookContext,
  type HookExtra,
  type InstallOptions,
  type Launch,
  type Plan,
  type ReadPayload,
  type Report,
  type RequestAnswer,
  type StartDoor,
  type StartWatch,
  type Taken,
  type WatchedSession,
  type WatchHost,
} from "./types.ts";
