/** What each route is for and what it answers when all is well. Who may ask, with what, and why it refuses stands in `src/routes.ts`. */
import * as parameters from "./parameters.ts";
import type { Parameter } from "./parameters.ts";

const { since, epoch, source, session } = parameters;

export interface Operation {
  id: string;
  tag: "adapters" | "displays" | "page";
  /** One plain sentence. */
  summary: string;
  more?: string;
  query?: Record<string, Parameter>;
  headers?: Record<string, Parameter>;
  /** Anybody may ask; who has the token hears more. */
  tellsMoreWithToken?: true;
  /** A body. */
  example?: object;
  /** By status: the shape of the JSON by its name, or the media types of what is no JSON. */
  answers: Record<number, { says: string; json?: string; media?: string[]; headers?: Record<string, string> }>;
}

const ok = { 200: { says: "It was taken.", json: "OkAnswer" } };
const notices = { 200: { says: "How notifications are doing now.", json: "NotifyAnswer" } };
const whom = { source: "my-agent", session: "8c1f3f2a" };

/** By path. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "/": {
    id: "frontDoor",
    tag: "page",
    summary: "The page for a browser, a few words for a program.",
    more: "HTML for who accepts `text/html`. It holds no secret: what it shows it asks for, with the cookie and the key that `/api/enter` gives.",
    answers: { 200: { says: "The page, or the words.", media: ["text/html", "text/plain"] } },
  },
  "/open": {
    id: "openPage",
    tag: "page",
    summary: "Where a link of `moth open` leads: the page.",
    more: "Whatever the key is worth: the page swaps it by `/api/enter`. To look where a link leads uses nothing up.",
    query: { key: parameters.key },
    answers: { 200: { says: "The page.", media: ["text/html"] } },
  },
  "/api/open": {
    id: "makeLink",
    tag: "page",
    summary: "Makes a link that lets one browser into the page.",
    example: {},
    answers: { 200: { says: "A link, good once and for 60 seconds.", json: "OpenAnswer" } },
  },
  "/api/enter": {
    id: "enterPage",
    tag: "page",
    summary: "Swaps a link's key for what the page asks with: a cookie, and a key of its own.",
    more: "The cookie opens nothing without the key, and nothing is given for a cookie: browsers hand it to every port of this machine.",
    headers: { "Sec-Fetch-Site": parameters.sameOrigin },
    example: { key: "qUx8Yx0b1oM1v2t0xk4JmWc0a3f9s7d5e6g8h1i2j3k" },
    answers: {
      200: {
        says: "The browser is let in. One that is in already keeps its cookie.",
        json: "EnterAnswer",
        headers: { "Set-Cookie": "The page's cookie: `HttpOnly; SameSite=Strict; Path=/`. Its value is no token." },
      },
    },
  },
  "/api/health": {
    id: "health",
    tag: "displays",
    summary: "Tells that moth runs, and which one.",
    answers: { 200: { says: "It runs.", json: "HealthAnswer" } },
  },
  "/api/says": {
    id: "says",
    tag: "displays",
    summary: "moth's own lines, for displays that may know nothing else.",
    more: "Without the token there are no quotes, no names of sessions and none of what moth told the person, and `wait` is passed over. With `source` and `session`: only the lines that answer a turn of just these. `next` counts every event, whatever is left out.",
    query: {
      since,
      epoch,
      source: { ...source, description: "Only lines about this harness." },
      session: { ...session, description: "Only lines about this session." },
      after: parameters.after,
      wait: parameters.seconds("With the token: holds the answer until there is a line."),
    },
    tellsMoreWithToken: true,
    answers: { 200: { says: "The lines.", json: "SaysAnswer" } },
  },
  "/api/sessions": {
    id: "sessions",
    tag: "displays",
    summary: "The roster: every session that moth knows, and what it does.",
    more: "A log that is asked from `next` on tells what comes after it. `cwd` is told to who has the token, not to the page.",
    answers: { 200: { says: "The roster.", json: "SessionsAnswer" } },
  },
  "/api/last": {
    id: "lastReply",
    tag: "displays",
    summary: "The final reply of a session's newest turn, as soon as the turn is over.",
    query: { source: parameters.required(source), session },
    answers: { 200: { says: "The reply, or null.", json: "LastAnswer" } },
  },
  "/api/log": {
    id: "log",
    tag: "displays",
    summary: "The events from a place in the log on; it can wait for the next one.",
    query: { since, epoch, wait: parameters.seconds("Holds the answer until there is something new.") },
    answers: { 200: { says: "The events, and where the next poll goes on.", json: "LogAnswer" } },
  },
  "/api/events": {
    id: "events",
    tag: "displays",
    summary: "The same events as a stream that does not end.",
    more: "Server-sent events. Each is `id: <epoch>:<id>` and `data: <MothEvent>`, on one line each. First, when the reader's epoch is not the log's, and after each reset comes `event: epoch` with `data: <StreamEpoch>`. A comment every 15 seconds keeps it alive.",
    query: { since, epoch },
    headers: { "Last-Event-ID": parameters.lastEventId },
    answers: { 200: { says: "The stream.", media: ["text/event-stream"] } },
  },
  "/api/agent": {
    id: "reportTurn",
    tag: "adapters",
    summary: "An adapter reports the final reply of a turn.",
    example: { ...whom, label: "moth-repo", text: "**Done.** All 12 tests pass.", turn: "t1", outcome: "done", seq: 2 },
    answers: { 200: { says: "It was taken, or had been heard before.", json: "TurnAnswer" } },
  },
  "/api/state": {
    id: "reportState",
    tag: "adapters",
    summary: "An adapter reports what a session does now.",
    example: {
      ...whom,
      label: "moth-repo",
      state: "waiting",
      wait: { id: "w1", kind: "permission", tool: "bash", text: "npm test", answerable: true },
      seq: 1,
      pid: 4242,
    },
    answers: ok,
  },
  "/api/chat": {
    id: "chat",
    tag: "displays",
    summary: "The person says something to moth.",
    example: { text: "who is at work?" },
    answers: { 200: { says: "It was taken. The reply is the `say` event with this `chat`.", json: "ChatAnswer" } },
  },
  "/api/answer": {
    id: "answer",
    tag: "displays",
    summary: "The person answers what a session asks.",
    more: "`choice` is one of the wait's `options`; where it has none, `allow` or `deny` for a permission, `approve` or `reject` for a plan. A question also takes `text` alone. It is answered once the harness has it, after 5 seconds at most. A wait that is not there and an answer that does not fit it are refused too.",
    example: { ...whom, wait: "w1", choice: "deny", text: "Use pnpm.", by: "script" },
    answers: { 200: { says: "The harness has it.", json: "OkAnswer" } },
  },
  "/api/answers": {
    id: "fetchAnswer",
    tag: "adapters",
    summary: "An adapter waits for the person's answer to one wait.",
    more: "Only as long as the wait lasts, one at a time, asked again at once. What comes with an `id` must be told of by `POST /api/taken`.",
    query: {
      source: parameters.required(source),
      session,
      wait: parameters.wait,
      for: parameters.seconds("How long to wait for it."),
    },
    answers: { 200: { says: "The answer; or that the wait is over; or, after the time, nothing: `{}`.", json: "FetchedAnswer" } },
  },
  "/api/order": {
    id: "order",
    tag: "displays",
    summary: "The person sends a session a message, or ends its turn.",
    more: "`takes` in the roster says what a session can be made to do. It is answered once the harness has it and an idle session works, after 8 seconds at most.",
    example: { ...whom, do: "prompt", text: "Now run the tests.", by: "script" },
    answers: { 200: { says: "The harness has it.", json: "OkAnswer" } },
  },
  "/api/orders": {
    id: "fetchOrder",
    tag: "adapters",
    summary: "An adapter waits for the next order of a session.",
    more: "One at a time, asked again at once: as long as one waits, and for a moment after, the session takes such orders. What comes with an `id` must be told of by `POST /api/taken`.",
    query: {
      source: parameters.required(source),
      session,
      takes: parameters.takes,
      for: parameters.seconds("How long to wait for it."),
    },
    answers: { 200: { says: "The order; or, after the time, nothing: `{}`.", json: "FetchedOrder" } },
  },
  "/api/taken": {
    id: "reportTaken",
    tag: "adapters",
    summary: "An adapter tells what became of the answer or the order that it fetched.",
    example: { id: "a-Uu3yrmNPZB1a-1", taken: true },
    answers: { 200: { says: "It was heard.", json: "TakenAnswer" } },
  },
  "/api/reset": {
    id: "reset",
    tag: "displays",
    summary: "Begins a new log, and forgets the talk with moth.",
    example: { everything: false },
    answers: ok,
  },
  "/api/seen": {
    id: "seen",
    tag: "displays",
    summary: "The person has looked, at one session or at all of them.",
    example: whom,
    answers: ok,
  },
  "/api/mute": {
    id: "mute",
    tag: "displays",
    summary: "No notices of one session, or none at all, for a time.",
    example: { ...whom, seconds: 3600 },
    answers: notices,
  },
  "/api/notify": {
    id: "notify",
    tag: "displays",
    summary: "How notifications are doing.",
    answers: notices,
  },
  "/api/notify/test": {
    id: "testNotice",
    tag: "displays",
    summary: "Shows one notice, so that the person sees whether they work.",
    example: {},
    answers: { 200: { says: "Every back-end has tried; `by` is those that showed it.", json: "NotifyAnswer" } },
  },
};
