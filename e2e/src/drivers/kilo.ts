import { join } from "node:path";
import type { HarnessDriver } from "../driver.ts";
import { openCodeLike, reject, rejectWith } from "./opencode.ts";

/**
 * Kilo CLI 7.7.7. A one-shot run asks its own server for the description of all its routes, to see whether it can be told to finish, and
 * making that takes 3 to 4 s of computing. Nothing turns it off.
 */
export const kilo: HarnessDriver = openCodeLike({
  id: "kilo",
  // The program itself rather than its launcher, whose end would not be the program's.
  program: join("node_modules", "@kilocode", "cli", "bin", ".kilo"),
  name: "kilo",
  prefix: "KILO",
  companion: ["@kilocode/plugin", "7.7.7"],
  inOrder: ".bash-permission-migrated",
  env: {
    KILO_TELEMETRY_LEVEL: "off",
    KILO_DISABLE_SESSION_INGEST: "1",
    KILO_DISABLE_PRESENCE: "1",
    KILO_DISABLE_SHARE: "1",
    KILO_DISABLE_CODEBASE_INDEXING: "1",
  },
  deny: reject,
  denyWith: rejectWith,
  notApplicable: { plan: "its model cannot ask for a plan to be approved" },
});
