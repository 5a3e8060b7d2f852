import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createClient as createScriptClient } from "@moth-companion/core/client";
import { talk } from "@moth-companion/core/talk";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../test/support/io.ts";
import { createClient, probe } from "./client.ts";

/** Something on a port that answers every connection with these bytes. */
async function answering(
  bytes: string | undefined,
  host = "127.0.0.1",
): Promise<{ env: Record<string, string>; asked: string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (data) => {
      asked.push(String(data));
      if (bytes !== undefined) socket.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const home = tempFolder();
  mkdirSync(join(home, ".moth"));
  writeFileSync(join(home, ".moth/token"), "a-token-of-twenty-characters\n");
  return {
    env: { HOME: home, MOTH_URL: `http://${host}:${typeof address === "object" && address ? address.port : 0}` },
    asked,
  };
}
const json = (status: string, body: unknown): string => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

test("the token goes in its header, anew for each request", async () => {
  const { env, asked } = await answering(json("200 OK", { epoch: "e", next: 3, sessions: [] }));
  const client = createClient(env);
  expect(await client.sessions()).toEqual({ epoch: "e", next: 3, sessions: [] });
  writeFileSync(join(env["HOME"] ?? "", ".moth/token"), "another-token-of-many-characters");
  await client.sessions();
  expect(asked[0]).toMatch(
    /^GET \/api\/sessions HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nConnection: close\r\nX-Moth-Token: a-token-of-twenty-characters\r\n/,
  );
  expect(asked[1]).toContain("X-Moth-Token: another-token-of-many-characters\r\n");
});

test("one that plays a moth while the person's is asleep does not get the token", async () => {
  const { env, asked } = await answering(json("200 OK", { name: "moth", version: "9.9.9", protocol: 1, pid: 1 }));
  const { HOME = "", MOTH_URL } = env;
  writeFileSync(join(HOME, ".moth/config.json"), JSON.stringify({ port: Number(new URL(MOTH_URL ?? "").port) }));
  await expect(createClient({ HOME, USERPROFILE: HOME }).sessions()).rejects.toMatchObject({ code: "NOT_MOTH" });
  expect(asked.join("")).toContain("GET /api/health ");
  expect(asked.join("")).not.toContain("a-token-of");
});

/** An address that listens here and is, like another machine's, none of those that this one says it has. */
const FAR = "127.0.0.2";

test.runIf(process.platform === "linux")("another machine is called that, and told no token", async () => {
  const { env, asked } = await answering(json("200 OK", { name: "moth", version: "9.9.9", protocol: 1, pid: 1 }), FAR);
  await expect(createClient(env).sessions()).rejects.toMatchObject({
    code: "NOT_MOTH",
    message: `${env["MOTH_URL"]} is another machine, so what answers there was not told the token`,
  });
  expect(asked.join("")).not.toContain("a-token-of");
});

test.runIf(process.platform === "linux")(
  "what runs at the same port here is not called busy for another machine's silence",
  async () => {
    const { env } = await answering("", FAR);
    const { port } = new URL(env["MOTH_URL"] ?? "");
    const run = join(env["HOME"] ?? "", ".moth/run");
    mkdirSync(run);
    const record = { pid: process.pid, host: "127.0.0.1", port: Number(port), version: "1.0.0", started: 0 };
    writeFileSync(join(run, `${port}.json`), JSON.stringify(record));
    expect(await probe(env)).toMatchObject({ found: "nothing" });
    expect(await talk("hello", { env })).not.toMatchObject({ problem: expect.stringContaining("is busy") as string });
  },
);

test("a log poll names where it is and how long it waits", async () => {
  const { env, asked } = await answering(json("200 OK", { epoch: "e", next: 4, events: [] }));
  await createClient(env).log({ since: 3, epoch: "a b", wait: 25 });
  expect(asked[0]).toMatch(/^GET \/api\/log\?since=3&epoch=a\+b&wait=25 /);
});

test.each([
  [
    "a page",
    "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Length: 2\r\n\r\nhi",
    "NOT_MOTH",
    /an HTTP server that answered 200, nginx/,
  ],
  ["another program's 404", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "NOT_MOTH", /answered 404/],
  ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "NOT_MOTH", /does not speak HTTP/],
  ["JSON that is no roster", json("200 OK", [1, 2]), "NOT_MOTH", /is not a moth's/],
  [
    "a refused token",
    json("401 Unauthorized", { error: { code: "TOKEN", message: "no" } }),
    "TOKEN",
    /does not take the token in .*token/,
  ],
  [
    "another refusal",
    json("403 Forbidden", { error: { code: "HOST", message: "not\u001b[2J here" } }),
    "REFUSED",
    /refused: not here \(HOST\)/,
  ],
  ["a closed connection", "", "NOT_RUNNING", /cut off/],
])("%s is told for what it is", async (_, bytes, code, message) => {
  const { env } = await answering(bytes);
  await expect(createClient(env).sessions()).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
});

test.each([
  ["a refusal for want of connections", json("429 Too Many Requests", { error: { code: "BUSY", message: "Too many." } })],
  ["a connection that is cut off where one's own moth runs", ""],
])("%s is told as a moth that is busy, not as none", async (_, bytes) => {
  const { env } = await answering(bytes);
  const run = join(env["HOME"] ?? "", ".moth/run");
  const { port } = new URL(env["MOTH_URL"] ?? "");
  mkdirSync(run);
  const record = { pid: process.pid, host: "127.0.0.1", port: Number(port), version: "1.0.0", started: 0 };
  writeFileSync(join(run, `${port}.json`), JSON.stringify(record));
  await expect(createClient(env).sessions()).rejects.toMatchObject({
    code: "BUSY",
    message: `the moth at ${env["MOTH_URL"]} is busy: it serves as many connections as it can`,
    next: expect.stringContaining("Close some") as string,
  });
  expect(await probe(env)).toMatchObject({ found: "busy" });
  if (bytes === "") await expect(createScriptClient({ env }).sessions()).rejects.toMatchObject({ code: "BUSY" });
  if (bytes === "") expect(await talk("hello", { env })).toMatchObject({ problem: expect.stringContaining("is busy") as string });
});

test("an answer that comes in chunks, and one that ends with its connection, are read whole", async () => {
  const roster = JSON.stringify({ epoch: "e", next: 3, sessions: [] });
  const chunks = [roster.slice(0, 5), roster.slice(5)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("");
  for (const rest of [`Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`, `\r\n${roster}`]) {
    const { env } = await answering(`HTTP/1.1 200 OK\r\n${rest}`);
    expect(await createClient(env).sessions()).toEqual({ epoch: "e", next: 3, sessions: [] });
  }
});

test("an answer that is cut off in the middle is none", async () => {
  const { env } = await answering('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"sessions":[]}');
  await expect(createClient(env).sessions()).rejects.toMatchObject({ code: "NOT_RUNNING" });
});

test("an answer without end is given up", async () => {
  const { env } = await answering(`HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n${"x".repeat(200_000)}`);
  await expect(createClient(env).health()).rejects.toMatchObject({
    code: "NOT_MOTH",
    message: expect.stringContaining("longer than") as string,
  });
});

test("a program that never answers is told apart from none", async () => {
  const { env } = await answering(undefined);
  expect(await probe(env)).toMatchObject({ found: "other", what: "it took the request and never answered" });
});

test("nothing there", async () => {
  const { env } = await answering("");
  expect(await probe({ ...env, MOTH_URL: "http://127.0.0.1:1" })).toEqual({ found: "nothing", url: "http://127.0.0.1:1" });
});

test("health: only what says it is moth is", async () => {
  const moth = await answering(json("200 OK", { name: "moth", version: "1.2.3\u0007", protocol: 1, pid: 42 }));
  expect(await probe(moth.env)).toMatchObject({
    found: "moth",
    health: { name: "moth", version: "1.2.3", protocol: 1, pid: 42 },
  });
  const other = await answering(json("200 OK", { name: "wasp" }));
  expect(await probe(other.env)).toMatchObject({ found: "other" });
});

test("a missing token is an error that names its file, before anything is asked with it", async () => {
  const { env, asked } = await answering(json("200 OK", { name: "moth", version: "1.0.0", protocol: 1, pid: 42 }));
  const home = tempFolder();
  await expect(createClient({ ...env, HOME: home }).sessions()).rejects.toMatchObject({
    code: "TOKEN",
    message: `no usable token in ${join(home, ".moth/token")}`,
  });
  expect(asked.join()).not.toContain("sessions");
});

test("a poll ends with its signal", async () => {
  const { env } = await answering(undefined);
  const leaving = new AbortController();
  const poll = createClient(env).log({ since: 0, epoch: undefined, wait: 25 }, leaving.signal);
  leaving.abort(new Error("bye"));
  await expect(poll).rejects.toThrow("bye");
});

test("events and sessions of a kind that is not known are left out, and what a terminal would obey is taken out", async () => {
  const { env } = await answering(
    json("200 OK", {
      epoch: "e",
      next: 9,
      events: [
        { id: 1, time: 0, kind: "aurora" },
        { id: 2, time: 0, kind: "say", text: "a\u001b]0;x\u0007b\nc", label: "re\npo" },
        { id: 3, time: 0, kind: "card" },
        "what",
        { id: 4, time: 0, kind: "state", source: "x", session: "s", label: "l", state: "waiting", wait: { kind: "dance" } },
      ],
    }),
  );
  const { events } = await createClient(env).log({ since: 0, epoch: undefined });
  expect(events).toEqual([
    { id: 2, time: 0, kind: "say", text: "ab\nc", label: "re po" },
    {
      id: 4,
      time: 0,
      kind: "state",
      source: "x",
      session: "s",
      label: "l",
      state: "waiting",
      wait: { id: "", kind: "permission", answerable: false },
    },
  ]);
});
