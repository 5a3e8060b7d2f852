/** `docs/performance.md`, as the last whole run wrote it. */
import { readFileSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { findChromium } from "../../packages/server/test/page/find-chromium.ts";
import type { Figure } from "./figure.ts";
import { findPython, versionOf } from "./posters.ts";
import { root } from "./processes.ts";
import { markdownTable } from "./table.ts";

export interface Measured {
  title: string;
  figures: Figure[];
}

/** Writes the page. @param seconds how long the run took */
export function writeDocument(measured: readonly Measured[], seconds: number, now: Date): string {
  const file = join(root, "docs", "performance.md");
  writeFileSync(
    file,
    documentOf(measured, { ...machine(), took: `${Math.round(seconds / 60)} minutes`, day: now.toISOString().slice(0, 10) }),
  );
  return file;
}

export interface Machine {
  hardware: string;
  versions: string;
}

/** The page's text. Its last part, what was tried, is kept by hand in `bench/tried.md`. */
export function documentOf(
  measured: readonly Measured[],
  { hardware, versions, took, day }: Machine & { took: string; day: string },
): string {
  const all = measured.flatMap(({ figures }) => figures);
  const missed = all.filter(({ ok }) => !ok).length;
  const judged = all.filter(({ goal }) => goal !== "").length;
  return `# What moth costs

Written by \`npm run bench -- --write\` on ${day}, in ${took}; not by hand. ${judged - missed} of ${judged} goals were met${missed > 0 ? `, ${missed} missed` : ""}.

- Machine: ${hardware}
- Versions: ${versions}

Each figure is the median of several runs, measured in turns with what stands beside it, on the same machine in the same run; "least to most" are its runs, of what the goal
is about. What each one is, and beside what, says \`bench/README.md\`. Measure your own machine: \`npm run bench\`, or a part of it: \`npm run bench -- hook\`.

${measured.map(({ title, figures }) => `## ${title}\n\n${markdownTable(figures)}\n`).join("\n")}
${readFileSync(join(root, "bench", "tried.md"), "utf8").trim()}
`;
}

function machine(): Machine {
  const { version } = JSON.parse(readFileSync(join(root, "packages", "cli", "package.json"), "utf8")) as { version: string };
  const chromium = findChromium();
  const python = findPython();
  const gigabytes = Math.round(totalmem() / 1e9);
  const versions = [
    `moth ${version}`,
    `Node ${process.versions.node}`,
    python === undefined ? undefined : versionOf(python),
    versionOf("curl")?.split(" ").slice(0, 2).join(" "),
    chromium === undefined ? undefined : versionOf(chromium)?.split(" ").slice(0, 2).join(" "),
  ];
  return {
    hardware: `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, ${gigabytes} GB; ${type()} ${release()} ${arch()}`,
    versions: versions.filter((one) => one !== undefined).join(", "),
  };
}
