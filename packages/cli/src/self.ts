import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, delimiter, isAbsolute, join, relative } from "node:path";
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

/** This command as it was called; a test gives its own. */
interface Called {
  /** Where the person is. */
  folder?: string;
  /** This program's file. */
  bin?: string;
  /** The path it was started by. */
  by?: string | undefined;
}

/**
 * How the person calls this command, so that the next step can be copied: `moth` where a shell finds this very program by that name, `npx
 * moth` where npx does, in its checkout or the project it is installed in. Anywhere else npx would fetch a stranger's package of that
 * name, so there it is the whole path: of the link that it was called by, or of the program.
 */
export function commandName(env: Env, called: Called = {}): string {
  const { folder = folderOf(env), bin = binFile(), by = process.argv[1] } = called;
  const isByNpm = Boolean(env["npm_lifecycle_event"]) || env["npm_command"] === "exec";
  // By a link: what was called leads here. What does not is no way to call this, such as a program that runs it as a part.
  const link = !isByNpm && by !== undefined && basename(by) !== basename(bin) ? by : undefined;
  if (!isByNpm && (by === undefined || isInPath(env, bin) || (link !== undefined && !isLinkTo(link, bin)))) return "moth";
  const root = /^(.*?)[\\/](?:node_modules[\\/].*|packages[\\/]cli[\\/]bin[\\/]moth\.mjs)$/.exec(bin)?.[1];
  if (root !== undefined && !/^\.\.(?:[\\/]|$)/.test(relative(root, folder)) && !isAbsolute(relative(root, folder)))
    return "npx moth";
  return link === undefined ? `node ${quoted(bin)}` : quoted(link);
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\~-]+$/.test(path) ? path : `"${path}"`;
}

function isLinkTo(link: string, file: string): boolean {
  try {
    return realpathSync(link) === realpathSync(file);
  } catch {
    return false;
  }
}

let inPath: { path: string | undefined; bin: string; is: boolean } | undefined;

/** Whether a shell finds this program as `moth`: by a link, or by the small file that some package managers start it with. */
function isInPath({ PATH: path }: Env, bin: string): boolean {
  if (inPath?.path !== path || inPath?.bin !== bin) {
    const names = process.platform === "win32" ? ["moth.cmd", "moth"] : ["moth"];
    const files = (path ?? "").split(delimiter).flatMap((folder) => (folder ? names.map((name) => join(folder, name)) : []));
    const first = files.find((file) => existsSync(file));
    inPath = { path, bin, is: first !== undefined && leadsTo(first, bin) };
  }
  return inPath.is;
}

function leadsTo(file: string, bin: string): boolean {
  try {
    if (realpathSync(file) === realpathSync(bin)) return true;
    // It names the program by a way from where it lies itself: what that ends in tells enough.
    const end = bin.split(/[\\/]/).slice(-4).join("/");
    return statSync(file).size < 8192 && readFileSync(file, "utf8").replaceAll("\\", "/").includes(end);
  } catch {
    return false;
  }
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
