import { expect, test } from "vitest";
import { echoVoice, handClock } from "../test/support.ts";
import type { Answer } from "./answer.ts";
import { createAnswerBox } from "./answer-box.ts";
import { createApp } from "./app.ts";
import { DEFAULT_BATCH } from "./batch.ts";
import { createFeed, MAX_WAITING } from "./feed.ts";
import { allowedHosts, tokenCheck } from "./guard.ts";
import { createLog } from "./log.ts";
import { createMoth } from "./moth.ts";
import { createOrderBox } from "./order-box.ts";
import { createOrdering } from "./ordering.ts";
import { createPageKeys } from "./page-keys.ts";
import type { Reply } from "./route.ts";

const TOKEN = "0123456789abcdef";
const JSON_TYPE = "application/json";
const page = (): Promise<{ html: string; policy: string }> =>
  Promise.resolve({ html: "<!doctype html>", policy: "default-src 'none'" });

function app() {
  const clock = handClock();
  const log = createLog(() => "e1");
  const feed = createFeed(log, clock);
  const batch = { ...DEFAULT_BATCH, reactEvery: 0, quietAfter: 0 };
  const moth = createMoth({ clock, batch, voice: echoVoice, log, isAlive: () => true });
  const sources: string[] = [];
  const heard = { note: (source: string) => void sources.push(source), flush: () => undefined };
  const hosts = allowedHosts("127.0.0.1", 4747);
  const keys = createPageKeys(clock, 4747);
  const office = { clock, log, sessions: moth.sessions };
  const orderBox = createOrderBox(office);
  const answering = { answer: () => Promise.resolve({ ok: true as const }) };
  const ask = createApp({
    moth,
    answering,
    ordering: createOrdering({ ...office, doorOf: () => undefined, box: orderBox, offBy: () => undefined, self: "moth" }),
    answerBox: createAnswerBox(office),
    orderBox,
    feed,
    heard,
    hosts,
    hasToken: tokenCheck(TOKEN),
    keys,
    page,
    version: "1.2.3",
    pid: 42,
  });
  /** A request as a good client sends it, unless told otherwise. */
  function request(method: string, target: string, headers: Record<string, string> = {}): Reply {
    const all = { host: "localhost:4747", ...headers };
    return ask({ method, target, headers: all, rawHeaders: Object.entries(all).flat(), onClose: () => undefined });
  }
  async function answer(method: string, target: string, headers?: Record<string, string>, body?: string): Promise<Answer> {
    const reply = request(method, target, headers);
    if ("answer" in reply) return reply.answer;
    if ("onBody" in reply) return reply.onBody(body ?? "");
    throw new Error("This is a stream");
  }
  const post = (target: string, body: string): Promise<Answer> =>
    answer("POST", target, { "x-moth-token": TOKEN, "content-type": JSON_TYPE }, body);
  return { clock, moth, feed, sources, request, answer, post };
}

const code = ({ body }: Answer): unknown => (JSON.parse(body) as { error: { code: string } }).error.code;

test("health tells who is there, to anyone on this machine", async () => {
  const { status, body } = await app().answer("GET", "/api/health");
  expect([status, JSON.parse(body)]).toEqual([200, { name: "moth", version: "1.2.3", protocol: 1, pid: 42 }]);
});

test("the front door says how to look", async () => {
  const { body, headers } = await app().answer("GET", "/");
  expect(body).toContain("moth tail");
  expect(headers["Content-Type"]).toBe("text/plain; charset=utf-8");
});

test("a link of `moth open` is good for a minute", async () => {
  const { answer, post, clock } = app();
  const link = async (): Promise<string> =>
    new URL((JSON.parse((await post("/api/open", "{}")).body) as { url: string }).url).searchParams.get("key")!;
  const enter = (key: string): Promise<Answer> =>
    answer("POST", "/api/enter", { "content-type": JSON_TYPE, "sec-fetch-site": "same-origin" }, JSON.stringify({ key }));
  const [early, late] = [await link(), await link()];
  clock.advance(59_000);
  expect(await enter(early)).toMatchObject({ status: 200, headers: { "Set-Cookie": expect.any(String) as string } });
  clock.advance(1000);
  const stale = await enter(late);
  expect([stale.status, code(stale), stale.headers["Set-Cookie"]]).toEqual([403, "LINK", undefined]);
});

test.each<[string, string, Record<string, string>, number, string]>([
  ["GET", "/api/health", { host: "evil.example" }, 403, "HOST"],
  ["POST", "/api/nothing", { host: "evil.example" }, 403, "HOST"],
  ["GET", "/api/nothing", {}, 404, "NOT_FOUND"],
  ["GET", "/api/health/", {}, 404, "NOT_FOUND"],
  ["GET", "//api/health", {}, 404, "NOT_FOUND"],
  ["GET", "/api/../api/health", {}, 404, "NOT_FOUND"],
  ["GET", "/api/health%00", {}, 404, "NOT_FOUND"],
  ["GET", "/api/%68ealth", {}, 404, "NOT_FOUND"],
  ["GET", "/API/health", {}, 404, "NOT_FOUND"],
  ["GET", "http://localhost:4747/api/health", {}, 404, "NOT_FOUND"],
  ["GET", "/__proto__", {}, 404, "NOT_FOUND"],
  ["GET", "/constructor", {}, 404, "NOT_FOUND"],
  ["GET", "", {}, 404, "NOT_FOUND"],
  ["OPTIONS", "*", {}, 404, "NOT_FOUND"],
  ["GET", "/api/agent", {}, 405, "METHOD"],
  ["HEAD", "/api/health", {}, 405, "METHOD"],
  ["PUT", "/api/agent", {}, 405, "METHOD"],
  ["DELETE", "/api/log", {}, 405, "METHOD"],
  ["POST", "/api/log", {}, 405, "METHOD"],
  ["OPTIONS", "/api/log", {}, 405, "METHOD"],
  ["GET", "/api/log", {}, 401, "TOKEN"],
  ["GET", "/api/log", { "x-moth-token": "wrong" }, 401, "TOKEN"],
  ["GET", "/api/events", {}, 401, "TOKEN"],
  ["GET", "/api/sessions", {}, 401, "TOKEN"],
  ["GET", "/api/last?source=pi", {}, 401, "TOKEN"],
  ["GET", "/api/last?source=pi", { "x-moth-token": TOKEN }, 404, "NO_SESSION"],
  ["GET", "/api/last", { "x-moth-token": TOKEN }, 404, "NO_SESSION"],
  ["GET", `/api/log?token=${TOKEN}`, {}, 401, "TOKEN"],
  ["POST", "/api/open", { "content-type": JSON_TYPE }, 401, "TOKEN"],
  ["GET", "/api/open", {}, 405, "METHOD"],
  ["GET", "/api/enter", {}, 405, "METHOD"],
  ["POST", "/api/enter", { "content-type": JSON_TYPE }, 403, "ORIGIN"],
  ["POST", "/api/enter", { "content-type": JSON_TYPE, "x-moth-token": TOKEN }, 403, "ORIGIN"],
  ["POST", "/open", {}, 405, "METHOD"],
  ["POST", "/api/agent", { "content-type": JSON_TYPE }, 401, "TOKEN"],
  ["POST", "/api/state", { "content-type": JSON_TYPE }, 401, "TOKEN"],
  ["POST", "/api/chat", { "content-type": JSON_TYPE }, 401, "TOKEN"],
  ["POST", "/api/reset", { "content-type": JSON_TYPE }, 401, "TOKEN"],
  ["POST", "/api/seen", { "content-type": JSON_TYPE }, 401, "TOKEN"],
  ["POST", "/api/mute", { "content-type": JSON_TYPE }, 401, "TOKEN"],
  ["POST", "/api/notify/test", { "content-type": JSON_TYPE }, 401, "TOKEN"],
  ["GET", "/api/notify", {}, 401, "TOKEN"],
  ["POST", "/api/notify", { "content-type": JSON_TYPE }, 405, "METHOD"],
  ["POST", "/api/agent", { "x-moth-token": TOKEN }, 415, "CONTENT_TYPE"],
  ["POST", "/api/agent", { "x-moth-token": TOKEN, "content-type": "text/plain" }, 415, "CONTENT_TYPE"],
  ["POST", "/api/agent", { "x-moth-token": TOKEN, "content-type": "application/jsonp" }, 415, "CONTENT_TYPE"],
  ["POST", "/api/agent", { "x-moth-token": TOKEN, "content-type": "text/plain, application/json" }, 415, "CONTENT_TYPE"],
  ["POST", "/api/agent", { "x-moth-token": TOKEN, "content-type": JSON_TYPE, "content-length": "65537" }, 413, "TOO_LARGE"],
  ["POST", "/api/agent", { "x-moth-token": TOKEN, "content-type": JSON_TYPE, origin: "https://evil.example" }, 403, "ORIGIN"],
  ["POST", "/api/agent", { "x-moth-token": TOKEN, "content-type": JSON_TYPE, origin: "null" }, 403, "ORIGIN"],
  ["POST", "/api/agent", { "x-moth-token": TOKEN, "content-type": JSON_TYPE, origin: "file://" }, 403, "ORIGIN"],
  ["OPTIONS", "/api/log", { origin: "null", "access-control-request-method": "GET" }, 403, "ORIGIN"],
  ["OPTIONS", "/api/agent", { origin: "https://evil.example", "access-control-request-method": "POST" }, 403, "ORIGIN"],
  ["GET", "/api/log?since=-1", { "x-moth-token": TOKEN }, 400, "BAD_QUERY"],
  ["GET", "/api/log?since=1e3", { "x-moth-token": TOKEN }, 400, "BAD_QUERY"],
  ["GET", "/api/log?wait=soon", { "x-moth-token": TOKEN }, 400, "BAD_QUERY"],
  ["GET", "/api/says?since=x", {}, 400, "BAD_QUERY"],
  ["GET", "/api/events?since=x", { "x-moth-token": TOKEN }, 400, "BAD_QUERY"],
])("%s %s with %j is refused: %i %s", async (method, target, headers, status, expected) => {
  const answer = await app().answer(method, target, headers);
  expect([answer.status, code(answer)]).toEqual([status, expected]);
});

test("a wrong method is told the right one", async () => {
  expect((await app().answer("GET", "/api/agent")).headers["Allow"]).toBe("POST");
  expect((await app().answer("POST", "/api/log")).headers["Allow"]).toBe("GET");
});

test.each([
  ["", "BAD_JSON"],
  ["{", "BAD_JSON"],
  ["[]", "BAD_JSON"],
  ["null", "BAD_JSON"],
  [`"text"`, "BAD_JSON"],
  [`{"text":"Done."}`, "BAD_FIELD"],
  ["{}", "BAD_FIELD"],
])("the body %j is refused: %s", async (body, expected) => {
  const answer = await app().post("/api/agent", body);
  expect([answer.status, code(answer)]).toEqual([400, expected]);
});

test.each(["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8", "application/json ; x=y"])(
  "a body of type %s is read",
  async (type) => {
    const { status } = await app().answer(
      "POST",
      "/api/chat",
      { "x-moth-token": TOKEN, "content-type": type },
      `{"text":"hello"}`,
    );
    expect(status).toBe(200);
  },
);

test("a turn is heard, a repeat of it is told as such, and both count as a sign of life", async () => {
  const { post, sources, moth } = app();
  const turn = JSON.stringify({ text: "Done.", source: "pi", session: "s1", turn: "t1" });
  expect((await post("/api/agent", turn)).body).toBe(`{"ok":true}`);
  expect((await post("/api/agent", turn)).body).toBe(`{"ok":true,"duplicate":true}`);
  await post("/api/state", JSON.stringify({ state: "working", source: "codex" }));
  expect(sources).toEqual(["pi", "pi", "codex"]);
  expect(moth.roster().sessions.map(({ source }) => source)).toEqual(["pi", "codex"]);
});

test("a reset forgets", async () => {
  const { post, moth } = app();
  await post("/api/state", JSON.stringify({ state: "working", source: "pi" }));
  expect((await post("/api/reset", "{}")).body).toBe(`{"ok":true}`);
  expect([moth.log.next, moth.roster().sessions.length]).toEqual([0, 1]);
  await post("/api/reset", `{"everything":true}`);
  expect(moth.roster().sessions).toEqual([]);
});

test("the log is read from a position; an empty parameter counts as none", async () => {
  const { answer, post } = app();
  for (const text of ["a", "b"]) await post("/api/chat", JSON.stringify({ text }));
  const read = async (query: string): Promise<number[]> => {
    const { body } = await answer("GET", `/api/log?${query}`, { "x-moth-token": TOKEN });
    return (JSON.parse(body) as { events: { id: number; kind: string }[] }).events
      .filter(({ kind }) => kind === "chat")
      .map(({ id }) => id);
  };
  expect(await read("")).toHaveLength(2);
  expect(await read("since=&epoch=&wait=")).toHaveLength(2);
  expect(await read("since=1&epoch=e1")).not.toContain(0);
  expect(await read("since=1&epoch=e0")).toHaveLength(2);
});

test("says need no token; the quote does", async () => {
  const { answer, moth } = app();
  moth.log.append(
    { kind: "say", text: "nice", quote: "the agent's words", source: "pi", session: "s1", label: "secret-project", card: 7 },
    0,
  );
  const open = await answer("GET", "/api/says?since=0");
  expect(JSON.parse(open.body)).toEqual({ epoch: "e1", next: 1, says: [{ text: "nice" }] });
  expect(JSON.parse((await answer("GET", "/api/says", { "x-moth-token": "wrong" })).body)).toMatchObject({
    says: [{ text: "nice" }],
  });
  expect((await answer("GET", "/api/says", { "x-moth-token": TOKEN })).body).toContain("the agent's words");
  expect((await answer("GET", "/api/says?source=codex")).body).toContain(`"says":[]`);
  expect((await answer("GET", "/api/says?source=pi&session=s1")).body).toContain("nice");
});

test.each([
  ["http://localhost:3000", "/api/says", true],
  ["http://localhost:3000", "/api/health", true],
  ["http://localhost:3000", "/api/log", true],
  ["http://localhost:3000", "/nothing", true],
  ["null", "/api/says", true],
  ["app://desk", "/api/says", true],
  ["null", "/api/health", false],
  ["file://", "/api/log", false],
  ["https://evil.example", "/api/says", false],
  ["https://evil.example", "/api/health", false],
])("a page of %s that asks %s may read the answer: %s", async (origin, target, mayRead) => {
  const { headers } = await app().answer("GET", target, { origin });
  expect(headers["Access-Control-Allow-Origin"]).toBe(mayRead ? origin : undefined);
});

test("a local page may read refusals too, and post with the token", async () => {
  const { answer } = app();
  const headers = { origin: "http://127.0.0.1:3000", "x-moth-token": TOKEN, "content-type": JSON_TYPE };
  const refused = await answer("POST", "/api/chat", headers, "[]");
  expect([refused.status, refused.headers["Access-Control-Allow-Origin"]]).toEqual([400, "http://127.0.0.1:3000"]);
  expect((await answer("POST", "/api/chat", headers, `{"text":"hi"}`)).status).toBe(200);
  const preflight = await answer("OPTIONS", "/api/chat", { origin: headers.origin, "access-control-request-method": "POST" });
  expect([preflight.status, preflight.headers["Access-Control-Allow-Methods"]]).toEqual([204, "POST"]);
});

test("a stream takes up after the last event that arrived", () => {
  const { request, moth } = app();
  for (const text of ["a", "b", "c"]) moth.log.append({ kind: "chat", text }, 0);
  const read = (headers: Record<string, string>, query = ""): string[] => {
    const reply = request("GET", `/api/events${query}`, { "x-moth-token": TOKEN, ...headers });
    if (!("stream" in reply)) throw new Error("This is no stream");
    let text = "";
    reply.stream({ write: (more) => ((text += more), true), end: () => undefined, drop: () => undefined }).onClose();
    return [...text.matchAll(/"text":"(.)"/g)].map(([, letter]) => letter!);
  };
  expect(read({})).toEqual(["a", "b", "c"]);
  expect(read({}, "?since=2&epoch=e1")).toEqual(["c"]);
  expect(read({ "last-event-id": "e1:0" })).toEqual(["b", "c"]);
  expect(read({ "last-event-id": "e0:1" })).toEqual(["a", "b", "c"]);
  expect(read({ "last-event-id": "garbage" })).toEqual(["a", "b", "c"]);
});

test("more displays than there is room for are told so", async () => {
  const { answer, request, feed } = app();
  for (let i = 0; i < MAX_WAITING; i++) request("GET", "/api/log?wait=5", { "x-moth-token": TOKEN });
  expect(feed.hasRoom).toBe(false);
  for (const target of ["/api/log?wait=5", "/api/events"]) {
    const refused = await answer("GET", target, { "x-moth-token": TOKEN });
    expect([refused.status, code(refused)]).toEqual([429, "BUSY"]);
  }
  expect((await answer("GET", "/api/log", { "x-moth-token": TOKEN })).status).toBe(200);
});
