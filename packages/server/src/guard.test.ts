import { expect, test } from "vitest";
import { allowedHosts, corsHeaders, isAllowedHost, originOf, preflight, tokenCheck } from "./guard.ts";

const hosts = allowedHosts("127.0.0.1", 4747);

test.each([
  ["127.0.0.1:4747", true],
  ["localhost:4747", true],
  ["LocalHost:4747", true],
  ["[::1]:4747", true],
  ["", false],
  ["127.0.0.1", false],
  ["localhost", false],
  ["localhost:4748", false],
  ["localhost:47470", false],
  ["localhost:04747", false],
  ["localhost.:4747", false],
  ["127.0.0.1.evil.example:4747", false],
  ["localhost.evil.example:4747", false],
  ["evil.example:4747", false],
  ["127.1:4747", false],
  ["0.0.0.0:4747", false],
  ["2130706433:4747", false],
  ["::1:4747", false],
  ["[::ffff:127.0.0.1]:4747", false],
  ["user@localhost:4747", false],
  ["localhost:4747, evil.example", false],
  ["ｌocalhost:4747", false],
])("a request for the host %j is answered: %s", (host, expected) => {
  expect(isAllowedHost(["Accept", "*/*", "Host", host], hosts)).toBe(expected);
});

test("a request without a Host, or with two, is not answered", () => {
  expect(isAllowedHost([], hosts)).toBe(false);
  expect(isAllowedHost(["X-Forwarded-Host", "localhost:4747"], hosts)).toBe(false);
  expect(isAllowedHost(["host", "localhost:4747", "HOST", "evil.example"], hosts)).toBe(false);
  expect(isAllowedHost(["host", "localhost:4747", "Host", "localhost:4747"], hosts)).toBe(false);
});

test("the address it was told to listen on is one more host", () => {
  const more = allowedHosts("Studio.local", 4747);
  expect(isAllowedHost(["Host", "studio.local:4747"], more)).toBe(true);
  expect(isAllowedHost(["Host", "localhost:4747"], more)).toBe(true);
  expect(isAllowedHost(["Host", "[fe80::1]:4747"], allowedHosts("fe80::1", 4747))).toBe(true);
});

test("on port 80 the port may be left out, elsewhere not", () => {
  expect(isAllowedHost(["Host", "localhost"], allowedHosts("127.0.0.1", 80))).toBe(true);
  expect(isAllowedHost(["Host", "[::1]"], allowedHosts("127.0.0.1", 80))).toBe(true);
});

test.each([
  [undefined, "none"],
  ["http://localhost", "local"],
  ["http://localhost:3000", "local"],
  ["https://localhost:8443", "local"],
  ["http://127.0.0.1:4747", "local"],
  ["http://[::1]:4747", "local"],
  ["null", "shell"],
  ["file://", "shell"],
  ["app://hermes", "shell"],
  ["", "foreign"],
  ["https://evil.example", "foreign"],
  ["http://localhost.evil.example", "foreign"],
  ["http://evil.example/http://localhost", "foreign"],
  ["http://localhost:80a", "foreign"],
  ["http://localhost@evil.example", "foreign"],
  ["http://127.0.0.1.evil.example", "foreign"],
  ["http://127.0.0.2", "foreign"],
  ["https://app.example", "foreign"],
  ["chrome-extension://abc", "foreign"],
  ["http://localhost, null", "foreign"],
])("the origin %j is %s", (header, origin) => {
  expect(originOf(header)).toBe(origin);
});

test("a local page may read every answer, a shell only the public ones, nobody else any", () => {
  expect(corsHeaders("http://localhost:3000", "local")).toEqual({
    "Access-Control-Allow-Origin": "http://localhost:3000",
    Vary: "Origin",
  });
  expect(corsHeaders("null", "public")).toEqual({ "Access-Control-Allow-Origin": "null", Vary: "Origin" });
  expect(corsHeaders("null", "local")).toEqual({});
  expect(corsHeaders("https://evil.example", "public")).toEqual({});
  expect(corsHeaders(undefined, "public")).toEqual({});
});

test("a preflight lets a local page send the token and JSON, a shell nothing but a plain question", () => {
  expect(preflight("http://localhost:3000", "local", "POST")).toEqual({
    "Access-Control-Allow-Origin": "http://localhost:3000",
    Vary: "Origin",
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "Content-Type, X-Moth-Token, Last-Event-ID",
    "Access-Control-Max-Age": "600",
  });
  expect(preflight("file://", "public", "GET")).not.toHaveProperty("Access-Control-Allow-Headers");
  expect(preflight("file://", "local", "GET")).toBeUndefined();
  expect(preflight("https://evil.example", "public", "GET")).toBeUndefined();
  expect(preflight(undefined, "public", "GET")).toBeUndefined();
});

test("only the whole token is the token", () => {
  const token = "abcdefghijklmnop";
  const isToken = tokenCheck(token);
  expect(isToken(token)).toBe(true);
  for (const other of [
    undefined,
    "",
    token.slice(0, -1),
    `${token}x`,
    token.toUpperCase(),
    `${token} `,
    "ａbcdefghijklmnop",
    `${token}, ${token}`,
  ]) {
    expect(isToken(other)).toBe(false);
  }
  expect(isToken(token)).toBe(true);
});
