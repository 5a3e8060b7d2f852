import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** How this moth came onto the machine, and so how a newer one does. Paths are absolute. */
export type InstalledBy =
  | { way: "checkout"; root: string }
  | { way: "npm"; prefix: string }
  | { way: "pnpm" | "bun" | "npx" | "yarn" | "unknown" }
  /** A dependency of somebody's project. */
  | { way: "project"; root: string; manager: "npm" | "pnpm" | "bun" | "yarn" };

const LOCKFILES = [
  ["pnpm-lock.yaml", "pnpm"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["yarn.lock", "yarn"],
] as const;

/**
 * Told by where the program lies: package managers leave no other note.
 * @param bin the program's real path @param called the path it was started by, which may be a link
 */
export function installedBy(bin: string, called: string = bin): InstalledBy {
  const checkout = /^(.*)[\\/]packages[\\/]cli[\\/]bin[\\/]moth\.mjs$/.exec(bin)?.[1];
  if (checkout !== undefined && existsSync(join(checkout, "pnpm-workspace.yaml"))) return { way: "checkout", root: checkout };
  const paths = [called, bin];
  const is = (place: RegExp): boolean => paths.some((path) => place.test(path));
  if (is(/[\\/]_npx[\\/]/)) return { way: "npx" };
  // 12.21: `<home>/global/v11/<hash>/node_modules`, a link into its store; earlier: `<home>/global/5/node_modules`.
  if (is(/[\\/]global[\\/]v?\d+[\\/]/)) return { way: "pnpm" };
  if (is(/[\\/]install[\\/]global[\\/]node_modules[\\/]/)) return { way: "bun" };
  if (is(/[\\/]yarn[\\/](?:Data[\\/])?global[\\/]/i)) return { way: "yarn" };
  for (const path of paths) {
    const root = /^(.*?)[\\/]node_modules[\\/]/.exec(path)?.[1];
    if (root === undefined) continue;
    if (existsSync(join(root, "package.json"))) return { way: "project", root, manager: managerOf(root) };
    // On Windows there is no `lib` between.
    if (/[\\/]lib$/.test(root)) return { way: "npm", prefix: dirname(root) };
    if (existsSync(join(root, "moth.cmd"))) return { way: "npm", prefix: root };
  }
  return { way: "unknown" };
}

function managerOf(root: string): "npm" | "pnpm" | "bun" | "yarn" {
  return LOCKFILES.find(([file]) => existsSync(join(root, file)))?.[1] ?? "npm";
}
