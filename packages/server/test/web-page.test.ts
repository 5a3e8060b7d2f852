/** What a page in the person's browser can send to moth without asking: its own site's name made to lead here, forms, requests without an origin. */
import { networkInterfaces } from "node:os";
import { expect, test, vi } from "vitest";
import type { LogAnswer } from "@moth-companion/core/protocol";
import { ask, type AskOptions, get, started } from "./support.ts";

const ROUTES: readonly AskOptions[] = [
  { path: "/", headers: { Accept: "text/html" } },
  ...["/open?key=x", "/api/health", "/api/says", "/api/sessions", "/api/last", "/api/log", "/api/events", "/api/notify"].map(
    (path) => ({ path }),
  ),
  ...[
    "/api/open",
    "/api/enter",
    "/api/agent",
    "/api/state",
    "/api/chat",
    "/api/answer",
    "/api/taken",
    "/api/reset",
    "/api/seen",
    "/api/mute",
  ].map((path) => ({
    method: "POST",
    path,
    body: `{"text":"x","source":"pi","state":"idle","wait":"w","choice":"allow","id":"i","taken":true}`,
  })),
];

test("a site whose name leads here (DNS rebinding), and a request without a Host, are refused on every route, with the token too", async () => {
  const server = await started();
  for (const Host of [
    undefined,
    "evil.example",
    `evil.example:${server.port}`,
    `localhost.evil.example:${server.port}`,
    "0.0.0.0",
  ]) {
    for (const route of ROUTES) {
      const answer = await ask(server, { ...route, headers: { ...route.headers, Host } });
      expect([Host, route.path, answer.status, answer.headers["access-control-allow-origin"]]).toEqual([
        Host,
        route.path,
        403,
        undefined,
      ]);
      expect(answer.body).toContain('"HOST"');
    }
  }
  expect((await get<LogAnswer>(server, "/api/log")).events).toEqual([]);
});

test("posts of a foreign or hidden origin are refused on every route, with the token too", async () => {
  const server = await started();
  for (const Origin of [
    "https://evil.example",
    "null",
    "file://",
    "app://x",
    "",
    `http://127.0.0.1.evil.example:${server.port}`,
  ]) {
    for (const route of ROUTES.filter(({ method }) => method === "POST")) {
      const answer = await ask(server, { ...route, headers: { Origin } });
      expect([Origin, route.path, answer.status]).toEqual([Origin, route.path, 403]);
    }
  }
  expect((await get<LogAnswer>(server, "/api/log")).events).toEqual([]);
});

test.each([
  ["application/x-www-form-urlencoded", "text=hello&source=pi"],
  ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello\r\n--x--\r\n'],
  ["text/plain", '{"text":"hello","x":"="}'],
  ["text/plain; charset=application/json", '{"text":"hello"}'],
  [undefined, '{"text":"hello"}'],
])("a form that is sent as %s says nothing, from wherever it comes", async (type, body) => {
  const server = await started();
  for (const Origin of [undefined, server.url, "http://localhost:3000", "null", "https://evil.example"]) {
    const answer = await ask(server, { method: "POST", path: "/api/chat", body, headers: { "Content-Type": type, Origin } });
    expect([Origin, [403, 415].includes(answer.status)]).toEqual([Origin, true]);
  }
  expect((await get<LogAnswer>(server, "/api/log")).events).toEqual([]);
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
test.skipIf(!hasIpv6)("at [::1] moth answers to its own names as well, and to no other", async () => {
  const server = await started({ host: "::1" });
  expect(server.url).toBe(`http://[::1]:${server.port}`);
  const headers = { "X-Moth-Token": server.token };
  const { epoch } = (await (await fetch(`${server.url}/api/log`, { headers })).json()) as LogAnswer;
  expect(epoch).toMatch(/./);
  expect((await fetch(`${server.url}/api/log`)).status).toBe(401);
  // It is not at the other loopback, where somebody else may have a port of that number.
  const there = await fetch(`http://127.0.0.1:${server.port}/api/log`, { headers }).then(
    (answer) => answer.text(),
    () => "",
  );
  expect(there).not.toContain(epoch);
});

test("a token is compared in the same steps, whatever was given", async () => {
  const compared: [number, number][] = [];
  vi.doMock("node:crypto", async (original) => ({
    ...(await original<object>()),
    timingSafeEqual: (a: Buffer, b: Buffer) => (compared.push([a.length, b.length]), a.equals(b)),
  }));
  vi.resetModules();
  const { tokenCheck } = await import("../src/guard.ts");
  vi.doUnmock("node:crypto");
  const token = "0123456789abcdef";
  const isToken = tokenCheck(token);
  const given = [token, `x${token.slice(1)}`, `${token.slice(0, -1)}x`, "", undefined, "0", token.repeat(100), "é".repeat(16)];
  expect(given.map((one) => isToken(one))).toEqual([true, ...given.slice(1).map(() => false)]);
  expect(compared).toEqual(given.map(() => [16, 16]));
});
