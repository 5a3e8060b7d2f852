import type { Env } from "@moth-companion/core/paths";
import type { Harness } from "@moth-companion/harnesses";
import type { BatchSettings } from "./batch.ts";
import type { Clock } from "./clock.ts";
import type { Voice } from "./voice/voice.ts";

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
  voice?: Voice;
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
export function startServer(options: ServerOptions): Promise<RunningServer> {
  return Promise.reject(new Error(`moth ${options.version} cannot listen yet`));
}
