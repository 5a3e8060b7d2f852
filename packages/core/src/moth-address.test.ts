import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isHost, isPort, mothAddress } from "./config.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-address-"));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});
const write = (text: string): void => writeFileSync(join(home, "config.json"), text);

test("without a word of the person moth is at its default address", () => {
  expect(mothAddress({ MOTH_HOME: home })).toEqual({ host: "127.0.0.1", port: 4747 });
});

test("host and port of the settings file move it", () => {
  write(`{"host": "192.168.1.5", "port": 5000}`);
  expect(mothAddress({ MOTH_HOME: home })).toEqual({ host: "192.168.1.5", port: 5000 });
});

test("MOTH_URL beats the file as a whole", () => {
  write(`{"host": "192.168.1.5", "port": 5000}`);
  expect(mothAddress({ MOTH_HOME: home, MOTH_URL: "http://127.0.0.1:6000" })).toEqual({ host: "127.0.0.1", port: 6000 });
});

test("a MOTH_URL that is none leaves nothing to talk to, whatever the file says", () => {
  write(`{"port": 5000}`);
  expect(mothAddress({ MOTH_HOME: home, MOTH_URL: "https://127.0.0.1:6000" })).toBeUndefined();
});

test.each([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
])("a server that listens on %s is reached at %s", (host, reached) => {
  write(JSON.stringify({ host }));
  expect(mothAddress({ MOTH_HOME: home })).toEqual({ host: reached, port: 4747 });
});

test.each([
  `{"port": 0}`,
  `{"port": 70000}`,
  `{"port": "x"}`,
  `{"host": "a b"}`,
  `{"host": 7}`,
  `{"host": "-1"}`,
  `{"host": "evil\\r\\nX: y"}`,
  `{ broken`,
])("the bad value in %s counts as missing", (text) => {
  write(text);
  expect(mothAddress({ MOTH_HOME: home })).toEqual({ host: "127.0.0.1", port: 4747 });
});

test.each([1, 4747, 65_535, "80"])("%j is a port", (value) => {
  expect(isPort(value)).toBe(true);
});
test.each([0, -1, 1.5, 65_536, "", "80 ", "0x50", true, null, undefined])("%j is no port", (value) => {
  expect(isPort(value)).toBe(false);
});
test.each([
  "127.0.0.1",
  "localhost",
  "::1",
  "fe80::1%eth0",
  "my-box.local",
  "my_box",
  "::ffff:127.0.0.1",
  "0.0.0.0",
  "box.",
  "xn--bcher-kva",
])("%s is a host", (value) => {
  expect(isHost(value)).toBe(true);
});
test.each([
  "",
  "http://x",
  "a:80",
  "[::1]",
  "a b",
  "a/b",
  5,
  null,
  "-1",
  "a-.b",
  "-",
  ".",
  "a..b",
  "1",
  "127.0.0.256",
  "127.1",
  "1.2.3.4.5",
  ":::",
  "12345::",
  "::g",
])("%j is no host", (value) => {
  expect(isHost(value)).toBe(false);
});

test.each(["http://-1:4747", "http://a..b:4747"])("%s is no address of a moth", (url) => {
  expect(mothAddress({ MOTH_HOME: home, MOTH_URL: url })).toBeUndefined();
});
