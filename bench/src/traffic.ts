/** What adapters and displays send, from this process. */
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { pause } from "@moth-companion/core/pause";
import { type MothEvent, TOKEN_HEADER } from "@moth-companion/core/protocol";
import type { Running } from "./processes.ts";

/** moth waits 4 seconds for other sessions to finish, too, before it says what it makes of a turn. */
const HEARD_MS = 30_000;

export const REPLY = `Done. The session registry now drops rows whose process has ended, and the roster shows them as gone.

- \`sessions.ts\` checks each pid every two seconds
- 41 tests pass

Shall I also bound the roster to the last thousand sessions?`;

/** One of a number of clients that keep their connections. */
export function createAgent(clients: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: clients });
}

/** @throws Error when it is not answered with 200 */
export function post(server: Running, agent: Agent, path: string, report: object): Promise<string> {
  return ask(server, agent, path, JSON.stringify(report));
}

/** A POST of `body`, or a GET without one. */
export function ask({ port, token }: Running, agent: Agent, path: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      [TOKEN_HEADER]: token,
      ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ host: "127.0.0.1", port, path, method, agent, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve(text) : reject(new Error(`${path} answered ${answer.statusCode}: ${text}`)),
      );
      answer.on("error", reject);
    });
    // Longer than any order listener is held.
    sent.setTimeout(90_000, () => sent.destroy(new Error(`${path} was not answered in 90 s`)));
    sent.on("error", reject).end(body);
  });
}

/** How many events a moth has heard. */
export async function eventsOf(server: Running, agent: Agent): Promise<number> {
  return (JSON.parse(await ask(server, agent, "/api/sessions")) as { next: number }).next;
}

/**
 * Waits until a moth has heard as many events as a figure's name says.
 * @throws Error when they do not come: then the figure would be of something else
 */
export async function untilHeard(server: Running, agent: Agent, count: number): Promise<void> {
  let heard = 0;
  for (const ends = performance.now() + HEARD_MS; performance.now() < ends; await pause(50)) {
    heard = await eventsOf(server, agent);
    if (heard >= count) return;
  }
  throw new Error(`moth was to hear ${count} events before it is measured, and has ${heard} after ${HEARD_MS / 1000} s`);
}

/** Opens an event stream at the log's end. @returns the function that hangs up */
export async function listen(server: Running, heard: (event: MothEvent) => void): Promise<() => void> {
  const { port, token } = server;
  const agent = createAgent(1);
  const since = await eventsOf(server, agent).finally(() => agent.destroy());
  const stream = request({
    host: "127.0.0.1",
    port,
    path: `/api/events?since=${since}`,
    headers: { [TOKEN_HEADER]: token },
  });
  // Hanging up ends the answer in the middle.
  stream.on("error", () => {});
  stream.end();
  const [response] = (await once(stream, "response")) as [IncomingMessage];
  response.on("error", () => {});
  let rest = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: ")) continue;
      const event = JSON.parse(line.slice("data: ".length)) as Partial<MothEvent>;
      if (event.kind !== undefined) heard(event as MothEvent);
    }
  });
  return () => stream.destroy();
}

/**
 * Has something done `times` times in as many sessions, the nth time by session `n % sessions`. Each session's after each other: a state
 * that is told twice, since one report has overtaken another, is one event less.
 */
export async function inSessions(
  sessions: number,
  times: number,
  act: (n: number, agent: Agent) => Promise<unknown>,
): Promise<void> {
  const agent = createAgent(16);
  await Promise.all(
    Array.from({ length: sessions }, async (_, session) => {
      for (let n = session; n < times; n += sessions) await act(n, agent);
    }),
  );
  agent.destroy();
}
