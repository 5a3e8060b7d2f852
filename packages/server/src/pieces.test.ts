import { PIECE_BYTES } from "@moth-companion/core/pipe";
import { MAX_BODY_BYTES } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { handClock } from "../test/support.ts";
import { createPieces, type Pieces } from "./pieces.ts";

function made(clock: ReturnType<typeof handClock> = handClock()): { pieces: Pieces; told: string[] } {
  const told: string[] = [];
  return { pieces: createPieces(clock, (message) => told.push(message)), told };
}
const put = (pieces: Pieces, ...lines: string[]): void => pieces.put(Buffer.from(lines.map((line) => `${line}\n`).join("")));

test("a message of one piece is told at once, one of several with its last", () => {
  const { pieces, told } = made();
  put(pieces, "a 0/0 one");
  put(pieces, "b 0/2 t", "b 1/2 w");
  expect(told).toEqual(["one"]);
  put(pieces, "b 2/2 o");
  expect(told).toEqual(["one", "two"]);
});

test("pieces of several messages may lie between each other, and be cut anywhere", () => {
  const { pieces, told } = made();
  const all = Buffer.from("a 0/1 mä\nb 0/1 x\na 1/1 use\nc 0/0 z\nb 1/1 y\n");
  for (const byte of all) pieces.put(Buffer.from([byte]));
  expect(told).toEqual(["mäuse", "z", "xy"]);
});

test("a character may be cut by the end of a piece", () => {
  const { pieces, told } = made();
  const [first, ...others] = Buffer.from("🦋");
  pieces.put(
    Buffer.concat([
      Buffer.from("a 0/1 "),
      Buffer.from([first!]),
      Buffer.from("\na 1/1 "),
      Buffer.from(others),
      Buffer.from("\n"),
    ]),
  );
  expect(told).toEqual(["🦋"]);
});

test.each([
  ["nothing", "\n\n\n"],
  ["no piece", "hello\n"],
  ["a key that is none", "A-B 0/0 x\n"],
  ["a number that is none", "a x/0 y\n"],
  ["more pieces than there can be", "a 0/1000 x\n"],
  ["bytes of all kinds", Buffer.from(Array.from({ length: 512 }, (_, i) => (i % 256 === 10 ? 11 : i % 256)))],
  ["a line without an end", "x".repeat(10 * PIECE_BYTES)],
  ["a piece that is too long", `a 0/0 ${"x".repeat(PIECE_BYTES)}`],
])("what comes after %s is heard all the same", (_name, garbage) => {
  const { pieces, told } = made();
  pieces.put(Buffer.from(garbage));
  put(pieces, "", "a 0/0 fine");
  expect(told).toEqual(["fine"]);
});

test("a message that lacks a piece, or has one twice, is none: neither is what comes of it later", () => {
  const { pieces, told } = made();
  put(pieces, "a 0/2 x", "a 2/2 z");
  put(pieces, "b 0/1 x", "b 0/1 x", "b 1/1 y", "b 1/1 y");
  put(pieces, "c 1/1 agent {}");
  put(pieces, "d 0/2 x", "d 1/1 y");
  expect(told).toEqual(["xy"]);
});

test("a message may be as large as a body, and no larger", () => {
  const { pieces, told } = made();
  const send = (key: string, size: number): void => {
    const last = Math.ceil(size / 1000) - 1;
    for (let at = 0; at <= last; at++) put(pieces, `${key} ${at}/${last} ${"x".repeat(Math.min(1000, size - at * 1000))}`);
  };
  send("a", MAX_BODY_BYTES + 6);
  send("b", MAX_BODY_BYTES + 1000);
  expect(told.map(({ length }) => length)).toEqual([MAX_BODY_BYTES + 6]);
});

test("of messages that nobody ends, the oldest give way, and all go after a while", () => {
  const clock = handClock();
  const { pieces, told } = made(clock);
  for (let i = 0; i < 33; i++) put(pieces, `k${i} 0/1 x`);
  put(pieces, "k0 1/1 y", "k32 1/1 y");
  expect(told).toEqual(["xy"]);
  clock.advance(5000);
  put(pieces, "k31 1/1 z");
  expect(told).toEqual(["xy"]);
  expect(clock.timers).toBe(0);
});
