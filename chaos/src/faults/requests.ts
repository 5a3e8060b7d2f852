import { connect, type Socket } from "node:net";
import { ownMegabytes } from "../../../bench/src/usage.ts";
import type { Fault, Trial } from "../fault.ts";
import { pause } from "@moth-companion/core/pause";
import { createMachine, end, type Machine } from "../moth.ts";
import { type Mischief, mischief, slow } from "../requests.ts";

const AT_ONCE = 48;
/** Longer than moth lets a request take to arrive, or a refused connection linger. */
const PATIENCE_MS = 9000;
/** How much more memory may be in use at the end than after a fifth of the way. A fifth of few does not fill what Node allows itself. */
const MORE_MB = { short: 100, full: 40 };

export const requests: Fault = {
  name: "malformed, oversized, slow, half-closed, pipelined, header-bombed requests",
  async run(trial) {
    const machine = await createMachine(trial);
    const running = await machine.up();
    const total = trial.short ? 4000 : 100_000;
    const kinds = new Map<string, number>();
    let sent = 0;
    const one = async (made: Mischief): Promise<void> => {
      kinds.set(made.kind, (kinds.get(made.kind) ?? 0) + 1);
      judge(trial, made, await send(machine.port, made));
    };
    const target = { port: machine.port, token: machine.token() };
    // The slow ones stand beside the others all the time.
    const slowOnes = Array.from({ length: trial.short ? 60 : 150 }, () => one(slow(trial.random, target)));
    const phase = async (upTo: number): Promise<void> => {
      const worker = async (): Promise<void> => {
        while (sent < upTo && running.child.exitCode === null && running.child.signalCode === null) {
          sent++;
          await one(mischief(trial.random, target));
          if (sent % 500 === 0) trial.claim("a decent client is answered all the time", await isServed(machine, running.pid));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    };
    await phase(total / 5);
    const warm = ownMegabytes(running.pid);
    await phase(total);
    await Promise.all(slowOnes);
    await pause(2000);
    trial.claim("moth did not crash", running.child.exitCode === null && running.child.signalCode === null, running.said());
    trial.claim("the same moth still answers", (await machine.health()) === running.pid);
    const after = ownMegabytes(running.pid);
    trial.claim(
      "its memory is flat",
      after - warm < (trial.short ? MORE_MB.short : MORE_MB.full),
      `${warm.toFixed(0)} MB after a fifth, ${after.toFixed(0)} MB at the end`,
    );
    trial.claim("it has not complained of itself", !/INTERNAL|Warning|Error/.test(running.said()), running.said().slice(0, 2000));
    const ended = await end(running);
    trial.claim("it ends in good order", ended.code === 0, ended.said);
    return `${sent + slowOnes.length} of ${kinds.size} kinds`;
  },
};

async function isServed(machine: Machine, pid: number): Promise<boolean> {
  // Its 256 places may be taken for a moment; then it says so.
  return (await machine.health()) === pid || (await machine.ask("/api/health"))?.status === 429;
}

function judge(trial: Trial, { kind, bytes }: Mischief, { statuses, isOver }: Heard): void {
  const about = (): string => `${kind}: ${JSON.stringify(bytes.subarray(0, 300).toString("latin1"))} got ${statuses.join(" ")}`;
  trial.claim(
    "no answer is a 5xx",
    statuses.every((status) => status < 500),
    about(),
  );
  trial.claim("every request is answered, refused or hung up on", isOver, about());
}

interface Heard {
  statuses: number[];
  /** Whether there was an answer, or the connection ended, in time. */
  isOver: boolean;
}

function send(port: number, { bytes, manner }: Mischief): Promise<Heard> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1");
    const over = (isOver: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)), isOver });
    };
    const timer = setTimeout(over, PATIENCE_MS, false);
    socket.on("error", () => over(true)).on("close", () => over(true));
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
      // A whole answer, or several: what comes behind them tells no more.
      if (manner === "whole" && text.includes("\r\n\r\n")) setImmediate(over, true);
    });
    socket.on("connect", () => {
      if (manner === "slow") return trickle(socket, bytes);
      socket.write(bytes, () => {
        if (manner === "half") socket.end();
        if (manner === "gone") over(true);
      });
    });
  });
}

/** A byte at a time, until moth has had enough. */
function trickle(socket: Socket, bytes: Buffer): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= bytes.length) return clearInterval(timer);
    socket.write(bytes.subarray(at, ++at));
  }, 150);
  socket.on("close", () => clearInterval(timer));
}
