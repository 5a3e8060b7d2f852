import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readLedger } from "../install/ledger.ts";
import { PlanError } from "../install/plan-error.ts";
import { builtFile, isOurs } from "../install/plugin-file.ts";
import { readBytes, readTextFile } from "../install/text-file.ts";
import { readRows, wantedRow } from "../install/yaml-rows.ts";
import type { Health, InstallOptions } from "../types.ts";
import { dshHome } from "./detect.ts";
import { mark, places } from "./install.ts";

const AGAIN = "moth hook dsh";

export function health(options: InstallOptions): Health {
  const { patches } = places(options);
  try {
    return look(options);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    const hooked = readLedger(options.env)[patches.file] !== undefined;
    return { status: hooked ? "broken" : "not-installed", where: hooked ? [patches.file] : [], problem: error.message };
  }
}

function look(options: InstallOptions): Health {
  const { plugin, patches } = places(options);
  const bundled = bundles(options);
  const row = readRows(readTextFile(patches.file)?.text ?? "", patches)[0] as Record<string, unknown> | undefined;
  const bytes = readBytes(plugin.file);
  if (bytes && !isOurs(bytes, plugin)) {
    const problem = `${plugin.file} is another program's, where moth's plugin belongs.`;
    return { status: "overwritten", where: bundled, problem, advice: `Give that file another name, then: ${AGAIN}` };
  }
  if (!row && !bytes) return { status: bundled.length > 0 ? "installed" : "not-installed", where: bundled };
  // A bundle's row and this one have the same id: dsh makes one of them.
  const where = [...(row ? [patches.file] : []), ...(bytes ? [plugin.file] : []), ...bundled];
  if (!bytes)
    return {
      status: "broken",
      where,
      problem: `${plugin.file} is missing: dsh starts, and is not heard.`,
      advice: `To have it back: ${AGAIN}`,
    };
  if (!row)
    return { status: "broken", where, problem: `moth's row is missing in ${patches.file}.`, advice: `To have it back: ${AGAIN}` };
  if (row["disabled"] === true)
    return {
      status: "disabled",
      where,
      problem: `moth's row in ${patches.file} is disabled.`,
      advice: `To switch it on: ${AGAIN}`,
    };
  const wrong = !isDeepStrictEqual(row, wantedRow(patches)) || !bytes.equals(builtFile(options, plugin));
  if (wrong && readLedger(options.env)[patches.file]?.wrote === mark(options))
    return {
      status: "modified",
      where,
      problem: "moth's plugin or its row is not as moth wrote it.",
      advice: `To have moth's own back: ${AGAIN}`,
    };
  if (wrong)
    return {
      status: "outdated",
      where,
      problem: "moth's plugin or its row is of another version.",
      advice: `To have this one: ${AGAIN}`,
    };
  return { status: "installed", where };
}

/** Profiles that have moth as a bundle, as `dsh plugin --profile <name> add @moth-companion/dsh` leaves it (0.1.0-rc.8). */
function bundles({ env }: InstallOptions): string[] {
  const profiles = join(dshHome(env), "profiles");
  if (!existsSync(profiles)) return [];
  const manifests = readdirSync(profiles).map((name) => join(profiles, name, "package.json"));
  return manifests.filter((file) => {
    try {
      const { dsh } = JSON.parse(readBytes(file)?.toString("utf8") ?? "{}") as { dsh?: { profile?: { bundles?: unknown } } };
      return Array.isArray(dsh?.profile?.bundles) && dsh.profile.bundles.includes("@moth-companion/dsh");
    } catch {
      return false;
    }
  });
}
