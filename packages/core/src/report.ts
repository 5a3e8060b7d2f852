/**
 * The report client: one line into moth's pipe (`pipe.ts`), else one plain HTTP request on a raw socket.
 *
 * A raw socket because Node's and Bun's `fetch`, and Bun's `node:http`, send even 127.0.0.1 through `HTTP_PROXY`, and because
 * `fetch` doubles the start-up of a hook. The request is written whole and nobody waits for the answer, so a report arrives even
 * when the process ends right after, and a slow server costs nothing.
 */
import { connect, type Socket } from "node:net";
import { contentOn, mothAddress } from "./config.ts";
import { deadline } from "./deadline.ts";
import { isOwnMoth } from "./own-moth.ts";
import { paneOf } from "./pane.ts";
import { closePipe, openPipe, writePipe } from "./pipe.ts";
import { type Address, authority, type Env } from "./paths.ts";
import { MAX_BODY_BYTES, type StateReport, TOKEN_HEADER, type TurnReport } from "./protocol.ts";
import { cutText } from "./text.ts";
import { readToken } from "./token.ts";

/** Milliseconds a report may take, connecting included. */
export const REPORT_TIMEOUT_MS = 1000;

export interface ReportOptions {
  env?: Env;
  timeoutMs?: number;
  /** From {@link dial}; used up by the report. */
  line?: Line;
  /** From `openPipe`, used up by the report; for a caller that has yet to read what to report. */
  pipe?: number | undefined;
}

/** An open way to moth. */
export interface Line {
  address: Address;
  token: string;
  socket: Socket;
}

/**
 * Opens the connection a report will go out on, for a caller that has yet to read what to report. Never throws.
 * @returns undefined when there is no moth to talk to: no address, no token (without one the server would refuse), or none of the
 * person's own there
 */
export function dial(env: Env = process.env): Line | undefined {
  const address = mothAddress(env);
  const token = readToken(env);
  if (!address || !token || !isOwnMoth(address, env)) return undefined;
  return { address, token, socket: connect(address.port, address.host).on("error", () => {}) };
}

/**
 * Sends a turn report. Never throws, never prints, takes at most `timeoutMs`.
 * @returns whether the whole request was handed to the system on an open connection; what the server made of it is not waited for.
 */
export function sendTurn(report: TurnReport, options: ReportOptions = {}): Promise<boolean> {
  return send("agent", report, options);
}

/** Sends a state report, as {@link sendTurn} does. It tells the pane that `options.env` names, unless it has one. */
export function sendState(report: StateReport, options: ReportOptions = {}): Promise<boolean> {
  return send("state", withPane(report, options.env ?? process.env), options);
}

/** What is left of a report while the person has turned content off. */
function withoutContent(report: TurnReport | StateReport): TurnReport | StateReport {
  if ("text" in report) return { ...report, text: "", chars: report.chars ?? report.text.length };
  if (!report.wait) return report;
  const { text: _text, options: _options, ...wait } = report.wait;
  return { ...report, wait: { ...wait, answerable: false } };
}

function withPane(report: StateReport, env: Env): StateReport {
  const pane = report.pane ?? paneOf(env);
  return pane === undefined ? report : { ...report, pane };
}

async function send(kind: "agent" | "state", report: TurnReport | StateReport, options: ReportOptions): Promise<boolean> {
  let line = options.line;
  try {
    const body = encode(contentOn(options.env) ? report : withoutContent(report));
    if (pipeIn(`${kind} ${body}`, options)) return true;
    line ??= dial(options.env);
    if (!line) return false;
    return await write(line.socket, request(`/api/${kind}`, body, line), options.timeoutMs ?? REPORT_TIMEOUT_MS);
  } catch {
    line?.socket.destroy();
    return false;
  }
}

/** The near way, which is there while a moth of this machine runs. */
function pipeIn(message: string, { env, line, pipe = line ? undefined : openPipe(env) }: ReportOptions): boolean {
  if (pipe === undefined) return false;
  const isIn = writePipe(pipe, message);
  closePipe(pipe);
  return isIn;
}

function request(path: string, body: string, { address, token }: Line): string {
  return [
    `POST ${path} HTTP/1.1`,
    `Host: ${authority(address)}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${TOKEN_HEADER}: ${token}`,
    "",
    body,
  ].join("\r\n");
}

/** The report as JSON within the server's limit: a reply that is too long loses its end, and says how long it was. */
function encode(report: TurnReport | StateReport): string {
  const body = JSON.stringify(report);
  const size = Buffer.byteLength(body);
  if (size <= MAX_BODY_BYTES || !("text" in report) || report.text.length < 2) return body;
  // How many bytes a character takes differs along the text, so one cut may not be enough; each makes the text shorter.
  const keep = Math.floor((report.text.length * (MAX_BODY_BYTES - 1024)) / size);
  return encode({ ...report, text: cutText(report.text, keep), chars: report.chars ?? report.text.length });
}

function write(socket: Socket, message: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve(false);
    const end = (sent: boolean): void => {
      cancel();
      socket.destroy();
      resolve(sent);
    };
    const cancel = deadline(timeoutMs, () => end(false), { keepsAlive: true });
    socket.on("error", () => end(false));
    socket.on("close", () => end(false));
    // Called when the last byte is with the system, which delivers it even if this process is gone by then. Not "finish": that
    // waits for the connection's own end as well. Closing comes after the caller's next step: a hook's is to end the process, which
    // closes for nothing.
    socket.write(message, (error) => {
      if (error) return end(false);
      resolve(true);
      setImmediate(end, true);
    });
  });
}
