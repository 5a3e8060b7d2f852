/** A real tmux server of the test's own, with clients in real terminals. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { spawn as spawnPty } from "@lydell/node-pty";
import { expect, onTestFinished } from "vitest";
import { tempFolder } from "./io.ts";

/** Why there can be none here; undefined: there can. */
export const noTmux: string | undefined = spawnSync("tmux", ["-V"]).error ? "tmux is not installed" : undefined;
if (noTmux) process.stderr.write(`moth is not tried in a real tmux: ${noTmux}\n`);

export interface Tmux {
  socket: string;
  /** Runs a tmux command to its end. @returns what it printed */
  run(...args: string[]): string;
  /** Attaches a client in a terminal. @returns what types into that terminal */
  attach(session: string): Promise<{ type: (text: string) => void; name: string }>;
  /** A pane's name, as a report tells it. */
  pane(id: string): string;
}

/** A server with a session `a` that runs `cat`. @param options lines of its tmux.conf, as commands */
export function startTmux(env: Record<string, string>, options: readonly string[][] = []): Tmux {
  const socket = join(tempFolder(), "s");
  const run = (...args: string[]): string => {
    const ran = spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      env: { ...env, TERM: "xterm-256color" },
      encoding: "utf8",
    });
    if (ran.status !== 0) throw new Error(`tmux ${args.join(" ")}: ${ran.stderr}`);
    return ran.stdout.trim();
  };
  onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  run("new-session", "-d", "-s", "a", "-x", "80", "-y", "24", "cat");
  for (const option of options) run(...option);
  return {
    socket,
    run,
    pane: (id) => `tmux:${id}@${socket}`,
    async attach(session) {
      const pty = spawnPty("tmux", ["-S", socket, "attach", "-t", session], {
        name: "xterm-256color",
        cols: 80,
        rows: 24,
        env: { ...env, TERM: "xterm-256color" },
      });
      onTestFinished(() => pty.kill());
      // As a terminal answers to who it is.
      pty.onData((data) => {
        if (data.includes("\u001b[>c") || data.includes("\u001b[>q")) pty.write("\u001b[>41;1;0c\u001bP>|XTerm(390)\u001b\\");
      });
      const mine = (): string | undefined =>
        run("list-clients", "-F", "#{client_pid} #{client_name}")
          .split("\n")
          .find((line) => line.startsWith(`${pty.pid} `));
      await expect.poll(mine, { timeout: 10_000, interval: 20 }).toBeDefined();
      return { type: (text) => pty.write(text), name: mine()?.split(" ")[1] ?? "" };
    },
  };
}

/** Runs a command in a new window. @returns its pane */
export function inWindow(tmux: Tmux, env: Record<string, string>, command: string): string {
  const set = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  return tmux.run("new-window", "-d", "-t", "a:", "-P", "-F", "#{pane_id}", ...set, command);
}

/** What stands in a pane, what has scrolled out of it included, without empty rows. */
export function paneRows(tmux: Tmux, pane: string): string[] {
  return tmux
    .run("capture-pane", "-p", "-S", "-", "-t", pane)
    .split("\n")
    .filter((row) => row.trim() !== "");
}

/** Counts from now on how often `moth tail` has drawn itself anew for another size of its pane. @param log where what it writes may be kept */
export function countRedraws(tmux: Tmux, pane: string, log: string): () => number {
  tmux.run("pipe-pane", "-t", pane, `cat > ${log}`);
  return () =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\u001b[6n")
          .filter((part) => part.includes("?2026l")).length
      : 0;
}
