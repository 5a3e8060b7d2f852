import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessDriver } from "./driver.ts";
import { alive, run } from "./processes.ts";
import { installPythonCli, pinnedInList, REQUIREMENTS } from "./python-cli.ts";
import { until } from "./wait.ts";

export type InstalledCli = { ok: true; program: string; version: string } | { ok: false; version: string; reason: string };

const CLIS = fileURLToPath(new URL("../clis/", import.meta.url));
const INSTALL_TIME = 10 * 60_000;

/** The version a harness is pinned to by its committed package.json, or list of Python packages. */
export function pinnedVersion(id: string): string {
  const list = join(CLIS, id, REQUIREMENTS);
  if (existsSync(list)) return pinnedInList(list) ?? "unknown";
  const { dependencies } = JSON.parse(readFileSync(join(CLIS, id, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  return Object.values(dependencies)[0] ?? "unknown";
}

/**
 * Installs a harness's CLI as its committed lockfile says, into a folder of the cache that is named by harness and version, and
 * only there. Once it is there this costs nothing. Two runs at once install it once; a half-finished install is done again.
 */
export async function installCli(driver: HarnessDriver): Promise<InstalledCli> {
  const version = pinnedVersion(driver.id);
  const cache = process.env["MOTH_E2E_CACHE"] || join(homedir(), ".cache", "moth-e2e");
  const folder = join(cache, `${driver.id}-${version}`);
  const program = join(folder, driver.program);
  const python = existsSync(join(CLIS, driver.id, REQUIREMENTS));
  const files = python ? [REQUIREMENTS] : ["package-lock.json", "package.json"];
  const lockfile = readFileSync(join(CLIS, driver.id, files[0] ?? ""), "utf8");
  const finished = (): boolean =>
    read(join(folder, "installed-by-lockfile.json")) === lockfile && read(program, "exists") !== undefined;
  if (finished()) return { ok: true, program, version };
  try {
    mkdirSync(cache, { recursive: true });
    await locked(`${folder}.lock`, async () => {
      if (finished()) return;
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const file of files) copyFileSync(join(CLIS, driver.id, file), join(folder, file));
      await (python ? installPythonCli(folder, INSTALL_TIME) : install(folder));
      await check(program, folder, version);
      writeFileSync(join(folder, "installed-by-lockfile.json"), lockfile);
    });
    return { ok: true, program, version };
  } catch (error) {
    return { ok: false, version, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function install(folder: string): Promise<void> {
  const windows = process.platform === "win32";
  const npm = windows ? [process.env["ComSpec"] ?? "cmd.exe", "/d", "/s", "/c", "npm.cmd"] : ["npm"];
  const args = [...npm.slice(1), "ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const done = await run(npm[0] ?? "npm", args, { cwd: folder, env, within: INSTALL_TIME });
  if (done.code !== 0) throw new Error(`npm ci failed: ${lastLine(done.stderr || done.stdout)}`);
}

async function check(program: string, folder: string, version: string): Promise<void> {
  const home = join(folder, "home");
  const path = [dirname(program), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, HOME: home, USERPROFILE: home, PATH: path } as Record<string, string>;
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
