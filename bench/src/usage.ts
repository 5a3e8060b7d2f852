/** What a process takes of the machine. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Memory that a process has to itself, in MB (10^6 bytes). On Linux without the pages of Node's own binary: how many of those count
 * as resident is the kernel's mood (44 to 64 MB for an empty Node 24 on one machine within an hour), and all Nodes share them.
 * Elsewhere the resident memory, binary and all.
 */
export function ownMegabytes(pid: number): number {
  if (process.platform === "linux") {
    const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return (Number(kilobytes) * 1024) / 1e6;
  }
  return (Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024) / 1e6;
}

/** Milliseconds of processor that a process has had so far, in all its threads; undefined where the system does not say it finely. */
export function processorMs(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const threads = readdirSync(`/proc/${pid}/task`);
  const had = threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6);
  return had.reduce((sum, ms) => sum + ms, 0);
}
