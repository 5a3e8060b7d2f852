/** What of moth's others could read or change, and what stands in moth's folder that is none of moth's. */
import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readdirSync, rmdirSync, type Stats } from "node:fs";
import { join, relative } from "node:path";
import { configFile, type Env, mothHome, tokenFile } from "@moth-companion/core/paths";
import { bad, type Check, ok } from "./check.ts";

/** What moth makes a folder of; the rest are files, or the pipe. */
const FOLDERS = new Set(["", "run", "bin", "lib", "home", "run/waits", "run/notes", "run/compiled"]);
const FILES = /^(?:token|config\.json|hooks\.json|run\/[^/]+\.(?:json|log)|(?:bin|lib)\/[^/]+)$/;
const PIPE = /^run\/\d{1,5}\.in$/;
/** Folders within folders within moth's; in `home` a model may make some. */
const DEPTH = 4;
const MOST = 5000;

interface Found {
  path: string;
  /** Within moth's folder; the path itself where the person keeps it elsewhere. */
  name: string;
  stats: Stats;
}

/** A mode that lets others in, and what it should be. */
interface Loose {
  path: string;
  from: number;
  to: number;
}

/** @returns a check for each thing that is wrong, besides what other checks look at; or that all is well */
export function checkFiles(env: Env): Check[] {
  const elsewhere = new Set([mothHome(env), tokenFile(env), join(mothHome(env), "home")]);
  const found = everything(env).filter(({ path }) => !elsewhere.has(path));
  const wrong = found.map(wrongWith).filter((check) => check !== undefined);
  return wrong.length > 0 ? wrong : [ok("files", "nobody else can read or change what is in moth's folder")];
}

/** Takes from others what they could do with what is the person's own. @returns what was mended, and what could not be */
export function closeToOthers(env: Env): Check[] {
  // The folder first: who could put something else in a file's place cannot any more.
  return everything(env).flatMap((found) => {
    if (isMisplaced(found) && found.stats.isDirectory()) return [clear(found)];
    const loose = looseness(found);
    return loose ? [close(loose, found.stats)] : [];
  });
}

/** How many things `closeToOthers` would mend. */
export function countLoose(env: Env): number {
  return everything(env).filter((found) => looseness(found)).length;
}

function wrongWith(found: Found): Check | undefined {
  const { path, name, stats } = found;
  if (process.getuid && stats.uid !== process.getuid()) {
    return bad("fail", "files", `${path} belongs to another user`, `Take it over (sudo chown "$USER" ${path}), or move it away`);
  }
  // Whoever keeps settings in a folder of dotfiles links to them.
  if (stats.isSymbolicLink() && name !== "config.json") {
    return bad("fail", "files", `${path} is a link, which moth does not write through`, `Remove it: rm ${path}`);
  }
  if (isMisplaced(found)) {
    const kind = stats.isDirectory() ? "a folder" : "a file";
    const advice = stats.isDirectory()
      ? `Where it is empty moth doctor --fix removes it; else move it away. A moth that runs there makes its pipe when it is started anew`
      : "Move it away. A moth that runs there makes its pipe when it is started anew";
    return bad("fail", "files", `${path} is ${kind}, and should be moth's pipe, by which hooks report`, advice);
  }
  if (FOLDERS.has(name) && !stats.isDirectory())
    return bad("fail", "files", `${path} is no folder`, `Move it away: moth makes its own`);
  if (FILES.test(name) && stats.isDirectory())
    return bad("fail", "files", `${path} is a folder, not a file`, `Move it away: moth makes its own`);
  const loose = looseness(found);
  if (!loose) return undefined;
  // In a closed folder nobody gets at what could be read there.
  const status = loose.from & 0o022 ? "fail" : "warn";
  return bad(
    status,
    "files",
    `${path} is open to other users (mode ${octal(loose.from)})`,
    `chmod ${octal(loose.to)} ${path}, or: moth doctor --fix`,
  );
}

/** Something that is no pipe where moth's pipe belongs. moth replaces a file at its next start, and cannot replace a folder. */
function isMisplaced({ name, stats }: Found): boolean {
  return process.platform !== "win32" && PIPE.test(name) && !stats.isFIFO() && !stats.isSymbolicLink();
}

/** Takes an empty folder from the place of moth's pipe. */
function clear({ path }: Found): Check {
  try {
    // Only one that is empty goes.
    rmdirSync(path);
    return ok("mended", `${path} was an empty folder in the place of moth's pipe; it is gone`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const why = code === "ENOTEMPTY" || code === "EEXIST" ? "it is not empty" : code;
    return bad("fail", "mended", `${path} is a folder in the place of moth's pipe, and was left (${why})`, "Move it away");
  }
}

function looseness(found: Found): Loose | undefined {
  const { path, name, stats } = found;
  if (isMisplaced(found)) return undefined;
  // Windows keeps others out by the profile folder's own rules.
  if (process.platform === "win32" || stats.isSymbolicLink()) return undefined;
  if (process.getuid && stats.uid !== process.getuid()) return undefined;
  const from = stats.mode & 0o777;
  // What harnesses run holds no secret.
  const to = from & (/^(?:bin|lib)\//.test(name) ? ~0o022 : ~0o077);
  return from === to ? undefined : { path, from, to };
}

function close({ path, from, to }: Loose, { ino }: Stats): Check {
  let file: number | undefined;
  try {
    // Never through a link, and no wait for a pipe that nobody writes to.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(file).ino !== ino) throw Object.assign(new Error(), { code: "it is another one now" });
    fchmodSync(file, to);
    return ok("mended", `${path} was open to other users (mode ${octal(from)}); now it is yours alone (${octal(to)})`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return bad("fail", "mended", `${path} is open to other users and cannot be closed (${code})`, `chmod ${octal(to)} ${path}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** moth's folder and what is in it, outermost first, and the files that the person keeps elsewhere. */
function everything(env: Env): Found[] {
  const home = mothHome(env);
  const found: Found[] = [];
  const add = (path: string, depth: number): void => {
    const stats = look(path);
    if (!stats || found.length >= MOST) return;
    found.push({ path, name: relative(home, path).replaceAll("\\", "/"), stats });
    if (!stats.isDirectory() || depth === 0) return;
    for (const name of namesIn(path)) add(join(path, name), depth - 1);
  };
  add(home, DEPTH);
  for (const [name, path] of [
    ["token", tokenFile(env)],
    ["config.json", configFile(env)],
  ] as const) {
    const stats = path === join(home, name) ? undefined : look(path);
    if (stats) found.push({ path, name, stats });
  }
  return found;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // What keeps one from looking is told of the folder.
    return [];
  }
}

function octal(mode: number): string {
  return mode.toString(8);
}
