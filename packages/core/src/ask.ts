/**
 * Asking moth from inside a harness: one request on a raw socket, for the reasons `report.ts` gives, whose answer is waited for.
 */
import { deadline } from "./deadline.ts";
import { type Env, authority } from "./paths.ts";
import { MAX_BODY_BYTES, TOKEN_HEADER } from "./protocol.ts";
import { dial } from "./report.ts";

/** Bytes of an answer that are read, unless said otherwise; a longer one counts as none. */
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface AskOptions {
  env?: Env;
  /** Milliseconds until the answer must be there, connecting included. */
  timeoutMs: number;
  /** Ends the asking early. */
  signal?: AbortSignal | undefined;
  /** Bytes of an answer that are read. */
  maxBytes?: number;
  /** The process goes on for as long as the answer may come. */
  keepsAlive?: boolean;
}

export interface Answered {
  status: number;
  /** The answer's JSON. */
  body: unknown;
}

/**
 * Asks moth. Never throws, never follows a proxy, does not keep the process alive unless told to.
 * @param path path and query, encoded
 * @param body sent as JSON with `POST`; without it the request is a `GET`
 * @returns undefined when nobody answers in time, or what answers is no moth
 */
export function ask(path: string, body: object | undefined, options: AskOptions): Promise<Answered | undefined> {
  const { env = process.env, timeoutMs, signal, maxBytes = MAX_ANSWER_BYTES, keepsAlive = false } = options;
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(undefined);
    const line = dial(env);
    if (!line) return resolve(undefined);
    const { socket, token, address } = line;
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (answer?: Answered): void => {
      cancel();
      signal?.removeEventListener("abort", giveUp);
      socket.destroy();
      resolve(answer);
    };
    const giveUp = (): void => finish();
    const cancel = deadline(timeoutMs, giveUp, { keepsAlive });
    if (!keepsAlive) socket.unref();
    signal?.addEventListener("abort", giveUp);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) finish();
    });
    socket.on("end", () => finish(parse(Buffer.concat(chunks).toString("utf8"))));
    socket.on("error", giveUp);
    socket.on("close", giveUp);
    const json = body && JSON.stringify(body);
    if (json && Buffer.byteLength(json) > MAX_BODY_BYTES) return finish();
    socket.write(
      [
        `${json ? "POST" : "GET"} ${path} HTTP/1.1`,
        `Host: ${authority(address)}`,
        "Connection: close",
        ...(json ? ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(json)}`] : []),
        `${TOKEN_HEADER}: ${token}`,
        "",
        json ?? "",
      ].join("\r\n"),
    );
  });
}

/** moth gives a length and closes, so what stands behind the head is the body. One that was cut off is no JSON. */
function parse(answer: string): Answered | undefined {
  const end = answer.indexOf("\r\n\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1];
  if (end === -1 || status === undefined) return undefined;
  try {
    return { status: Number(status), body: JSON.parse(answer.slice(end + 4)) as unknown };
  } catch {
    return undefined;
  }
}
