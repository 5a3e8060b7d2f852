import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { isAlive } from "@moth-companion/core/alive";
import { type AnswersOffBy, answersOffBy, answersOn, awayOn, contentOn, isHost, reachable } from "@moth-companion/core/config";
import { authority, type Env } from "@moth-companion/core/paths";
import { DEFAULT_HOST, DEFAULT_PORT, type StateReport } from "@moth-companion/core/protocol";
import { type Harness, harnesses as registry } from "@moth-companion/harnesses";
import { createAnswerBox } from "./answer-box.ts";
import { createAnswering } from "./answering.ts";
import { createApp } from "./app.ts";
import { type BatchSettings, DEFAULT_BATCH } from "./batch.ts";
import { whenCleared } from "./cleared.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createDoor } from "./door.ts";
import { openDoors } from "./doors.ts";
import { errorCode, ServerError } from "./errors.ts";
import { createFeed } from "./feed.ts";
import { allowedHosts, tokenCheck } from "./guard.ts";
import { createHeard } from "./heard.ts";
import { createLog } from "./log.ts";
import { systemMachine } from "./machine.ts";
import { createMoth, VOICE_MS } from "./moth.ts";
import { createAttention } from "./notify/attention.ts";
import type { NotifySettings } from "./notify/pick.ts";
import { loadPage } from "./page-text.ts";
import { createPageKeys } from "./page-keys.ts";
import { createOrderBox } from "./order-box.ts";
import { createOrdering } from "./ordering.ts";
import { notedWaits } from "./noted-waits.ts";
import { openPipe, pipedTo } from "./pipe.ts";
import { probe } from "./probe.ts";
import { rosterFile } from "./roster-file.ts";
import { createRosterKeeper, type RosterKeeper } from "./roster-keeper.ts";
import { writeRunRecord } from "./run-records.ts";
import { ensureToken } from "./token-file.ts";
import { createBuiltinVoice } from "./voice/builtin.ts";
import type { Voice } from "./voice/voice.ts";
import { startWatches } from "./watches.ts";

export interface ServerOptions {
  /** What `GET /api/health` and the run record say. */
  version: string;
  /** Address to listen on; 127.0.0.1 unless given. */
  host?: string;
  /** 4747 unless given; 0: any free one. */
  port?: number;
  batch?: Partial<BatchSettings>;
  env?: Env;
  clock?: Clock;
  random?: () => number;
  /** The harnesses whose watches run; the registry's unless given. */
  harnesses?: readonly Harness[];
  voice?: Voice | undefined;
  /** A model that speaks instead of the built-in voice, which is still there when it cannot. */
  model?: ModelSettings;
  /** How the person wants to be told; asked when there is something to tell. Never, unless given. */
  notify?: () => NotifySettings;
  /** Shows an address of moth's page to the person, who has clicked a notice. */
  openPage?: (url: string) => void;
  /** How the person calls moth's command, for what is said to them; `moth` unless given. */
  self?: string;
}

/** Where a model is reached that speaks OpenAI's chat dialect. */
export interface ModelSettings {
  /** `http://127.0.0.1:11434`, with or without its path. */
  url: string;
  /** Empty: left to the server there. */
  model: string;
  /** The variable that holds the key; empty: none is needed. */
  keyEnv: string;
  /** Whether it may keep a diary and notes in moth's folder. */
  home: boolean;
}

export interface RunningServer {
  /** Where this machine reaches it. */
  url: string;
  host: string;
  port: number;
  token: string;
  /** Closes everything, open streams included, within 2 s. */
  stop(): Promise<void>;
}

/** Starts a server. Rejects with ServerError. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host = DEFAULT_HOST, port: wanted = DEFAULT_PORT, env = process.env, clock = systemClock, version } = options;
  if (!isHost(host))
    throw new ServerError("HOST_INVALID", `"${String(host)}" is no host to listen on. Give a name or an address.`);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) {
    throw new ServerError("PORT_INVALID", `${wanted} is no port. Give a number from 1 to 65535, or 0 for any free one.`);
  }
  const token = ensureToken(env);
  const heard = createHeard(env, clock);
  const log = createLog(() => randomBytes(9).toString("base64url"));
  const feed = createFeed(log, clock);
  const builtin = createBuiltinVoice(options.random ?? Math.random);
  const voice = options.voice ?? (options.model ? await modelVoice(options.model, builtin, env, clock) : builtin);
  const known = options.harnesses ?? registry;
  const nameOf = (source: string): string => known.find(({ id }) => id === source)?.name ?? source;
  const paneOf = (source: string, session: string): string | undefined =>
    moth.sessions.list(clock.now()).find((row) => row.source === source && row.session === session)?.pane;
  const attention = createAttention({
    clock,
    log,
    env,
    nameOf,
    paneOf,
    openPage: () => options.openPage?.(`${address()}/open?key=${keys.invite()}`),
    answer: async (request) => {
      const answered = await answering.answer(request);
      return "refusal" in answered ? answered.refusal.message : undefined;
    },
    ...(options.notify ? { settings: options.notify } : {}),
  });
  const isOn = (): boolean => answersOn(env);
  const offBy = (): AnswersOffBy | undefined => answersOffBy(env);
  const moth = createMoth({
    clock,
    batch: { ...DEFAULT_BATCH, ...options.batch },
    voice,
    log,
    attention,
    isAlive,
    answersOn: isOn,
    contentOn: () => contentOn(env),
    inWindow: (source) => known.find(({ id }) => id === source)?.inWindow,
    changed: (when) => keeper?.changed(when),
  });
  let keeper: RosterKeeper | undefined;

  let doors: ReturnType<typeof openDoors> | undefined;
  const answerBox = createAnswerBox({ clock, log, sessions: moth.sessions });
  const orderBox = createOrderBox({ clock, log });
  const answering = createAnswering({
    sessions: moth.sessions,
    log,
    clock,
    doorOf: (source) => answerBox.doorOf(source, doors?.of(source)),
    offBy,
    self: options.self ?? "moth",
  });
  const ordering = createOrdering({
    sessions: moth.sessions,
    log,
    clock,
    doorOf: (source) => doors?.of(source),
    box: orderBox,
    offBy,
    needOf: (source) => known.find(({ id }) => id === source)?.ordersNeed,
    self: options.self ?? "moth",
  });

  // The port is known once the server listens, and nobody asks before.
  let app: ReturnType<typeof createApp> | undefined;
  const door = createDoor((head) => app!(head));
  try {
    await listen(door.server, host, wanted);
  } catch (error) {
    moth.stop();
    throw await explain(error, host, wanted);
  }
  const { port } = door.server.address() as AddressInfo;
  const keys = createPageKeys(clock, port);
  const address = (): string => `http://${authority({ host: reachable(host), port })}`;
  app = createApp({
    moth,
    answering,
    ordering,
    answerBox,
    orderBox,
    feed,
    heard,
    hosts: allowedHosts(host, port),
    hasToken: tokenCheck(token),
    keys,
    page: () => loadPage(options.self ?? "moth"),
    version,
    pid: process.pid,
    self: options.self,
    isAway: () => awayOn(env),
  });

  const record = { pid: process.pid, host, port, version, started: clock.now() };
  let removeRecord: () => void;
  try {
    removeRecord = writeRunRecord(record, env);
  } catch (error) {
    moth.stop();
    await door.close();
    throw error;
  }
  // A port that the system chose is another one the next time.
  if (wanted !== 0) {
    keeper = createRosterKeeper({
      file: rosterFile(port, env),
      clock,
      machine: systemMachine,
      isAlive,
      legacy: () => moth,
      notedWaits: () => notedWaits(env),
    });
    keeper.restore();
  }
  const takePiped = pipedTo(app, authority({ host: DEFAULT_HOST, port }), token);
  const pipe = { port, env, clock, take: takePiped };
  let closePipe = await openPipe(pipe);
  const stopLooking = whenCleared(pipe, async () => {
    removeRecord = writeRunRecord(record, env);
    closePipe();
    closePipe = await openPipe(pipe);
    if (stopping) closePipe();
  });
  const parts = {
    env,
    clock,
    sessions: (source: string) => moth.sessions.watched(source),
    report: (report: StateReport) => moth.state(report),
  };
  const watches = startWatches(known, parts);
  doors = openDoors(known, { ...parts, answersOn: isOn });

  let stopping: Promise<void> | undefined;
  async function shutDown(): Promise<void> {
    // While the port is still taken: the next moth begins with it.
    keeper?.close();
    stopLooking();
    closePipe();
    watches.stop();
    doors?.stop();
    moth.stop();
    feed.close();
    answerBox.close();
    orderBox.close();
    heard.flush();
    await door.close();
    removeRecord();
  }
  return {
    url: address(),
    host,
    port,
    token,
    stop: () => (stopping ??= shutDown()),
  };
}

/** Loaded only when asked for. */
async function modelVoice({ url, model, keyEnv, home }: ModelSettings, fallback: Voice, env: Env, clock: Clock): Promise<Voice> {
  const [{ createOpenAiVoice }, { createHome }] = await Promise.all([
    import("./voice/openai.ts"),
    import("./voice/home/home.ts"),
  ]);
  return createOpenAiVoice({
    endpoint: () => ({ url, model, key: keyEnv ? env[keyEnv] : undefined }),
    fallback,
    // One line, where emitWarning() would make two.
    warn: (line) => void process.stderr.write(`${line}\n`),
    timeoutMs: VOICE_MS,
    home: home ? createHome(env, () => clock.now()) : undefined,
    now: () => clock.now(),
  });
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** What keeps the server from listening, for the person. */
async function explain(error: unknown, host: string, port: number): Promise<ServerError> {
  const code = errorCode(error);
  const where = authority({ host, port });
  const cause = { cause: error };
  if (code === "EADDRINUSE") {
    const who = await probe({ host: reachable(host), port });
    const advice = who.startsWith("another moth")
      ? "Use it, stop it with `moth stop`, or start this one with another --port."
      : "End it, or start moth with another --port.";
    return new ServerError("PORT_TAKEN", `The port ${where} is taken by ${who}. ${advice}`, cause);
  }
  if (code === "EACCES")
    return new ServerError("PORT_DENIED", `You may not listen on ${where}. Give a --port above 1023.`, cause);
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL", "EAFNOSUPPORT"].includes(code)) {
    const message = `"${host}" is no address of this machine (${code}). Leave --host out, or give one that is.`;
    return new ServerError("HOST_INVALID", message, cause);
  }
  return new ServerError("LISTEN", `moth cannot listen on ${where} (${code}).`, cause);
}
