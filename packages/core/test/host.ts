/** For tests of adapters that live in a harness's process: runs one in a process of its own. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { TOKEN } from "./listening-moth.ts";

/** What `host-kit.mjs` notes. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  /** How often a call threw, or a promise it returned was rejected. */
  threw: number;
  /** How often a call returned something. */
  returned: number;
  /** How often what a call returned was still open when something from outside could have come in. */
  late: number;
  /** Milliseconds of a call, the median. */
  median: number;
  /** Milliseconds the awaited end took. */
  shutdown: number;
  pid: number;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** `null`: there is no token file. */
  token?: string | null;
  /** moth's folder, with or without a token in it. */
  home?: string;
}

/** What a real harness gave to a plugin, one thing a line, as a file of its package's fixtures keeps it. */
export function readRecording<Recorded>(file: string): Recorded[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
}

/**
 * Starts a host and waits for its end.
 * @param task what the host reads
 */
export async function runHost<More extends object>(
  host: string,
  task: object,
  url: string,
  options: RunOptions = {},
): Promise<Ran & More> {
  const folder = mkdtempSync(join(tmpdir(), "moth host "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { home = folder, token = options.home === undefined ? TOKEN : null } = options;
  if (token !== null) writeFileSync(join(home, "token"), token);
  const result = join(folder, "result.json");
  const file = join(folder, "task.json");
  writeFileSync(file, JSON.stringify({ ...task, result }));
  const child = spawn(process.execPath, [host, file], {
    env: { PATH: process.env["PATH"], MOTH_HOME: home, MOTH_URL: url, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out.stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (out.stderr += chunk));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  return { ...(JSON.parse(readFileSync(result, "utf8")) as Ran & More), ...out, code };
}
