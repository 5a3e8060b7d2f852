import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Fault, Trial } from "../fault.ts";
import { createMachine, end, isForPerson, type Machine } from "../moth.ts";

const isRoot = process.getuid?.() === 0;
const canMount = (): boolean =>
  process.platform === "linux" && isRoot && tries(() => execFileSync("unshare", ["-m", "true"], { stdio: "ignore" }));

export const fullDisk: Fault = {
  name: "the disk is full",
  lacks: () => (canMount() ? undefined : "a disk of one's own takes root on Linux, and a mount"),
  async run(trial) {
    const machine = await createMachine(trial);
    mount(trial, machine);
    // Before the first start: nothing can be made.
    const filler = fill(machine);
    const refused = await machine.moth("up");
    trial.claim("moth does not start, and says why", refused.code === 1 && isForPerson(refused.said), refused.said);
    rmSync(filler);
    const running = await machine.up();
    trial.claim("with room again it starts, with nothing to be mended by hand", true);
    const own = machine.token();
    await machine.moth("config", "react_every", "7");
    const settings = readFileSync(join(machine.folder, "config.json"), "utf8");
    fill(machine);
    await stillWorks(trial, machine, running.pid);
    trial.claim("the settings stay as they were", readFileSync(join(machine.folder, "config.json"), "utf8") === settings);
    const ended = await end(running);
    trial.claim("moth ends in good order", ended.code === 0, ended.said);
    rmSync(filler);
    const again = await machine.up();
    trial.claim("it starts again, with its token", machine.token() === own);
    await end(again);
    const left = readdirSync(machine.folder, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("tmp"));
    trial.claim("nothing half-written is left", left.length === 0, left);
    return 2;
  },
};

export const readOnly: Fault = {
  name: "~/.moth can only be read",
  lacks: () =>
    canMount() || (!isRoot && process.platform !== "win32") ? undefined : "root writes everywhere, unless a mount forbids it",
  async run(trial) {
    const machine = await createMachine(trial);
    if (isRoot) mount(trial, machine);
    const running = await machine.up();
    const lock = (writable: boolean): void => {
      if (isRoot) execFileSync("mount", ["-o", `remount,${writable ? "rw" : "ro"}`, machine.folder]);
      else for (const folder of ["", "run"]) chmodSync(join(machine.folder, folder), writable ? 0o700 : 0o500);
    };
    trial.after(() => lock(true));
    lock(false);
    await stillWorks(trial, machine, running.pid);
    const ended = await end(running);
    trial.claim("moth ends without a stack", isForPerson(ended.said), ended.said);
    const refused = await machine.moth("up");
    trial.claim("it does not start, and says why", refused.code === 1 && isForPerson(refused.said), refused.said);
    lock(true);
    const again = await machine.up();
    trial.claim("it starts when it may write again", true);
    await end(again);
    return 1;
  },
};

async function stillWorks(trial: Trial, machine: Machine, pid: number): Promise<void> {
  for (let n = 0; n < 50; n++) {
    const about = { source: `chaos-${n % 5}`, session: "s", label: "s" };
    const state = await machine.ask("/api/state", { ...about, state: "working" });
    const turn = await machine.ask("/api/agent", { ...about, text: `Done ${n}.` });
    trial.claim("the moth that runs takes every report", state?.status === 200 && turn?.status === 200, turn);
  }
  trial.claim("and goes on", (await machine.health()) === pid);
  const ps = await machine.moth("ps");
  trial.claim("and shows who is there", ps.code === 0 && ps.said.includes("chaos-4"), ps.said);
  const set = await machine.moth("config", "quiet_after", "11");
  const isSaid = set.code === 1 && /cannot be written \((ENOSPC|EROFS|EACCES)\)/.test(set.said) && isForPerson(set.said);
  trial.claim("a setting that cannot be kept is an error in words", isSaid, set.said);
}

/** Gives moth's folder a small disk of its own. */
function mount(trial: Trial, { folder }: Machine): void {
  mkdirSync(folder, { mode: 0o700 });
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", folder]);
  trial.after(() => execFileSync("umount", ["-l", folder]));
}

/** Writes until nothing more goes in. */
function fill({ folder }: Machine): string {
  const file = join(folder, "filler");
  const fd = openSync(file, "a", 0o600);
  for (const size of [4096, 1]) while (tries(() => writeSync(fd, Buffer.alloc(size))));
  closeSync(fd);
  return file;
}

function tries(fn: () => unknown): boolean {
  try {
    fn();
    return true;
  } catch {
    return false;
  }
}
