import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type {
  AnswerRequest,
  CardEvent,
  LogAnswer,
  MothEvent,
  OrderRequest,
  SayEvent,
  Session,
  SessionsAnswer,
  StateEvent,
} from "@moth-companion/core/protocol";
import { TOKEN_HEADER } from "@moth-companion/core/protocol";
import { tokenFile } from "@moth-companion/core/paths";
import { endGently } from "./processes.ts";
import { until } from "./wait.ts";

/** The `moth` command as built. */
export const MOTH: string = fileURLToPath(new URL("../../packages/cli/bin/moth.mjs", import.meta.url));

export interface MothOptions {
  cwd: string;
  /** Must name the port in `MOTH_URL`. */
  env: Record<string, string>;
  port: number;
  flags?: readonly string[];
  /** The `moth` command instead of the built one. */
  command?: string;
}

/** A real moth, and what its event stream has told since it started. */
export interface Moth {
  pid: number;
  events: readonly MothEvent[];
  cards(session?: string): CardEvent[];
  says(): SayEvent[];
  /** The states a session went through, oldest first. */
  states(session?: string): StateEvent[];
  /** The whole log as `/api/log` gives it. */
  log(): Promise<MothEvent[]>;
  sessions(): Promise<Session[]>;
  /** Waits until the stream holds an event that answers the description, and returns the first. */
  event(what: string, match: (event: MothEvent) => boolean, within?: number): Promise<MothEvent>;
  /** Waits until the roster is as wanted. */
  roster(what: string, match: (sessions: Session[]) => boolean, within?: number): Promise<Session[]>;
  /** Answers a wait as a display does; gives the body of moth's answer. */
  answer(request: AnswerRequest): Promise<{ ok?: true; error?: { code: string; message: string } }>;
  /** Has a session do something, as a display does; gives the body of moth's answer. */
  order(request: OrderRequest): Promise<{ ok?: true; error?: { code: string; message: string } }>;
  /** What it printed. */
  output(): string;
  stop(): Promise<void>;
}

/** Reacts to every turn at once, so that no scenario waits for moth's manners. */
const AT_ONCE = ["--react-every", "0", "--quiet-after", "0", "--batch-window", "0"];

/** Starts the built `moth up` in the foreground and listens to its event stream. */
export async function startMoth(options: MothOptions): Promise<Moth> {
  const { cwd, env, port } = options;
  const child = spawn(process.execPath, [options.command ?? MOTH, "up", ...(options.flags ?? AT_ONCE)], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const pid = await started(child);
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(
      "moth to answer",
      () => {
        if (child.exitCode !== null) throw new Error(`moth up ended with ${child.exitCode}:\n${output}`);
        return request(`${url}/api/health`, {}).catch(() => undefined);
      },
      { facts: () => output },
    );
  } catch (error) {
    await endGently(pid);
    throw error;
  }
  const headers = { [TOKEN_HEADER]: readFileSync(tokenFile(env), "utf8").trim() };
  const events: MothEvent[] = [];
  const closeStream = listen(`${url}/api/events`, headers, (event) => events.push(event));

  const facts = (): string[] => events.map(describe);
  const find = async (what: string, match: (event: MothEvent) => boolean, within?: number): Promise<MothEvent> =>
    await until(`moth to hear ${what}`, () => events.find(match), { facts, ...(within !== undefined && { within }) });
  const sessions = async (): Promise<Session[]> =>
    (JSON.parse(await request(`${url}/api/sessions`, headers)) as SessionsAnswer).sessions;
  const post = async (path: string, body: object): Promise<{ ok?: true; error?: { code: string; message: string } }> => {
    const answered = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await answered.json()) as { ok?: true; error?: { code: string; message: string } };
  };

  return {
    pid,
    events,
    cards: (session) =>
      events.filter((event) => event.kind === "card").filter((event) => session === undefined || event.session === session),
    says: () => events.filter((event) => event.kind === "say"),
    states: (session) =>
      events.filter((event) => event.kind === "state").filter((event) => session === undefined || event.session === session),
    log: async () => (JSON.parse(await request(`${url}/api/log?since=0`, headers)) as LogAnswer).events,
    sessions,
    event: find,
    async roster(what, match, within) {
      let last: Session[] = [];
      const look = async (): Promise<Session[] | undefined> => (match((last = await sessions())) ? last : undefined);
      return await until(`moth's roster to show ${what}`, look, {
        facts: () => [...last.map((one) => JSON.stringify(one)), "Events:", ...facts()],
        ...(within !== undefined && { within }),
      });
    },
    answer: (request) => post("/api/answer", request),
    order: (request) => post("/api/order", request),
    output: () => output,
    async stop() {
      closeStream();
      await endGently(pid);
    },
  };
}

/** One line of an event, for errors. */
export function describe(event: MothEvent): string {
  const { kind, id, time, ...rest } = event;
  return `${new Date(time).toISOString().slice(17, 23)} #${id} ${kind} ${JSON.stringify(rest)}`;
}

/** A port nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function started(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve(child.pid ?? 0));
  });
}

function request(url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = get(url, { headers, agent: false, timeout: 5000 }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.once("end", () =>
        response.statusCode === 200 ? resolve(body) : reject(new Error(`${url} answered ${response.statusCode}: ${body}`)),
      );
    });
    outgoing.once("timeout", () => outgoing.destroy(new Error(`${url} did not answer.`)));
    outgoing.once("error", reject);
  });
}

function listen(url: string, headers: Record<string, string>, hear: (event: MothEvent) => void): () => void {
  const outgoing = get(url, { headers, agent: false }, (response) => {
    let rest = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      const messages = (rest + chunk).split(/\r?\n\r?\n/);
      rest = messages.pop() ?? "";
      for (const message of messages) {
        const lines = message.split(/\r?\n/);
        const data = lines.flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []));
        // A message with a name is none of the log's.
        if (data.length > 0 && !lines.some((line) => line.startsWith("event:"))) hear(JSON.parse(data.join("\n")) as MothEvent);
      }
    });
    response.on("error", () => {});
  });
  // The stream ends with moth, on purpose or not: whoever waits for an event then says what is missing.
  outgoing.on("error", () => {});
  return () => outgoing.destroy();
}
