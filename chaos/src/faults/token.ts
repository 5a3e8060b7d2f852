import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault, Trial } from "../fault.ts";
import { createMachine, end, isForPerson, type Machine, until } from "../moth.ts";

const OTHER = "another-token-0123456789abcdef";

interface Damage {
  name: string;
  do(file: string, machine: Machine): void;
  /** Whether commands can still talk to the moth that runs. */
  heard?: true;
  /** Whether moth starts with it; otherwise it must say why not. */
  starts?: true;
}

const DAMAGES: readonly Damage[] = [
  { name: "deleted", do: (file) => rmSync(file), starts: true },
  { name: "changed", do: (file) => writeFileSync(file, OTHER), starts: true },
  { name: "readable by all", do: (file) => chmodSync(file, 0o666), heard: true, starts: true },
  { name: "empty", do: (file) => writeFileSync(file, ""), starts: true },
  { name: "a link", do: (file, { home }) => link(file, join(home, "elsewhere")) },
  { name: "a link that leads nowhere", do: (file) => link(file, "nowhere") },
  { name: "a folder", do: (file) => (rmSync(file), mkdirSync(file)) },
  { name: "noise", do: (file) => writeFileSync(file, Buffer.from([0, 255, 10, 13, 128])) },
  { name: "a megabyte", do: (file) => writeFileSync(file, "x".repeat(1 << 20)) },
];

export const token: Fault = {
  name: "the token deleted, changed, open to all, a link, a folder",
  lacks: () => (process.platform === "win32" ? "links and modes are those of POSIX" : undefined),
  async run(trial) {
    const machine = await createMachine(trial);
    const file = join(machine.folder, "token");
    writeFileSync(join(machine.home, "elsewhere"), OTHER);
    const running = await machine.up();
    const own = machine.token();
    const heal = (): void => {
      rmSync(file, { recursive: true, force: true });
      writeFileSync(file, `${own}\n`, { mode: 0o600 });
    };
    const damages = trial.short ? DAMAGES.slice(0, 7) : DAMAGES;
    for (const damage of damages) {
      damage.do(file, machine);
      await whileItRuns(trial, machine, damage, own);
      heal();
    }
    trial.claim("the moth that runs goes on", (await machine.health()) === running.pid, running.said());
    trial.claim("and hears who has the token right", (await machine.ask("/api/sessions", undefined, own))?.status === 200);
    await end(running);
    for (const damage of damages) {
      damage.do(file, machine);
      await atTheStart(trial, machine, damage, file);
      heal();
    }
    return damages.length;
  },
};

async function whileItRuns(trial: Trial, machine: Machine, { name, heard }: Damage, own: string): Promise<void> {
  const commands = trial.short ? [["ps"]] : [["ps"], ["status"], ["doctor"], ["answer", "x"]];
  for (const args of commands) {
    const { code, said } = await machine.moth(...args);
    const holds = code !== null && code <= 2 && isForPerson(said) && !said.includes(own);
    trial.claim(
      "commands say what is wrong, and never what the token is",
      holds,
      `${name}: ${args.join(" ")} ended with ${code}: ${said}`,
    );
    if (args[0] === "ps") trial.claim("who has no token hears nothing", code === (heard ? 0 : 1), `${name}: ${said}`);
  }
}

async function atTheStart(trial: Trial, machine: Machine, { name, starts }: Damage, file: string): Promise<void> {
  const running = machine.start();
  const answers = async (): Promise<boolean> => (await machine.health()) === running.pid;
  await until(async () => running.child.exitCode !== null || (await answers()), 15_000);
  if (starts) {
    trial.claim("moth starts with a token it can mend", await answers(), `${name}: ${running.said()}`);
    trial.claim("which is for the person alone then", (statSync(file).mode & 0o777) === 0o600, name);
    trial.claim("and its commands work", (await machine.moth("ps")).code === 0, name);
  }
  const { code, said } = await end(running);
  if (starts) return;
  trial.claim(
    "with any other it does not start, and says why",
    code === 1 && isForPerson(said) && said.includes(file),
    `${name}: ${said}`,
  );
}

function link(file: string, to: string): void {
  rmSync(file);
  symlinkSync(to, file);
}
