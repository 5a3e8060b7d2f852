import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { TOKEN_HEADER } from "@moth-companion/core/protocol";
import { type Figure, figure, quantile } from "./figure.ts";
import { ownMegabytes, type Running, startBare, startMoth } from "./processes.ts";

const ROUNDS = 5;
const ROUND_MS = 1500;
const CLIENTS = 8;
const SESSIONS = 20;
const REPLY = `Done. The session registry now drops rows whose process has ended, and the roster shows them as gone.

- \`sessions.ts\` checks each pid every two seconds
- 41 tests pass

Shall I also bound the roster to the last thousand sessions?`;

/** Turn reports a second, memory at rest and the way from a report to an open stream, each beside a bare server. */
export async function benchServer(): Promise<Figure[]> {
  const moth = await startMoth();
  const bare = await startBare();
  try {
    const token = readFileSync(join(moth.home, ".moth", "token"), "utf8").trim();
    await settle();
    const resting = { moth: ownMegabytes(moth.pid), bare: ownMegabytes(bare.pid) };
    const rates = {
      session: { moth: [] as number[], bare: [] as number[] },
      turns: { moth: [] as number[], bare: [] as number[] },
    };
    for (let i = 0; i < ROUNDS; i++) {
      for (const mix of ["session", "turns"] as const) {
        rates[mix].bare.push(await rate(bare, token, mix));
        rates[mix].moth.push(await rate(moth, token, mix));
      }
    }
    const median = (mix: "session" | "turns", of: "moth" | "bare"): number => quantile(rates[mix][of], 0.5);
    const stream = await streamLatencies(moth, token);
    const roundTrips = await roundTripTimes(bare, token);
    return [
      figure("reports per second, as sessions send them", "1/s", median("session", "moth"), median("session", "bare"), {
        of: "ratio",
        atLeast: 0.7,
      }),
      // A turn is read sentence by sentence, a state is not: nothing but turns is the worst there is.
      figure("reports per second, turns alone", "1/s", median("turns", "moth"), median("turns", "bare"), {
        of: "ratio",
        atLeast: 0.5,
      }),
      figure("memory of its own at rest", "MB", resting.moth, resting.bare, { of: "value", atMost: 60 }),
      figure("report to stream, median", "ms", quantile(stream, 0.5), quantile(roundTrips, 0.5), { of: "value", atMost: 5 }),
      figure("report to stream, 99 of 100", "ms", quantile(stream, 0.99), quantile(roundTrips, 0.99), {
        of: "value",
        atMost: 50,
      }),
    ];
  } finally {
    await moth.stop();
    await bare.stop();
  }
}

/** Lets the start's garbage go and timers fire, so that "at rest" is at rest. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3000));
}

/** `session`: each turn's report after the state report of its prompt, as adapters send them. `turns`: turn reports alone. */
async function rate(server: Running, token: string, mix: "session" | "turns"): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const until = performance.now() + ROUND_MS;
  const started = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < until) {
        const n = count++;
        const from = { source: "bench", session: `s${n % SESSIONS}`, label: "bench" };
        if (mix === "session") {
          await post(server, agent, token, "/api/state", { ...from, state: "working" });
          count++;
        }
        await post(server, agent, token, "/api/agent", { ...from, text: `${REPLY} (${n})` });
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return count / seconds;
}

/** Milliseconds from the moment a state report is sent to the moment its event is read from an open event stream. */
async function streamLatencies(server: Running, token: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const arrived = new Map<string, () => void>();
  const stream = request({
    host: "127.0.0.1",
    port: server.port,
    path: "/api/events?since=1000000000",
    headers: { [TOKEN_HEADER]: token },
  });
  stream.end();
  const [response] = (await once(stream, "response")) as [IncomingMessage];
  response.setEncoding("utf8").on("data", (chunk: string) => {
    for (const [, session] of chunk.matchAll(/"session":"(latency-\d+)"/g)) arrived.get(session ?? "")?.();
  });
  // Hanging up below ends the answer in the middle.
  response.on("error", () => {});
  stream.on("error", () => {});
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const session = `latency-${i}`;
    const started = performance.now();
    const seen = new Promise<void>((resolve) => arrived.set(session, resolve));
    await Promise.all([post(server, agent, token, "/api/state", { source: "bench", session, state: "working" }), seen]);
    times.push(performance.now() - started);
  }
  stream.destroy();
  agent.destroy();
  return times;
}

async function roundTripTimes(server: Running, token: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const started = performance.now();
    await post(server, agent, token, "/api/state", { source: "bench", session: `s${i}`, state: "working" });
    times.push(performance.now() - started);
  }
  agent.destroy();
  return times;
}

function post(server: Running, agent: Agent, token: string, path: string, report: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(report);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body), [TOKEN_HEADER]: token };
    const sent = request({ host: "127.0.0.1", port: server.port, path, method: "POST", agent, headers }, (answer) => {
      answer
        .resume()
        .on("end", () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${path} answered ${answer.statusCode}`))));
    });
    sent.on("error", reject).end(body);
  });
}
