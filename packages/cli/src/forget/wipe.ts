/**
 * Deletes what moth made, and nothing else: known names in a folder that can only be moth's, never through a link. A `MOTH_HOME` that
 * points at a folder with other things in it must cost the person nothing.
 */
import { lstatSync, readdirSync, realpathSync, rmdirSync, type Stats, unlinkSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Env, mothHome, userHome } from "@moth-companion/core/paths";
import { Failure } from "../errors.ts";

export interface WipeScope {
  /** Everything moth wrote for itself, not only its logs. */
  all: boolean;
  /** Token and settings too. */
  token: boolean;
  /** A harness still calls the hook program: it stays, and so do the notes `moth unhook` needs. */
  hooked: boolean;
}

export interface WipePlan {
  /** What would be deleted. */
  files: string[];
  left: Wiped["left"];
}

export interface Wiped {
  deleted: string[];
  /** What was found and left, with the reason. */
  left: { path: string; why: string }[];
}

interface Place {
  /** Folder within moth's; empty: moth's own. */
  folder: string;
  name: RegExp;
  when: (scope: WipeScope) => boolean;
  /** What hooks write into, and not a plain file. */
  isPipe?: boolean;
  /** A file that tells the folder from one of the person's by that name. */
  mark?: string;
}

/** Everything that may be deleted, by name. */
const PLACES: readonly Place[] = [
  { folder: "run", name: /^\d{1,5}\.log$/, when: () => true },
  // Who was there, for a moth that is started anew.
  { folder: "run", name: /^\d{1,5}\.roster\.json(\.\d+\.tmp)?$/, when: () => true },
  { folder: "run", name: /^(\d{1,5}|heard)\.json(\.\d+\.tmp)?$|^install\.lock$/, when: ({ all }) => all },
  // What a killed moth leaves.
  { folder: "run", name: /^\d{1,5}\.in(\.\d+\.tmp)?$/, when: ({ all }) => all, isPipe: true },
  { folder: "run/compiled", name: /^[a-z-]+\.[\w.%~!'()*-]+$/, when: ({ all }) => all },
  { folder: "run/waits", name: /^[\w.:@+=-]+$/, when: ({ all }) => all },
  // A reply may stand in one.
  { folder: "run/notes", name: /^[\w.-]+$/, when: () => true },
  // What a model wrote into moth's home.
  {
    folder: "home",
    name: /^[a-z0-9][a-z0-9_-]*\.(md|txt)(\.\d+\.tmp)?$|^\.made-by-moth$/,
    when: ({ all }) => all,
    mark: ".made-by-moth",
  },
  { folder: "backups", name: /\.bak-moth-/, when: ({ all }) => all },
  { folder: "bin", name: /^moth-hook(\.cmd)?$/, when: ({ all, hooked }) => all && !hooked },
  { folder: "lib", name: /^moth-hook(\.cjs|-program\.js)$/, when: ({ all, hooked }) => all && !hooked },
  { folder: "", name: /^hooks\.json$/, when: ({ all, hooked }) => all && !hooked },
  { folder: "", name: /^(token|config\.json)$/, when: ({ all, token }) => all && token },
];

/** What would be deleted and what would be left, by name; nothing is touched. @throws Failure FILE when moth's folder cannot be told from one of the person's */
export function planWipe(env: Env, scope: WipeScope): WipePlan {
  const home = mothHome(env);
  const plan: WipePlan = { files: [], left: [] };
  const stats = look(home);
  if (!stats) return plan;
  requireOwn(home, stats, env);
  for (const place of PLACES.filter((place) => place.when(scope))) sweep(home, place, plan);
  return plan;
}

/** Deletes what was planned, and the folders of moth's that are empty then. @throws Failure FILE as {@link planWipe} */
export function wipe(env: Env, scope: WipeScope, plan: WipePlan = planWipe(env, scope)): Wiped {
  const home = mothHome(env);
  const wiped: Wiped = { deleted: [], left: [...plan.left] };
  const stats = look(home);
  if (!stats) return wiped;
  requireOwn(home, stats, env);
  for (const path of plan.files) {
    try {
      unlinkSync(path);
      wiped.deleted.push(path);
    } catch (error) {
      wiped.left.push({ path, why: (error as NodeJS.ErrnoException).code ?? String(error) });
    }
  }
  if (!scope.all) return wiped;
  for (const folder of ["run/compiled", "run/waits", "run/notes", "run", "home", "backups", "bin", "lib"])
    removeEmpty(join(home, folder), wiped);
  if (scope.token) removeEmpty(home, wiped);
  for (const name of list(home)) {
    const path = join(home, name);
    if (!wiped.left.some((one) => one.path === path)) wiped.left.push({ path, why: whyLeft(name, scope) });
  }
  return wiped;
}

function sweep(home: string, place: Place, plan: WipePlan): void {
  const folder = join(home, place.folder);
  if (!isFolder(folder)) return;
  // `run` itself may be a link as well as what is in it.
  if (place.folder.includes("/") && !isFolder(dirname(folder))) return;
  if (place.mark !== undefined && !look(join(folder, place.mark))?.isFile()) return;
  for (const name of list(folder).filter((name) => place.name.test(name))) {
    const path = join(folder, name);
    const stats = look(path);
    if (place.isPipe ? stats?.isFIFO() : stats?.isFile()) plan.files.push(path);
    else plan.left.push({ path, why: place.isPipe ? "not a pipe" : "not a plain file" });
  }
}

function requireOwn(home: string, stats: Stats, env: Env): void {
  const refuse = (why: string): never => {
    throw new Failure(
      "FILE",
      `${home} ${why}, so nothing in it was deleted`,
      "Delete moth's files there by hand, or point MOTH_HOME at moth's folder",
    );
  };
  if (stats.isSymbolicLink()) refuse("is a link");
  if (!stats.isDirectory()) refuse("is not a folder");
  if (process.getuid && stats.uid !== process.getuid()) refuse("belongs to another user");
  // The person's home, the root, and everything between them.
  const real = realpathSync(home);
  const person = real === resolve("/") ? real : realOf(userHome(env));
  if (!relative(real, person).startsWith("..")) refuse("is not a folder of moth's alone");
}

function whyLeft(name: string, scope: WipeScope): string {
  if (name === "token" || name === "config.json") return "--token deletes it too";
  if (scope.hooked && /^(bin|lib|hooks\.json)$/.test(name)) return "harnesses still call it: moth unhook --all first";
  return "not moth's, or not empty";
}

function removeEmpty(folder: string, wiped: Wiped): void {
  if (!isFolder(folder) || list(folder).length > 0) return;
  try {
    rmdirSync(folder);
    wiped.deleted.push(folder);
  } catch {
    // It stays, empty.
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory() ?? false;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
