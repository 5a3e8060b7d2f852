import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installCli, type InstalledCli, npm } from "../src/clis.ts";

const WINDOWS = process.platform === "win32";
const EXE = WINDOWS ? ".exe" : "";

/** A program of the suite's own, pinned as the harnesses' are. */
async function program(id: string, path: string): Promise<string> {
  const found: InstalledCli = await installCli({ id, program: path });
  if (!found.ok) throw new Error(`${id} ${found.version}: ${found.reason}`);
  return found.program;
}

const bun = await program("bun", join("node_modules", ...(WINDOWS ? ["bun", "bin", "bun.exe"] : [".bin", "bun"])));

/** The words that start each package manager, and how it is asked to add a package to the folder it stands in. */
export const managers: Record<string, readonly [string, ...string[]]> = {
  npm: [...npm(), "install"],
  pnpm: [fileURLToPath(new URL(`../../node_modules/.bin/pnpm${EXE}`, import.meta.url)), "add"],
  bun: [bun, "add"],
};

/** Everything that can run moth's packages, from the oldest Node that all of them promise. */
export const runtimes: Record<string, string> = {
  "Node 20": await program("node-20", join("node_modules", "node", "bin", `node${EXE}`)),
  "Node 22": await program("node-22", join("node_modules", "node", "bin", `node${EXE}`)),
  [`Node ${process.versions.node.split(".")[0]}`]: process.execPath,
  Bun: bun,
};

/** TypeScript's compilers, a JavaScript file each, and by which rules they look for a package. The older one takes its time. */
export const compilers: Record<string, { tsc: string; resolutions: readonly string[] }> = {
  "TypeScript 5": {
    tsc: fileURLToPath(new URL("../node_modules/typescript-5/bin/tsc", import.meta.url)),
    resolutions: ["node16", "bundler"],
  },
  "TypeScript 7": {
    tsc: fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url)),
    resolutions: ["node16", "nodenext", "bundler"],
  },
};

/** How each package manager installs for all projects, where it puts programs in a home, and what moth has it do for a newer one. */
export const global: Record<string, { words: readonly string[]; folders: readonly string[]; typed: string }> = {
  npm: { words: [...npm(), "install", "--global"], folders: ["npm/bin"], typed: "npm install --global" },
  pnpm: {
    words: [managers["pnpm"]?.[0] ?? "", "add", "--global"],
    folders: ["pnpm/bin"],
    typed: "pnpm add --global",
  },
  bun: { words: [bun, "add", "--global"], folders: [".bun/bin"], typed: "bun add --global" },
};
