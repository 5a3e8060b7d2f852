/** Requests that no decent client sends, made by chance. */
import { TOKEN_HEADER } from "@moth-companion/core/protocol";
import type { Random } from "./random.ts";

export interface Mischief {
  kind: string;
  bytes: Buffer;
  /**
   * How it is sent: `whole` and then waited for an answer · `slow`, a few bytes at a time, never to the end · `half`, and the sending side
   * closed · `gone`, and the connection torn down at once.
   */
  manner: "whole" | "slow" | "half" | "gone";
}

export interface Target {
  port: number;
  token: string;
}

const PATHS = [
  "/",
  "/open",
  "/api/open",
  "/api/enter",
  "/api/health",
  "/api/says",
  "/api/sessions",
  "/api/last",
  "/api/log",
  "/api/agent",
].concat([
  "/api/state",
  "/api/chat",
  "/api/answer",
  "/api/answers",
  "/api/taken",
  "/api/reset",
  "/api/seen",
  "/api/mute",
  "/api/notify",
]);
const METHODS = [
  "GET",
  "POST",
  "PUT",
  "HEAD",
  "OPTIONS",
  "DELETE",
  "TRACE",
  "get",
  "PRI",
  "CONNECT",
  "M-SEARCH",
  "\u0000",
  "G E T",
];
/** Texts that have broken programs. */
const TEXTS = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "x".repeat(300),
  "__proto__",
  "constructor",
  "\u001b]0;x\u0007",
  "\u202e",
  "💥".repeat(50),
];
const NUMBERS = ["-1", "0", "1e999", "NaN", "1e400", "9007199254740993", "0x10", "-0", "1".repeat(400), "%00", "٣"];

/** A request like one of `mischief`'s, each kind as likely as the others. */
export function mischief(random: Random, target: Target): Mischief {
  const [kind, make] = random.pick(KINDS);
  const made = make(random, target);
  return { kind, manner: "whole", ...(Buffer.isBuffer(made) ? { bytes: made } : made) };
}

type Made = Buffer | Omit<Mischief, "kind">;
const KINDS: readonly [string, (random: Random, target: Target) => Made][] = [
  ["noise", (random) => random.bytes(random.int(1, 2000))],
  ["damaged", (random, target) => damaged(random, decent(random, target))],
  ["malformed head", malformedHead],
  ["wrong body", (random, target) => request(target, "POST", random.pick(PATHS), {}, oddBody(random))],
  ["wrong fields", (random, target) => request(target, "POST", random.pick(PATHS), {}, JSON.stringify(oddReport(random)))],
  ["wrong query", (random, target) => request(target, "GET", `${random.pick(PATHS)}?${oddQuery(random)}`)],
  ["wrong host", wrongHost],
  ["oversized", oversized],
  ["header bomb", headerBomb],
  ["wrong length", wrongLength],
  ["chunks", chunks],
  [
    "upgrade",
    (random, target) => request(target, random.pick(METHODS), "/", { [random.pick(["Upgrade", "Expect", "TE"])]: "h2c" }),
  ],
  ["pipelined", (random, target) => Buffer.concat(Array.from({ length: random.int(2, 20) }, () => part(random, target)))],
  ["half-closed", (random, target) => ({ bytes: cut(random, decent(random, target)), manner: "half" })],
  ["gone", (random, target) => ({ bytes: cut(random, decent(random, target)), manner: "gone" })],
];

/** One that begins and never ends; few of them, since each takes seconds. */
export function slow(random: Random, target: Target): Mischief {
  return { kind: "slow", bytes: cut(random, decent(random, target)), manner: "slow" };
}

function request(
  { port, token }: Target,
  method: string,
  path: string,
  more: Record<string, string> = {},
  body: string | Buffer = "",
): Buffer {
  const headers = {
    Host: `127.0.0.1:${port}`,
    [TOKEN_HEADER]: token,
    ...(method === "POST" && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }),
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n"), "latin1"), Buffer.from(body)]);
}

function decent(random: Random, target: Target): Buffer {
  const about = { source: "chaos", session: `s${random.int(0, 40)}`, label: "chaos" };
  switch (random.int(0, 3)) {
    case 0:
      return request(
        target,
        "GET",
        random.pick(["/api/health", "/api/sessions", "/api/log?since=100000", "/api/says?since=100000"]),
      );
    case 1:
      return request(target, "POST", "/api/agent", {}, JSON.stringify({ ...about, text: `Done ${random.int(0, 1e9)}.` }));
    case 2:
      return request(
        target,
        "POST",
        "/api/state",
        {},
        JSON.stringify({ ...about, state: random.pick(["working", "idle", "gone"]) }),
      );
    default:
      return request(target, "POST", "/api/chat", {}, JSON.stringify({ text: "who is at work?" }));
  }
}

function part(random: Random, target: Target): Buffer {
  return random.oneIn(8) ? mischief(random, target).bytes : decent(random, target);
}

function cut(random: Random, whole: Buffer): Buffer {
  return whole.subarray(0, random.int(1, whole.length - 1));
}

function damaged(random: Random, whole: Buffer): Buffer {
  const bytes = [...whole];
  for (let times = random.int(1, 6); times > 0; times--) {
    const at = random.int(0, bytes.length - 1);
    const more = random.oneIn(2) ? [random.int(0, 255)] : [...whole.subarray(at, at + random.int(1, 40))];
    bytes.splice(at, random.int(0, 2), ...more);
  }
  return Buffer.from(bytes);
}

function malformedHead(random: Random, target: Target): Buffer {
  const { port } = target;
  const [method, path] = [
    random.pick(METHODS),
    random.pick([...PATHS, "", "*", "//", "/../../etc/passwd", "http://x/", "/%", "/é"]),
  ];
  const version = random.pick(["HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "HTTPS/1.1", "", "HTTP/1.1 HTTP/1.1"]);
  const end = random.pick(["\r\n", "\n", "\r", "\r\r\n"]);
  const odd = random.pick([
    ": x",
    "a b: x",
    "x",
    " folded: y",
    "a:\u0000",
    `${"n".repeat(200)}: x`,
    "Cookie: =;;=",
    "Origin: null",
  ]);
  return Buffer.from([`${method} ${path} ${version}`, `Host: 127.0.0.1:${port}`, odd, "", ""].join(end), "latin1");
}

function oddBody(random: Random): string | Buffer {
  const depth = random.int(1, 20_000);
  return random.pick<() => string | Buffer>([
    () => random.bytes(random.int(1, 500)),
    () => "[".repeat(depth),
    () => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
    () => random.pick(["null", "true", "[]", '""', "1", "{", '{"a":1}{"b":2}', "{'a':1}", "\ufeff{}", '{"a":1,}']),
    () => JSON.stringify({ [random.pick(TEXTS)]: random.pick(TEXTS) }),
    () => `{${'"text":"x",'.repeat(random.int(1, 4000))}"text":"y"}`,
  ])();
}

function oddReport(random: Random): object {
  const odd = (): unknown => random.pick<unknown>([null, true, 0, -1, 1e308, [], {}, [[]], { length: 1e9 }, ...TEXTS]);
  const names = [
    "source",
    "session",
    "label",
    "text",
    "turn",
    "state",
    "outcome",
    "seq",
    "pid",
    "wait",
    "ended",
    "pane",
    "seconds",
  ];
  const decent = { source: "chaos", session: "odd", text: "x", state: random.pick(["idle", "working", "waiting"]) };
  const wait = {
    id: "w",
    kind: random.pick(["permission", "question", "plan"]),
    options: [odd(), "a"],
    text: odd(),
    expires: odd(),
  };
  return { ...decent, ...(random.oneIn(3) && { wait }), [random.pick(names)]: odd(), [random.pick(TEXTS)]: odd() };
}

function oddQuery(random: Random): string {
  const names = ["since", "epoch", "wait", "for", "after", "source", "session", "key", "%", "since"];
  const one = (): string => `${random.pick(names)}=${random.pick([...NUMBERS, "%ff", "&&", "=", "a".repeat(3000)])}`;
  return Array.from({ length: random.int(1, 6) }, one).join("&");
}

function wrongHost(random: Random, target: Target): Buffer {
  const hosts = ["", "evil.example", "127.0.0.1", `127.0.0.1:${target.port}, evil`, `[::1]:${target.port}0`, "x".repeat(5000)];
  return request(target, "GET", "/api/sessions", {
    Host: random.pick(hosts),
    Origin: random.pick(["null", "https://evil.example", ""]),
  });
}

function oversized(random: Random, target: Target): Buffer {
  const text = "x".repeat(random.int(65_000, 400_000));
  return request(target, "POST", random.pick(PATHS), {}, JSON.stringify({ source: "chaos", state: "idle", text }));
}

function headerBomb(random: Random, target: Target): Buffer {
  const many = random.oneIn(2);
  const lines = many
    ? Array.from({ length: random.int(100, 5000) }, (_, i) => `X-${i}: ${i}`)
    : [`Cookie: ${`moth-${target.port}=x; `.repeat(random.int(300, 8000))}`];
  return Buffer.from(["GET /api/log HTTP/1.1", `Host: 127.0.0.1:${target.port}`, ...lines, "", ""].join("\r\n"));
}

function wrongLength(random: Random, target: Target): Made {
  const lengths = ["-1", "0", "1", "99999999999999999999", "5, 5", "0x5", "", "+5", "1e3", String(random.int(1, 100_000))];
  const more: Record<string, string> = { "Content-Length": random.pick(lengths) };
  if (random.oneIn(3)) more["Transfer-Encoding"] = random.pick(["chunked", "identity", "gzip, chunked", "chunked, chunked", "x"]);
  return { bytes: request(target, "POST", "/api/agent", more, '{"source":"chaos","text":"short"}'), manner: "half" };
}

function chunks(random: Random, target: Target): Made {
  const sizes = ["5", "0", "g", "-1", "ffffffffffffffff", "5;x=y", `5;${"e".repeat(20_000)}`, "00000000000005", " 5", "5 "];
  const body = Array.from({ length: random.int(1, 30) }, () => `${random.pick(sizes)}\r\nhello\r\n`).join("");
  const head = request(target, "POST", "/api/agent", { "Transfer-Encoding": "chunked" }).toString("latin1");
  return { bytes: Buffer.from(head.replace("Content-Length: 0\r\n", "") + body, "latin1"), manner: "half" };
}
