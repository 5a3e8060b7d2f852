/** Whose child a hook is. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** Shells and launchers between Codex and the hook program, at most. */
const MAX_STEPS = 5;

/** One process: its name, its words, its parent. */
interface ProcessNote {
  words: readonly string[];
  parent: number;
}

/**
 * The Codex process that ran this hook, when it is one person's program: what ends its sessions when it dies. Codex's servers (the
 * background daemon, an editor's or the desktop app's) hold many sessions and outlive the window: for those there is none.
 * Linux and macOS; on Windows a process's parent is not to be had cheaply.
 */
export async function codexProcess(
  start: number | undefined,
  look: Look = lookOf(process.platform),
): Promise<number | undefined> {
  let pid = start ?? 0;
  for (let step = 0; step < MAX_STEPS && pid > 1; step++) {
    const note = await look(pid);
    if (!note) return undefined;
    if (basename(note.words[0] ?? "") === "codex") return note.words.includes("app-server") ? undefined : pid;
    pid = note.parent;
  }
  return undefined;
}

export type Look = (pid: number) => ProcessNote | undefined | Promise<ProcessNote | undefined>;

function lookOf(platform: string): Look {
  if (platform === "linux") return readProc;
  return platform === "darwin" ? askPs : () => undefined;
}

function readProc(pid: number): ProcessNote | undefined {
  try {
    // The name in it may hold spaces and brackets: the last bracket ends it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return { words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0"), parent };
  } catch {
    return undefined;
  }
}

async function askPs(pid: number): Promise<ProcessNote | undefined> {
  // Only here: loading it costs a millisecond.
  const { execFile } = await import("node:child_process");
  return await new Promise((resolve) => {
    execFile("/bin/ps", ["-ww", "-o", "ppid=,command=", "-p", String(pid)], { timeout: 200 }, (error, stdout) => {
      const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
      resolve(error || command === undefined ? undefined : { words: command.split(" "), parent: Number(parent) });
    });
  });
}
