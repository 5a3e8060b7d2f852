import { openCodeLike } from "../opencode/index.ts";
import type { Variant } from "../opencode/variant.ts";
import type { Harness } from "../types.ts";

/** Kilo CLI 7.7.7. It reads none of OpenCode's folders. */
export const KILO: Variant = {
  id: "kilo",
  name: "Kilo",
  program: "kilo",
  package: "@kilocode/cli",
  folder: "kilo",
  dotFolders: [".kilo", ".kilocode"],
  prefix: "KILO",
};

export const kilo: Harness = openCodeLike(KILO);
