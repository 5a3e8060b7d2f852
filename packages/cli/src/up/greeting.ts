import { mothAddress } from "@moth-companion/core/config";
import { authority, type Env } from "@moth-companion/core/paths";
import type { RunningServer } from "@moth-companion/server";
import { type HookReport, healthWords, isHooked } from "../hook-report.ts";
import { renderPairs } from "../table.ts";

/** The harnesses found here, one a line. */
export function renderHarnesses(reports: readonly HookReport[], columns: number | undefined): string[] {
  const here = reports.filter((report) => report.found || isHooked(report));
  const pairs = here.map((report) => {
    const name = report.version ? `${report.name} ${report.version}` : report.name;
    return [name, report.found ? healthWords(report.status) : `${healthWords(report.status)}, but not found here`] as const;
  });
  return renderPairs(pairs, columns);
}

/** What to say when a flag moved moth where no adapter looks for it. */
export function reportElsewhere(server: Pick<RunningServer, "port" | "url">, env: Env): string[] {
  const looked = mothAddress(env);
  if (!looked || looked.port === server.port) return [];
  return [
    `moth: adapters and commands look for moth at http://${authority(looked)}, not here.`,
    `      To bring them here: moth config port ${server.port} (or MOTH_URL=${server.url} where they run)`,
  ];
}
