import { expect, test } from "vitest";
import { decodeMessage, encodeCall, MAX_MESSAGE_BYTES, SIGNAL, type Writer } from "./wire.ts";

const call = {
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
  member: "AddMatch",
  signature: "s",
  body: (writer: Writer) => writer.string("type='signal'"),
};

/** Filled up to a multiple. */
const pad = (bytes: number[], to: number): number[] => [...bytes, ...Array<number>((to - (bytes.length % to)) % to).fill(0)];

/** A signal as the other side would send it, in either order of bytes. */
function signal(little: boolean): Buffer {
  const number = (value: number): number[] => {
    const bytes = Buffer.alloc(4);
    if (little) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return [...bytes];
  };
  const text = (words: string): number[] => [...number(words.length), ...Buffer.from(words), 0];
  let fields = [3, 1, 0x73, 0, ...text("NotificationClosed")];
  fields = [...pad(fields, 8), 8, 1, 0x67, 0, 2, 0x75, 0x75, 0];
  const head = [little ? 0x6c : 0x42, SIGNAL, 0, 1, ...number(8), ...number(7), ...number(fields.length), ...fields];
  return Buffer.from([...pad(head, 8), ...number(41), ...number(2)]);
}

test("a call is read as it was written, and no byte of what follows is taken", () => {
  const bytes = encodeCall(call, 9);
  const decoded = decodeMessage(Buffer.concat([bytes, Buffer.from([1, 2, 3])]));
  expect(decoded).toMatchObject({ size: bytes.length, message: { member: "AddMatch", values: ["type='signal'"] } });
});

test.each([true, false])("a signal is read in the order of bytes it came in (little: %s)", (little) => {
  expect(decodeMessage(signal(little))?.message).toMatchObject({ type: SIGNAL, member: "NotificationClosed", values: [41, 2] });
});

test("a message that is not whole is waited for, at every length", () => {
  const bytes = encodeCall(call, 1);
  for (let size = 0; size < bytes.length; size++) expect(decodeMessage(bytes.subarray(0, size))).toBeUndefined();
});

test("what is none, or too long, is an error", () => {
  expect(() => decodeMessage(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"))).toThrow("no D-Bus message");
  const long = encodeCall(call, 1);
  long.writeUInt32LE(MAX_MESSAGE_BYTES, 4);
  expect(() => decodeMessage(long)).toThrow("too long");
});

test("bytes that are wrong anywhere end in an answer or an error, never in an endless read", () => {
  const bytes = signal(true);
  for (let at = 4; at < bytes.length; at++) {
    for (const value of [0, 1, 0x73, 0xff]) {
      const broken = Buffer.from(bytes);
      broken[at] = value;
      try {
        decodeMessage(broken);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
  }
});
