import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import { inject } from "vitest";
import { inherited, run } from "../src/processes.ts";
import { MARK, worldPrefix } from "../src/leftovers.ts";
import { npm } from "../src/clis.ts";
import { startRegistry } from "./registry.ts";
import { packForeign, packOwn, type Tarball } from "./tarballs.ts";

/** What is shipped: every package packed, in a registry on this machine, and moth installed from there. */
export interface Shipped {
  own: readonly Tarball[];
  foreign: readonly Tarball[];
  npmrc: string;
  /** The `moth` command as npm installed it. */
  command: string;
}

declare module "vitest" {
  interface ProvidedContext {
    shipped: Shipped;
  }
}

export function shipped(): Shipped {
  return inject("shipped");
}

/** The packed package of this name. */
export function tarball(name: string): Tarball {
  const found = shipped().own.find(({ manifest }) => manifest.name === name);
  if (!found) throw new Error(`${name} was not packed.`);
  return found;
}

/** Packs once for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), `${worldPrefix(process.env[MARK] ?? "by hand")}packed `)));
  const at = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const [own, foreign] = await Promise.all([packOwn(at("own")), packForeign(at("foreign"))]);
  const registry = await startRegistry([...own, ...foreign]);
  const installed = at("installed");
  writeFileSync(join(installed, ".npmrc"), registry.npmrc);
  writeFileSync(join(installed, "package.json"), "{}");
  const [program, ...first] = npm();
  const env = { ...inherited(), HOME: installed, USERPROFILE: installed };
  const done = await run(program, [...first, "install", "moth-companion"], { cwd: installed, env });
  const command = join(installed, "node_modules", "moth-companion", "bin", "moth.mjs");
  if (done.code !== 0 || !existsSync(dirname(command))) throw new Error(`npm install moth-companion:\n${done.stderr}`);
  project.provide("shipped", { own, foreign, npmrc: registry.npmrc, command });
  return async () => {
    await registry.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}
