/** D-Bus messages as bytes: as much of the D-Bus specification 0.38 as a sender of notifications needs. */

/** Bytes of a message that is read, at most: a notification's answers are small. */
export const MAX_MESSAGE_BYTES: number = 1024 * 1024;

const CALL = 1;
export const RETURN = 2;
export const ERROR = 3;
export const SIGNAL = 4;

/** What a message's header may hold, by the specification's codes. */
const FIELDS = {
  1: "path",
  2: "interface",
  3: "member",
  4: "errorName",
  5: "replySerial",
  6: "destination",
  7: "sender",
  8: "signature",
} as const;
const CODES = { path: [1, "o"], interface: [2, "s"], member: [3, "s"], destination: [6, "s"], signature: [8, "g"] } as const;

export interface Call {
  destination: string;
  path: string;
  interface: string;
  member: string;
  /** Of `body`; empty: none. */
  signature: string;
  body: (writer: Writer) => void;
}

export interface Message {
  type: number;
  interface?: string;
  member?: string;
  errorName?: string;
  replySerial?: number;
  /** The body's values, where they are only texts and numbers, or one list of texts; else empty. */
  values: (string | number)[];
}

/** Writes values one after the other, little-endian, each at its alignment. */
export class Writer {
  #bytes: Buffer[] = [];
  #size = 0;

  align(to: number): void {
    const gap = (to - (this.#size % to)) % to;
    if (gap > 0) this.#put(Buffer.alloc(gap));
  }
  byte(value: number): void {
    this.#put(Buffer.from([value]));
  }
  uint32(value: number): void {
    this.align(4);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value >>> 0);
    this.#put(bytes);
  }
  /** An object path is written as a string is. */
  string(text: string): void {
    const bytes = Buffer.from(text.replaceAll("\0", ""), "utf8");
    this.uint32(bytes.length);
    this.#put(bytes);
    this.byte(0);
  }
  signature(text: string): void {
    this.byte(text.length);
    this.#put(Buffer.from(`${text}\0`, "latin1"));
  }
  /** @param alignment of its elements */
  array(alignment: number, fill: () => void): void {
    this.uint32(0);
    const length = this.#bytes.at(-1);
    this.align(alignment);
    const start = this.#size;
    fill();
    length?.writeUInt32LE(this.#size - start);
  }
  variant(signature: string, value: () => void): void {
    this.signature(signature);
    value();
  }
  bytes(): Buffer {
    return Buffer.concat(this.#bytes);
  }
  #put(bytes: Buffer): void {
    this.#bytes.push(bytes);
    this.#size += bytes.length;
  }
}

export function encodeCall(call: Call, serial: number): Buffer {
  const body = new Writer();
  call.body(body);
  const bodyBytes = body.bytes();
  const head = new Writer();
  for (const byte of [0x6c, CALL, 0, 1]) head.byte(byte);
  head.uint32(bodyBytes.length);
  head.uint32(serial);
  head.array(8, () => {
    for (const [name, [code, type]] of Object.entries(CODES)) {
      const value = call[name as keyof typeof CODES];
      if (value === "") continue;
      head.align(8);
      head.byte(code);
      head.variant(type, () => (type === "g" ? head.signature(value) : head.string(value)));
    }
  });
  head.align(8);
  return Buffer.concat([head.bytes(), bodyBytes]);
}

/**
 * The first message of `bytes`, and how many bytes it takes; undefined while it is not whole.
 * @throws Error when it is none, or longer than {@link MAX_MESSAGE_BYTES}
 */
export function decodeMessage(bytes: Buffer): { message: Message; size: number } | undefined {
  if (bytes.length < 16) return undefined;
  const little = bytes[0] === 0x6c;
  if ((!little && bytes[0] !== 0x42) || bytes[3] !== 1) throw new Error("this is no D-Bus message");
  const head = new Reader(bytes, little, 4);
  const bodySize = head.uint32();
  head.uint32();
  const fieldsEnd = 16 + head.uint32();
  const bodyStart = Math.ceil(fieldsEnd / 8) * 8;
  const size = bodyStart + bodySize;
  if (size > MAX_MESSAGE_BYTES) throw new Error("a D-Bus message is too long");
  if (bytes.length < size) return undefined;
  const message: Record<string, unknown> & { type: number } = { type: bytes[1] ?? 0 };
  while (head.at < fieldsEnd) {
    head.align(8);
    const name = FIELDS[head.byte() as keyof typeof FIELDS] as string | undefined;
    const value = head.value(head.signature());
    if (name) message[name] = value;
  }
  const { signature = "" } = message as { signature?: string };
  const body = new Reader(bytes, little, bodyStart);
  const values =
    signature === "as" ? body.texts() : /^[souig]*$/.test(signature) ? Array.from(signature, (type) => body.value(type)) : [];
  return { message: { ...message, values }, size };
}

class Reader {
  at: number;
  readonly #bytes: Buffer;
  readonly #little: boolean;

  constructor(bytes: Buffer, little: boolean, at: number) {
    this.#bytes = bytes;
    this.#little = little;
    this.at = at;
  }
  align(to: number): void {
    this.at = Math.ceil(this.at / to) * to;
  }
  byte(): number {
    return this.#bytes.readUInt8(this.at++);
  }
  uint32(): number {
    this.align(4);
    this.at += 4;
    return this.#little ? this.#bytes.readUInt32LE(this.at - 4) : this.#bytes.readUInt32BE(this.at - 4);
  }
  signature(): string {
    return this.#text(this.byte());
  }
  value(type: string): string | number {
    if (type === "g") return this.signature();
    const number = this.uint32();
    if (type === "u") return number;
    return type === "i" ? number | 0 : this.#text(number);
  }
  texts(): string[] {
    const end = this.uint32() + this.at;
    const texts: string[] = [];
    while (this.at < end) texts.push(this.#text(this.uint32()));
    return texts;
  }
  #text(length: number): string {
    const text = this.#bytes.toString("utf8", this.at, this.at + length);
    this.at += length + 1;
    return text;
  }
}
