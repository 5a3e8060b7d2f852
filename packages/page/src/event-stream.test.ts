import { expect, test } from "vitest";
import { type Message, messagesTo } from "./event-stream.ts";

const TEXT = [
  'event: epoch\ndata: {"epoch":"e1","next":2}\n\n',
  'id: e1:0\ndata: {"id":0,"text":"data: one\\n\\nevent: two"}\n\n',
  ": moth\n\n",
  'id: e1:1\ndata: {"id":1,"text":"家 🦋: é"}\n\n',
].join("");

const WHOLE: Message[] = [
  { event: "epoch", data: '{"epoch":"e1","next":2}' },
  { event: "message", data: '{"id":0,"text":"data: one\\n\\nevent: two"}' },
  { event: "message", data: '{"id":1,"text":"家 🦋: é"}' },
];

function read(pieces: readonly string[]): Message[] {
  const taken: Message[] = [];
  const take = messagesTo((message) => taken.push(message));
  for (const piece of pieces) take(piece);
  return taken;
}

test("messages are read whole, wherever the stream is cut", () => {
  expect(read([TEXT])).toEqual(WHOLE);
  expect(read(TEXT.split(""))).toEqual(WHOLE);
  for (let one = 0; one <= TEXT.length; one++)
    for (let two = one; two <= TEXT.length; two++)
      expect(read([TEXT.slice(0, one), TEXT.slice(one, two), TEXT.slice(two)])).toEqual(WHOLE);
});

test("a message is handed on once its blank line has come, and not before", () => {
  expect(read([TEXT.slice(0, -1)])).toHaveLength(2);
  expect(read([TEXT.slice(0, -1), "\n"])).toEqual(WHOLE);
  expect(read(["data: 1\n", "\n"])).toEqual([{ event: "message", data: "1" }]);
});
