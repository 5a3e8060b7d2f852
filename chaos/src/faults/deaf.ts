import { connect, type Socket } from "node:net";
import { TOKEN_HEADER } from "@moth-companion/core/protocol";
import { ownMegabytes } from "../../../bench/src/usage.ts";
import type { Fault, Trial } from "../fault.ts";
import { createMachine, end, type Machine, until } from "../moth.ts";

const DEAF = 12;
const EVENTS = 1800;
const TEXT = "x".repeat(12_000);
const MOST_MB = 200;

export const deaf: Fault = {
  name: "stream readers that never read",
  async run(trial) {
    const machine = await createMachine(trial);
    const running = await machine.up();
    const deafOnes = Array.from({ length: DEAF }, () => stream(trial, machine));
    for (const { socket } of deafOnes) socket.pause();
    const good = stream(trial, machine);
    let most = 0;
    for (let sent = 0; sent < EVENTS; sent += 20) {
      const session = `s${sent}`;
      const about = { source: "chaos", session, label: session };
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          machine.ask("/api/agent", { ...about, text: `${sent + n} ${sent < 900 ? TEXT : ""}` }),
        ),
      );
      most = Math.max(most, ownMegabytes(running.pid));
    }
    trial.claim("moth keeps nothing back for them", most < MOST_MB, `${most.toFixed(0)} MB`);
    const isHeard = (): boolean => new Set(good.text().match(/"text":"\d+/g)).size === EVENTS;
    trial.claim("who reads hears everything", await until(isHeard, 20_000), new Set(good.text().match(/"text":"\d+/g)).size);
    for (const { socket } of deafOnes) socket.resume();
    trial.claim("who does not is cut off", await until(() => deafOnes.every(({ socket }) => socket.closed), 10_000));
    trial.claim("moth goes on", (await machine.health()) === running.pid, running.said());
    const ended = await end(running);
    trial.claim("it ends in good order", ended.code === 0, ended.said);
    return DEAF;
  },
};

function stream(trial: Trial, machine: Machine): { socket: Socket; text(): string } {
  let text = "";
  const socket = connect(machine.port, "127.0.0.1").setEncoding("utf8");
  trial.after(() => socket.destroy());
  socket.on("error", () => undefined).on("data", (chunk: string) => (text += chunk));
  socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${machine.port}\r\n${TOKEN_HEADER}: ${machine.token()}\r\n\r\n`);
  return { socket, text: () => text };
}
