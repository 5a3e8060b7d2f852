/** An HTTP answer as it comes in, read no further than a command needs: its status, who gave it, and its body. Pure. */

/** Longest head taken in; Node's own server reads as much. */
const MAX_HEAD = 16 * 1024;

export interface Head {
  status: number;
  /** The Server header, as it came. */
  server: string | undefined;
  /** Where the body begins. */
  body: number;
  /** Bytes of the body; undefined: up to the connection's end. */
  length: number | undefined;
  isChunked: boolean;
}

/** @returns undefined while more has to come; "garbled" when it is no HTTP */
export function readHead(bytes: Buffer): Head | "garbled" | undefined {
  const begin = bytes.toString("latin1", 0, 9);
  if (!/^HTTP\/1\.\d /.test(begin) && !"HTTP/1.".startsWith(begin.slice(0, 7))) return "garbled";
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return bytes.length > MAX_HEAD ? "garbled" : undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = /^HTTP\/1\.\d (\d{3})(?: |$)/.exec(first)?.[1];
  if (status === undefined) return "garbled";
  const header = (name: string): string | undefined =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const isChunked = /\bchunked$/i.test(header("transfer-encoding") ?? "");
  const told = header("content-length");
  if (told !== undefined && !/^\d+$/.test(told)) return "garbled";
  const length = isChunked ? undefined : hasNoBody(status) ? 0 : told === undefined ? undefined : Number(told);
  return { status: Number(status), server: header("server"), body: end + 4, length, isChunked };
}

function hasNoBody(status: string): boolean {
  return status === "204" || status === "304";
}

/** What was sent in chunks, as one. @returns undefined when it is not whole */
export function joinChunks(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf("\r\n", at);
    const size = /^[\da-f]{1,8}(?=[ \t;]|$)/i.exec(bytes.toString("latin1", at, Math.max(at, line)))?.[0];
    if (size === undefined) return undefined;
    const [from, to] = [line + 2, line + 2 + Number.parseInt(size, 16)];
    if (from === to) return Buffer.concat(parts);
    if (to > bytes.length) return undefined;
    parts.push(bytes.subarray(from, to));
    at = to + 2;
  }
}
