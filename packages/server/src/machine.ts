/** The machine as one program after the other finds it: which start of it this is, how long it runs, when a process of it began. */
import { readFileSync } from "node:fs";
import { uptime } from "node:os";

export interface Machine {
  /** Undefined where the system does not tell how long it runs. */
  boot(): Boot | undefined;
  /** Some text that another process of the same id would not have; undefined where that cannot be told cheaply. */
  startOf(pid: number): string | undefined;
}

/** A moment of one start of the machine. */
export interface Boot {
  /** The start's own name, where it has one. */
  id?: string | undefined;
  /** Milliseconds since the start. Whoever sets the clock does not change it. */
  uptime: number;
}

/** Where the start has no name, two are the same when they began within so many milliseconds: whole seconds are all that macOS tells. */
const SAME_BOOT_MS = 5000;

export const systemMachine: Machine = {
  boot() {
    try {
      return { id: read("/proc/sys/kernel/random/boot_id")?.trim(), uptime: Math.round(uptime() * 1000) };
    } catch {
      return undefined;
    }
  },
  startOf(pid) {
    // The program's name comes first, in brackets, and may hold any character.
    const stat = read(`/proc/${pid}/stat`);
    return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  },
};

/** A moment as it was written down, with what the clock said then. */
export interface Moment extends Boot {
  /** Milliseconds since 1970. */
  clock: number;
}

/** Milliseconds from one moment to a later one; undefined: the machine was started anew between them, or nobody can tell. */
export function passed(from: Moment, to: Moment): number | undefined {
  const ms = to.uptime - from.uptime;
  if (ms < 0 || from.id !== to.id) return undefined;
  const isSame = from.id !== undefined || Math.abs(to.clock - from.clock - ms) < SAME_BOOT_MS;
  return isSame ? ms : undefined;
}

function read(file: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
