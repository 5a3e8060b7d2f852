import { settingsHealth } from "../install/settings-health.ts";
import type { Health, InstallOptions } from "../types.ts";
import { settingsHooks } from "./install.ts";

export function health(options: InstallOptions): Promise<Health> {
  return Promise.resolve().then(() => settingsHealth(settingsHooks, options));
}
