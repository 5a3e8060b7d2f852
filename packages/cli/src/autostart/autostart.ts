import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Env } from "@moth-companion/core/paths";
import { Failure } from "../errors.ts";
import { carried, type Facts, readMark, type Way } from "./entry.ts";
import { launchdAgent } from "./launchd.ts";
import { startupScript } from "./startup-script.ts";
import { systemdUnit } from "./systemd.ts";

/** Whose machine, and which moth is to be started on it. */
export interface Here {
  env: Env;
  platform: NodeJS.Platform;
  node: string;
  bin: string;
}

export interface Autostart {
  /** `foreign`: something of that name that is none of moth's. */
  status: "off" | "on" | "outdated" | "foreign";
  way: Way;
  /** Of `outdated` and `foreign`: why. */
  problem?: string;
}

/** What is there now. @throws Failure FAILED on a system for which moth knows no way */
export function lookAtAutostart(here: Here): Autostart {
  const way = wayOf(here);
  const found = read(way);
  if (found === undefined) {
    const strayed = way.link && isThere(way.link.path) && isOwnLink(way.link);
    return strayed ? { status: "outdated", way, problem: `${way.file} is gone, a link to it is left` } : { status: "off", way };
  }
  if (found.facts === undefined) return { status: "foreign", way, problem: `${way.file} was not written by moth` };
  const problem = whyOutdated(found.facts, found.text, way, here);
  return problem === undefined ? { status: "on", way } : { status: "outdated", way, problem };
}

/** Has moth started at each login from now on. @returns whether anything was changed. @throws Failure FILE */
export function turnOn(here: Here): boolean {
  const { status, way, problem } = lookAtAutostart(here);
  if (status === "on") return false;
  if (status === "foreign")
    throw new Failure("FILE", `${problem}, so it was left as it is`, "Move it away, then turn it on again");
  const before = read(way)?.facts?.made ?? 0;
  try {
    const { link, file } = way;
    if (link && isThere(link.path) && !isOwnLink(link))
      throw new Failure("FILE", `${link.path} is none of moth's, so it was left as it is`, "Move it away, then turn it on again");
    const made = before + makeFolders(dirname(file));
    const { node, bin, env } = here;
    writeWhole(file, way.encode(way.render({ node, bin, env: absolute(carried(env)), made })));
    if (link && !isThere(link.path)) {
      mkdirSync(dirname(link.path), { recursive: true });
      symlinkSync(link.to, link.path);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw cannot("written", way, error);
  }
  return true;
}

/** Takes away what {@link turnOn} wrote, and the folders it made. @returns what was deleted. @throws Failure FILE */
export function turnOff(here: Here): string[] {
  const way = wayOf(here);
  const found = read(way);
  if (found !== undefined && found.facts === undefined)
    throw new Failure(
      "FILE",
      `${way.file} was not written by moth, so it was left as it is`,
      "Delete it yourself if it is to go",
    );
  const gone = autostartFiles(here);
  try {
    for (const file of gone) rmSync(file);
    if (way.link) removeEmpty(dirname(way.link.path));
    let folder = dirname(way.file);
    for (let left = found?.facts?.made ?? 0; left > 0 && removeEmpty(folder); left--) folder = dirname(folder);
  } catch (error) {
    throw cannot("deleted", way, error);
  }
  return gone;
}

/** moth's own files of it that are there. Nothing where moth knows no way. */
export function autostartFiles(here: Here): string[] {
  if (!isKnown(here.platform)) return [];
  const way = wayOf(here);
  const own = read(way)?.facts !== undefined ? [way.file] : [];
  return way.link && isThere(way.link.path) && isOwnLink(way.link) ? [way.link.path, ...own] : own;
}

/** Whether moth knows how that system starts something at login. */
export function isKnown(platform: NodeJS.Platform): boolean {
  return platform === "linux" || platform === "darwin" || platform === "win32";
}

function wayOf({ platform, env }: Here): Way {
  if (platform === "linux") return systemdUnit(env);
  if (platform === "darwin") return launchdAgent(env);
  if (platform === "win32") return startupScript(env);
  throw new Failure("FAILED", `moth does not know how ${platform} starts something at login`, "Have it run moth up -d there");
}

function whyOutdated(facts: Facts, text: string, way: Way, { env, bin }: Here): string | undefined {
  if (facts.bin !== bin) return `it starts another moth than this (${facts.bin})`;
  if (!existsSync(facts.node)) return `the Node it was written with is gone (${facts.node})`;
  const now = absolute(carried(env));
  // Where programs are found differs from window to window.
  const moved = Object.keys({ ...facts.env, ...now }).find((name) => name !== "PATH" && facts.env[name] !== now[name]);
  if (moved !== undefined) return `${moved} is another now`;
  if (text !== way.render(facts)) return `${way.file} is not as this moth writes it`;
  return way.link && !isOwnLink(way.link) ? `${way.link.path} is missing, so nothing starts it` : undefined;
}

function read(way: Way): { text: string; facts: Facts | undefined } | undefined {
  if (!isThere(way.file)) return undefined;
  // One that is kept elsewhere, or masked by a link to nothing, is the person's own.
  if (!lstatSync(way.file).isFile()) return { text: "", facts: undefined };
  try {
    const text = way.decode(readFileSync(way.file));
    return { text, facts: readMark(text) };
  } catch (error) {
    throw cannot("read", way, error);
  }
}

function absolute(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, name === "PATH" || name === "MOTH_URL" ? value : resolve(value)]),
  );
}

/** In one step: half a file would be started as it stands. */
function writeWhole(file: string, bytes: Buffer): void {
  const fresh = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(fresh, bytes, { mode: 0o644, flag: "wx" });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** @returns how many were not there */
function makeFolders(folder: string): number {
  if (existsSync(folder)) return 0;
  const made = makeFolders(dirname(folder)) + 1;
  mkdirSync(folder);
  return made;
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    // Somebody else's things are in it.
    return false;
  }
}

function isOwnLink({ path, to }: { path: string; to: string }): boolean {
  try {
    return resolve(dirname(path), readlinkSync(path)) === resolve(join(dirname(path), to));
  } catch {
    return false;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function cannot(what: string, way: Way, error: unknown): Failure {
  const why = (error as NodeJS.ErrnoException).code ?? String(error);
  return new Failure("FILE", `${way.file} cannot be ${what} (${why})`, "Check who owns that folder", error);
}
