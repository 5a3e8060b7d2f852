import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LABEL } from "../src/world.ts";

/** What lies in a home beside settings: the person's work, moth's own folder, what was downloaded. */
const ELSEWHERE = new Set(["work", "other work", "tmp", "downloaded", ".moth"]);
/** What package managers keep of all they ever fetched. */
const STORES = [".npm/", ".bun/", ".cache/", ".local/share/pnpm/"];
const LARGE = 4 * 1024 * 1024;

/**
 * Every file of a home in whose path or text moth is named, by its path there, with the words around it.
 * @param but paths that do not count, or of a path's text what does not
 */
export function tracesIn(home: string, but: readonly { path: RegExp; text?: RegExp }[] = []): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(home.length + 1).replaceAll("\\", "/");
    if (!entry.isFile() || ELSEWHERE.has(path.split("/")[0] ?? "") || STORES.some((store) => path.startsWith(store))) continue;
    const known = but.filter((one) => one.path.test(path));
    if (known.some(({ text }) => text === undefined)) continue;
    // Of other people's packages their names are enough.
    const isForeign = /\/node_modules\/[^.]/.test(path);
    const whole = isForeign ? "" : readFileSync(file).subarray(0, LARGE).toString("latin1").replaceAll(home, "");
    const text = known.reduce((left, one) => left.replaceAll(one.text ?? "", ""), whole);
    const named = naming(path) ?? naming(text);
    if (named !== undefined) found.push(`${path}: ${named}`);
  }
  return found.toSorted();
}

/** Where a text tells of moth: not of the folders of this world, whatever a harness makes of their names. */
function naming(text: string): string | undefined {
  const own = new RegExp(`moth.{1,5}(?:e2e|${LABEL.split(" ")[1]})`, "gi");
  return /.{0,40}(?<![a-z])moth(?![a-z]).{0,40}/i.exec(text.replaceAll(own, ""))?.[0];
}
