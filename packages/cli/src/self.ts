import { createRequire } from "node:module";
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Env } from "@moth-companion/core/paths";
import { Failure } from "./errors.ts";

const require = createRequire(import.meta.url);

/** This program's version. */
export function version(): string {
  return (require("../package.json") as { version: string }).version;
}

/** The program to start moth's command anew with. */
export function binFile(): string {
  return fileURLToPath(new URL("../bin/moth.mjs", import.meta.url));
}

/**
 * How the person calls this command, so that the next step can be copied: `npx moth` where npx finds this very program, in its checkout
 * or the project it is installed in. Anywhere else npx would fetch a stranger's package of that name, so there it is the whole path.
 * @param folder where the person is @param bin this program
 */
export function commandName(env: Env, folder: string = folderOf(env), bin: string = binFile()): string {
  if (!env["npm_lifecycle_event"] && env["npm_command"] !== "exec") return "moth";
  const root = /^(.*?)[\\/](?:node_modules[\\/].*|packages[\\/]cli[\\/]bin[\\/]moth\.mjs)$/.exec(bin)?.[1];
  if (root !== undefined && !/^\.\.(?:[\\/]|$)/.test(relative(root, folder)) && !isAbsolute(relative(root, folder)))
    return "npx moth";
  return `node ${/^[\w@%+=:,./\\~-]+$/.test(bin) ? bin : `"${bin}"`}`;
}

/** `npm run` moves to the package's folder and leaves the person's in a variable; `npx` stays. */
function folderOf(env: Env): string {
  const before = env["npm_command"] === "exec" ? undefined : env["INIT_CWD"];
  try {
    return before || process.cwd();
  } catch {
    // A folder that was removed: no checkout is in it.
    return "/";
  }
}

/** The built hook program that `moth hook` copies to moth's folder. */
export function hookProgram(): string {
  return builtFile("@moth-companion/hook/moth-hook.cjs");
}

/** A built file of one of moth's packages, by `package/file`. @throws Failure FILE when it is missing */
export function builtFile(specifier: string): string {
  try {
    return require.resolve(specifier);
  } catch (error) {
    throw new Failure(
      "FILE",
      `a part of moth (${specifier}) is missing from this installation`,
      "Reinstall moth-companion; in a checkout run: npm run build",
      error,
    );
  }
}
