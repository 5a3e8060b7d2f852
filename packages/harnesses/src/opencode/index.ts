import type { Harness } from "../types.ts";
import { detect } from "./detect.ts";
import { launch } from "./launch.ts";
import { OPENCODE, type Variant } from "./variant.ts";

/** The harness of a variant. */
export function openCodeLike(variant: Variant): Harness {
  return {
    id: variant.id,
    name: variant.name,
    short: variant.id,
    program: variant.program,
    movedBy: [`${variant.prefix}_CONFIG_DIR`, "XDG_CONFIG_HOME"],
    detect: (env) => detect(env, variant),
    launch,
    // Only when asked for: the server holds this registry too, and edits nothing.
    health: async (options) => (await import("./install.ts")).health(options, variant),
    planHook: async (options) => (await import("./install.ts")).planHook(options, variant),
    planUnhook: async (options) => (await import("./install.ts")).planUnhook(options, variant),
    strangers: async (options) => (await import("./strangers.ts")).strangers(options, variant),
  };
}

export const openCode: Harness = openCodeLike(OPENCODE);
