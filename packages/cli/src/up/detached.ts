import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, constants } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolder } from "@moth-companion/core/folder";
import { type Env, mothHome } from "@moth-companion/core/paths";
import { cleanText } from "@moth-companion/core/text";
import { probe } from "../client.ts";
import { EXIT, Failure } from "../errors.ts";
import { type Io, print, say } from "../io.ts";
import { pause } from "@moth-companion/core/pause";
import { binFile } from "../self.ts";
import { type Settings } from "../settings.ts";
import { isUpAlready, reachedAt, urlOf } from "./running.ts";
import { nextWays, waysTo } from "./ways-to.ts";

const START_TIMEOUT_MS = 15_000;
const LOG_MAX_BYTES = 1024 * 1024;

/**
 * `moth up -d`: starts a server that outlives this terminal, and waits until it answers.
 * @param last lines for the end: what the person does next
 */
export async function startDetached(
  settings: Settings,
  io: Io,
  last: readonly string[] = [nextWays(waysTo(settings, io.env))],
): Promise<number> {
  if (await isUpAlready(settings, io)) {
    say(io, ...last);
    return EXIT.ok;
  }
  const log = openLog(io.env, settings.values.port);
  try {
    const child = spawn(process.execPath, [binFile(), "up", ...flagsOf(settings)], {
      detached: true,
      windowsHide: true,
      stdio: ["ignore", log.fd, log.fd],
      // Not the person's folder: it could not be removed or unmounted while moth runs.
      cwd: mothHome(io.env),
      env: { ...io.env, ...absolutePaths(io.env) },
    });
    const ended = exitOf(child);
    const pid = await waitUntilUp(child, ended, settings, io);
    child.unref();
    if (pid === undefined) {
      // Another moth won the race for the port.
      if (await isUpAlready(settings, io)) {
        say(io, ...last);
        return EXIT.ok;
      }
      throw new Failure("FAILED", `moth did not start\n${log.tail()}`, `Its log: ${log.file}`);
    }
    print(io, `moth runs in the background at ${urlOf(settings)} (process ${pid}).`, `Its log: ${log.file}`);
    say(io, ...last);
    return EXIT.ok;
  } finally {
    closeSync(log.fd);
  }
}

/** @returns the server's process id once it answers; undefined when it ended instead */
async function waitUntilUp(child: ChildProcess, ended: Promise<string>, settings: Settings, io: Io): Promise<number | undefined> {
  const over = ended.then((how) => ({ how }));
  for (const begun = Date.now(); Date.now() - begun < START_TIMEOUT_MS;) {
    const found = await probe(io.env, reachedAt(settings));
    if (found.found === "moth" && found.health.pid === child.pid) return child.pid;
    if (await Promise.race([over, pause(50)])) return undefined;
  }
  child.kill("SIGTERM");
  throw new Failure(
    "FAILED",
    `moth did not answer at ${urlOf(settings)} within ${START_TIMEOUT_MS / 1000} seconds, so it was stopped`,
    `Look: ${waysTo(settings, io.env).self ?? "moth"} doctor`,
  );
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once("error", (error) => resolve(error.message));
  });
}

interface Log {
  fd: number;
  file: string;
  /** The last lines of this start. */
  tail(): string;
}

function openLog(env: Env, port: number): Log {
  const folder = join(mothHome(env), "run");
  const file = join(folder, `${port}.log`);
  try {
    makeFolder(folder, 0o700);
    // Appending, so that two at once do not write over each other; never through a link.
    const fd = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0), 0o600);
    if (fstatSync(fd).size > LOG_MAX_BYTES) ftruncateSync(fd, 0);
    const from = fstatSync(fd).size;
    return { fd, file, tail: () => lastLines(fd, from) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Failure("FILE", `the log ${file} cannot be written (${code})`, "Check who owns that folder", error);
  }
}

function lastLines(fd: number, from: number): string {
  const size = fstatSync(fd).size;
  const start = Math.max(from, size - 8192);
  const buffer = Buffer.alloc(Math.max(0, size - start));
  readSync(fd, buffer, 0, buffer.length, start);
  const lines = cleanText(buffer.toString("utf8")).trimEnd().split("\n");
  return lines.slice(-12).join("\n");
}

function flagsOf(settings: Settings): string[] {
  return settings.all
    .filter((setting) => setting.from === "flag")
    .flatMap(({ key, value }) => [`--${key.replaceAll("_", "-")}`, String(value)]);
}

/** Paths that mean something only in the person's folder. */
function absolutePaths(env: Env): Record<string, string> {
  const names = ["MOTH_HOME", "MOTH_TOKEN_FILE", "MOTH_CONFIG_FILE"];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, resolve(env[name])]] : [])));
}
