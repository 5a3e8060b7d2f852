/** A private D-Bus session bus with a notification service on it, where the machine has what that needs. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

export interface Asked {
  method: "ready" | "Notify" | "CloseNotification" | "closed";
  id: number;
  app: string;
  title: string;
  body: string;
  hints: Record<string, unknown>;
  actions: string[];
}

export interface Bus {
  env: Record<string, string>;
  /** What the service was asked, so far. */
  asked: Asked[];
  /** What the person does with a notification. */
  person(does: "dismiss" | "click" | "expire" | `press:${string}`, id: number): void;
  /** Ends the bus. */
  end(): Promise<void>;
}

/** The system's own Python: its packages are those of the system. */
const PYTHON = "/usr/bin/python3";

/** Why there can be no bus here; undefined: there can. */
export const noBus: string | undefined = why();

function why(): string | undefined {
  if (spawnSync("dbus-daemon", ["--version"]).error) return "dbus-daemon is not installed";
  const python = spawnSync(PYTHON, ["-c", "import dbus, gi.repository.GLib"]);
  return python.status === 0 ? undefined : `${PYTHON} has no dbus and gi (packages python3-dbus, python3-gi)`;
}

/** @param capabilities of the service; with `stays` in them, a notification stays when one of its buttons was pressed */
export async function startBus(capabilities?: string): Promise<Bus> {
  const daemon = started("dbus-daemon", ["--session", "--nofork", "--print-address"], {});
  const [address] = (await once(createInterface(daemon.stdout!), "line")) as [string];
  const env = { DBUS_SESSION_BUS_ADDRESS: address, PATH: process.env["PATH"] ?? "", LC_ALL: "C" };
  const asked: Asked[] = [];
  const service = started(PYTHON, [join(import.meta.dirname, "notifications.py")], {
    ...env,
    ...(capabilities !== undefined && { CAPABILITIES: capabilities }),
  });
  const lines = createInterface(service.stdout!);
  lines.on("line", (line) => asked.push(JSON.parse(line) as Asked));
  await once(lines, "line");
  return {
    env,
    asked,
    person: (does, id) => void service.stdin?.write(`${does} ${id}\n`),
    async end() {
      const ended = once(daemon, "exit");
      if (daemon.kill("SIGKILL")) await ended;
    },
  };
}

function started(program: string, args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(program, args, { env: { PATH: process.env["PATH"], ...env }, stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await ended;
  });
  return child;
}
