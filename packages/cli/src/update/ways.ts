import { type Env, userHome } from "@moth-companion/core/paths";
import type { InstalledBy } from "./installed-by.ts";
import { outputOf, typed, type Words } from "./program.ts";

/** How this moth becomes the newest. */
export type Way =
  /** By these, one after the other, in this folder. */
  | { steps: readonly Words[]; cwd: string }
  /** By the person: moth does not know enough, or it is not moth's to do. */
  | { told: string; why: string };

/**
 * @param newest the version that is wanted. By its number: a package manager may have kept for a while what `latest` was before
 * (pnpm 12.21 does).
 */
export async function wayOf(installed: InstalledBy, newest: string, env: Env): Promise<Way> {
  const spec = `moth-companion@${newest}`;
  const cwd = userHome(env);
  switch (installed.way) {
    case "checkout":
      return {
        cwd: installed.root,
        steps: [
          ["git", "pull", "--ff-only"],
          ["npm", "run", "setup"],
          ["npm", "run", "build"],
        ],
      };
    case "npm":
      return { cwd, steps: [["npm", "install", "--global", ...(await prefixArgs(installed.prefix, cwd, env)), spec]] };
    case "pnpm":
      return { cwd, steps: [["pnpm", "add", "--global", spec]] };
    case "bun":
      return { cwd, steps: [["bun", "add", "--global", spec]] };
    case "yarn":
      return { why: "this moth was installed by yarn", told: `yarn global add ${spec}` };
    case "npx":
      return { why: "npx keeps this moth for as long as it likes", told: `npx ${spec}` };
    case "project": {
      const verb = installed.manager === "npm" ? "install" : "add";
      const words: Words = [installed.manager, verb, spec];
      return { why: `this moth is a dependency of ${installed.root}`, told: `${typed(words)} there` };
    }
    default:
      return { why: "moth does not know how it was installed", told: `npm install --global ${spec}` };
  }
}

/** The npm on PATH may be set to another place than the one that installed this moth. */
async function prefixArgs(prefix: string, cwd: string, env: Env): Promise<readonly string[]> {
  const { out } = await outputOf(["npm", "prefix", "--global"], { cwd, env });
  return out.trim() === prefix ? [] : ["--prefix", prefix];
}
