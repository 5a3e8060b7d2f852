import { expect, test } from "vitest";
import { joinChunks, readHead } from "./http-answer.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

test("a head tells the status, who answered, and how long the body is", () => {
  const head = "HTTP/1.1 200 OK\r\nserver: moth\r\nContent-Length: 12\r\n\r\n";
  expect(readHead(bytes(`${head}{"a":1}`))).toEqual({
    status: 200,
    server: "moth",
    body: head.length,
    length: 12,
    isChunked: false,
  });
});

test("without a length the body goes on to the connection's end, and some answers have none", () => {
  expect(readHead(bytes("HTTP/1.0 200\r\n\r\nhello"))).toMatchObject({ status: 200, length: undefined });
  expect(readHead(bytes("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n"))).toMatchObject({ length: 0 });
});

test.each(["", "H", "HTTP/1", "HTTP/1.1 200 OK\r\nServer: x\r\n"])("%j: more has to come", (text) => {
  expect(readHead(bytes(text))).toBeUndefined();
});

test.each([
  ["SSH", "SSH-2.0-OpenSSH_9.2\r\n"],
  ["TLS", "\u0015\u0003\u0001"],
  ["HTTP/2", "HTTP/2 200\r\n\r\n"],
  ["a status of letters", "HTTP/1.1 abc\r\n\r\n"],
  ["a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"],
  ["a head without end", `HTTP/1.1 200 OK\r\n${"x".repeat(20_000)}`],
])("%s is no HTTP", (_, text) => {
  expect(readHead(bytes(text))).toBe("garbled");
});

test("chunks are joined, whatever stands behind their sizes", () => {
  expect(joinChunks(bytes('7\r\n{"a":12\r\n2;x=y\r\n3}\r\n0\r\n\r\n'))?.toString()).toBe('{"a":123}');
});

test.each(["", "5\r\nab", "5\r\nabcde\r\n", "zz\r\nab\r\n0\r\n\r\n"])("%j: chunks that are not whole are nothing", (text) => {
  expect(joinChunks(bytes(text))).toBeUndefined();
});
