import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The file in `dist` that names whose code a build took in, with their licences: whoever gets the code gets these too. */
export const LICENSES = "THIRD_PARTY_LICENSES";

/** Folders of the packages of others among the files that a build took in. @param files with `/` or `\` between folders */
export function foreignFolders(files: readonly string[]): string[] {
  const folders = files.flatMap((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(file)?.[0] ?? []);
  return [...new Set(folders)];
}

/** Their names, versions and licences, in one text. @throws when a package says no licence, or comes without its text */
export function licensesText(folders: readonly string[]): string {
  const parts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (typeof license !== "string" || file === undefined) throw new Error(`${String(name)} comes without a licence`);
    return `${String(name)} ${String(version)} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  });
  return parts.toSorted().join(`\n\n${"-".repeat(80)}\n\n`);
}
