import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessDriver } from "./driver.ts";
import { alive, inherited, run } from "./processes.ts";
import { installPythonCli, pinnedInList, REQUIREMENTS } from "./python-cli.ts";
import { until } from "./wait.ts";

export type InstalledCli = { ok: true; program: string; version: string } | { ok: false; version: string; reason: string };

const CLIS = fileURLToPath(new URL("../clis/", import.meta.url));
const INSTALL_TIME = 10 * 60_000;

interface Pinned {
  registry: "npm" | "Python";
  /** The package's name. */
  name: string;
  version: string;
}

/** Where CLIs are installed. What lies there can be made again. */
export function cacheFolder(): string {
  return process.env["MOTH_E2E_CACHE"] || join(homedir(), ".cache", "moth-e2e");
}

/** What a harness is pinned to by its committed package.json, or list of Python packages. */
export function pinned(id: string): Pinned {
  const list = join(CLIS, id, REQUIREMENTS);
  if (existsSync(list)) return { registry: "Python", ...pinnedInList(list) };
  const [name = id, version = "unknown"] = Object.entries(readPackage(id).dependencies)[0] ?? [];
  return { registry: "npm", name, version };
}

interface Package {
  dependencies: Record<string, string>;
}

function readPackage(id: string): Package {
  return JSON.parse(readFileSync(join(CLIS, id, "package.json"), "utf8")) as Package;
}

/** Versions to run instead of the pinned ones, by harness: JSON in `MOTH_E2E_VERSIONS`. */
function otherVersions(): Record<string, string> {
  return JSON.parse(process.env["MOTH_E2E_VERSIONS"] || "{}") as Record<string, string>;
}

/**
 * Installs a harness's CLI as its committed lockfile says, into a folder of the cache that is named by harness and version, and
 * only there. Once it is there this costs nothing. Two runs at once install it once; a half-finished install is done again.
 */
export async function installCli(driver: Pick<HarnessDriver, "id" | "program">): Promise<InstalledCli> {
  const { name, registry, version: usual } = pinned(driver.id);
  const version = otherVersions()[driver.id] ?? usual;
  const cache = cacheFolder();
  const folder = join(cache, `${driver.id}-${version}`);
  const program = join(folder, driver.program);
  const python = registry === "Python";
  const files = wanted(driver.id, python, version === usual ? undefined : { name, version });
  const lockfile = files[0].text;
  const finished = (): boolean =>
    read(join(folder, "installed-by-lockfile.json")) === lockfile && read(program, "exists") !== undefined;
  if (finished()) return { ok: true, program, version };
  try {
    mkdirSync(cache, { recursive: true });
    await locked(`${folder}.lock`, async () => {
      if (finished()) return;
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const { file, text } of files) writeFileSync(join(folder, file), text);
      await (python ? installPythonCli(folder, INSTALL_TIME) : install(folder));
      await check(program, folder, version);
      writeFileSync(join(folder, "installed-by-lockfile.json"), lockfile);
    });
    return { ok: true, program, version };
  } catch (error) {
    return { ok: false, version, reason: error instanceof Error ? error.message : String(error) };
  }
}

interface Listed {
  file: string;
  text: string;
}

/** The files an installer goes by, the one that names every package first: the committed ones, or for another version one made anew. */
function wanted(id: string, python: boolean, other: { name: string; version: string } | undefined): [Listed, ...Listed[]] {
  const committed = (file: string): Listed => ({ file, text: readFileSync(join(CLIS, id, file), "utf8") });
  if (python) return [other ? { file: REQUIREMENTS, text: `${other.name}==${other.version}\n` } : committed(REQUIREMENTS)];
  const settings = existsSync(join(CLIS, id, ".npmrc")) ? [committed(".npmrc")] : [];
  if (!other) return [committed("package-lock.json"), committed("package.json"), ...settings];
  const own = readPackage(id);
  const text = JSON.stringify({ ...own, dependencies: { ...own.dependencies, [other.name]: other.version } });
  return [{ file: "package.json", text }, ...settings];
}

/** The words that start npm. */
export function npm(): [string, ...string[]] {
  // A .cmd file runs in a shell only.
  return process.platform === "win32" ? [process.env["ComSpec"] ?? "cmd.exe", "/d", "/s", "/c", "npm.cmd"] : ["npm"];
}

async function install(folder: string): Promise<void> {
  const [program, ...first] = npm();
  const verb = existsSync(join(folder, "package-lock.json")) ? "ci" : "install";
  const args = [...first, verb, "--no-audit", "--no-fund", "--loglevel=error"];
  const done = await run(program, args, { cwd: folder, env: inherited(), within: INSTALL_TIME });
  if (done.code !== 0) throw new Error(`npm ${verb} failed: ${lastLine(done.stderr || done.stdout)}`);
}

async function check(program: string, folder: string, version: string): Promise<void> {
  const home = join(folder, "home");
  const path = [dirname(program), process.env["PATH"]].join(delimiter);
  const env = { ...inherited(), HOME: home, USERPROFILE: home, PATH: path };
  const done = await run(program, ["--version"], { cwd: folder, env });
  rmSync(home, { recursive: true, force: true });
  if (done.code !== 0 || !done.stdout.includes(version)) {
    throw new Error(
      `it does not run here: --version ended with ${done.code} and said ${JSON.stringify(lastLine(done.stdout + done.stderr))}`,
    );
  }
}

/** Does the work while no other process does it. The lock of a process that has died does not count. */
async function locked(lock: string, work: () => Promise<void>): Promise<void> {
  await until(`the lock ${lock}`, () => take(lock), { within: INSTALL_TIME });
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const owner = Number(read(lock));
    if (owner > 0 && !alive(owner)) rmSync(lock, { force: true });
    return false;
  }
}

function read(file: string, what?: "exists"): string | undefined {
  try {
    return what ? String(statSync(file).size) : readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
