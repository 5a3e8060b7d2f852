import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endTree } from "./processes.ts";
import { until } from "./wait.ts";

/** The variable that marks every process of a run, since each inherits it from the one that started it. */
export const MARK = "MOTH_E2E_RUN";

/** What this run started or made and did not take away. A process that is just ending gets a few seconds. Ends what is left. */
export async function leftovers(run: string): Promise<string[]> {
  let found: Map<number, string> = new Map();
  const none = (): boolean => (found = carriers(`${MARK}=${run}`)).size === 0;
  await until("every process to end", none, { within: 5000 }).catch(() => {});
  for (const pid of found.keys()) endTree(pid);
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(worldPrefix(run)));
  return [
    ...[...found].map(([pid, command]) => `process ${pid} was left: ${command}`),
    ...folders.map((name) => `folder ${join(tmpdir(), name)} was left`),
  ];
}

/** How the folders of a run's worlds begin. With a space: a path may have one. */
export function worldPrefix(run: string): string {
  return `moth e2e ${run} `;
}

/**
 * Waits until a world's processes have ended, two seconds at most: some write to its home on their way out, after the program that
 * was closed.
 */
export async function leave(home: string): Promise<void> {
  await until("the processes of a world to end", () => carriers(`HOME=${home}`).size === 0, { within: 2000 }).catch(() => {});
}

/** Processes with this in their environment. Windows does not show another process's: there nothing is found. */
function carriers(mark: string): Map<number, string> {
  const found = new Map<number, string>();
  if (process.platform === "linux") {
    for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)) {
      try {
        if (!readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(mark)) continue;
        found.set(Number(name), readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim());
      } catch {
        // It has ended, or it is another user's.
      }
    }
  } else if (process.platform === "darwin") {
    for (const line of execFileSync("ps", ["-axwwE", "-o", "pid=,command="], { encoding: "utf8" }).split("\n")) {
      const pid = Number(line.trim().split(" ")[0]);
      if (pid !== process.pid && line.includes(mark)) found.set(pid, line.trim().slice(0, 200));
    }
  }
  return found;
}
