/** A client for WebSocket (RFC 6455) on a Unix socket, as far as listening to small JSON messages needs it. Node has none. */
import { connect, type Socket } from "node:net";

/** A longer message than this is nothing moth listens for: then it hangs up. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export interface Talk {
  send(message: unknown): void;
  close(): void;
}

/**
 * @param path of the socket
 * @param told of each JSON message, and once of the end, whatever ended it
 */
export function openWebSocket(
  path: string,
  told: { opened: () => void; message: (value: unknown) => void; ended: () => void },
): Talk {
  const socket: Socket = connect(path);
  socket.unref();
  let input: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let isOpen = false;
  let isOver = false;
  const end = (): void => {
    socket.destroy();
    if (isOver) return;
    isOver = true;
    told.ended();
  };
  socket.on("error", end);
  socket.on("close", end);
  socket.on("connect", () => {
    const key = Buffer.from("a listening moth").toString("base64");
    socket.write(
      `GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
  });
  socket.on("data", (chunk: Buffer) => {
    input = Buffer.concat([input, chunk]);
    if (input.length > MAX_MESSAGE_BYTES) return end();
    if (!isOpen && !welcome()) return;
    for (let frame = readFrame(input); frame; frame = readFrame(input)) {
      input = input.subarray(frame.end);
      take(frame);
    }
  });

  /** Reads the answer to the handshake. */
  function welcome(): boolean {
    const head = input.indexOf("\r\n\r\n");
    if (head === -1) return false;
    if (!input.subarray(0, head).toString("latin1").startsWith("HTTP/1.1 101")) {
      end();
      return false;
    }
    input = input.subarray(head + 4);
    isOpen = true;
    told.opened();
    return true;
  }

  function take({ last, code, body }: Frame): void {
    if (code === CLOSE) return end();
    if (code === PING) return write(PONG, body);
    if (code > TEXT) return;
    parts.push(body);
    if (!last) return;
    const text = Buffer.concat(parts).toString("utf8");
    parts = [];
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return;
    }
    told.message(value);
  }

  function write(code: number, body: Buffer): void {
    if (!isOver) socket.write(frameOf(code, body));
  }

  return { send: (message) => write(TEXT, Buffer.from(JSON.stringify(message))), close: end };
}

interface Frame {
  last: boolean;
  code: number;
  body: Buffer;
  /** Where it ends in the input. */
  end: number;
}

function readFrame(input: Buffer): Frame | undefined {
  if (input.length < 2) return undefined;
  const [first = 0, second = 0] = input;
  const short = second & 0x7f;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (input.length < start) return undefined;
  const length = short === 127 ? Number(input.readBigUInt64BE(2)) : short === 126 ? input.readUInt16BE(2) : short;
  const end = start + length;
  // A server does not mask.
  if (input.length < end) return undefined;
  return { last: (first & 0x80) !== 0, code: first & 0x0f, body: input.subarray(start, end), end };
}

/** What a client sends is masked: with zeros, since the bytes are no secret on a socket of this machine. */
function frameOf(code: number, body: Buffer): Buffer {
  const { length } = body;
  const head = Buffer.alloc(length < 126 ? 2 : 4);
  head[0] = 0x80 | code;
  head[1] = 0x80 | (length < 126 ? length : 126);
  if (length >= 126) head.writeUInt16BE(length, 2);
  return Buffer.concat([head, Buffer.alloc(4), body]);
}
