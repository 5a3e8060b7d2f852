import type { StateReport, TurnReport } from "@moth-companion/core/protocol";
import type { Event as BusEvent } from "@opencode-ai/sdk/v2";
import { expect, test, vi } from "vitest";
import { type Info, readEvent, readInfo } from "./event.ts";
import { createListener, type Listener } from "./listener.ts";

/** Its label beside it when it is not the usual one. */
const whose = (report: TurnReport | StateReport): string =>
  `${report.session}${report.label === "repo" ? "" : `@${report.label}`}`;

/** A listener and what it says, one line per report: `a working`, `a "text"`. */
function listen(
  infos: Record<string, Info> = {},
  oneWindow = false,
): {
  listener: Listener;
  said: string[];
  give: (...events: Event[]) => void;
} {
  const said: string[] = [];
  const listener = createListener({
    source: "x",
    pid: 1,
    folder: "/home/me/elsewhere",
    oneWindow,
    reports: {
      turn: (report) => said.push(`${whose(report)} ${JSON.stringify(report.text)} ${report.outcome}`),
      state: (report) => {
        const more = report.wait?.id ?? report.ended ?? report.outcome;
        said.push(`${whose(report)} ${report.state}${more ? ` ${more}` : ""}`);
      },
    },
    lookUp: (id) => Promise.resolve(infos[id]),
  });
  const give = (...events: Event[]): void => {
    for (const [type, properties] of events) {
      const heard = readEvent({ type, properties });
      if (heard) listener.hear(heard);
    }
  };
  return { listener, said, give };
}

/** Events by the names the harness's own types give them. */
type Event = [BusEvent["type"], object];
const created = (id: string, parentID?: string): Event => [
  "session.created",
  { sessionID: id, info: { id, directory: "/home/me/repo", ...(parentID && { parentID }) } },
];
const busy = (id: string): Event => ["session.status", { sessionID: id, status: { type: "busy" } }];
const idle = (id: string): Event[] => [
  ["session.status", { sessionID: id, status: { type: "idle" } }],
  ["session.idle", { sessionID: id }],
];
const message = (sessionID: string, id: string, more: object = {}, time: object = { created: 1 }): Event => [
  "message.updated",
  { sessionID, info: { id, role: "assistant", time, ...more } },
];
const part = (sessionID: string, messageID: string, text: string, more: object = {}): Event => [
  "message.part.updated",
  { sessionID, part: { id: `prt_${text}`, messageID, type: "text", text, ...more } },
];
const fails = (sessionID: string, statusCode: number): Event => [
  "session.error",
  { sessionID, error: { name: "APIError", data: { statusCode } } },
];
/** A message from its beginning to its end. */
const says = (session: string, id: string, text: string, more: object = {}): Event[] => [
  message(session, id, more),
  part(session, id, text),
  message(session, id, { finish: "stop", ...more }, { created: 1, completed: 2 }),
];
const asks = (sessionID: string, id: string): Event => ["permission.asked", { sessionID, id, permission: "bash" }];
const answers = (sessionID: string, requestID: string): Event => ["permission.replied", { sessionID, requestID, reply: "once" }];

test("a reply that is reported complete twice is heard once", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), ...says("a", "m", "Hi."), ...says("a", "m", "Hi.").slice(2), ...idle("a"));
  expect(said).toEqual(["a working", 'a "Hi." done', "a idle done"]);
});

test("the parts of a reply are put together in order; what the harness added is left out", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), message("a", "m"), part("a", "m", "One."), part("a", "m", "Made up.", { synthetic: true }));
  give(part("a", "m", "Two."), part("a", "m", "Unseen.", { ignored: true }), part("a", "m", "One."));
  give(message("a", "m", { finish: "stop" }, { completed: 2 }));
  expect(said.at(-1)).toBe('a "One.\\n\\nTwo." done');
});

test("a reply that is cut off by the model's limit says so", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), ...says("a", "m", "Long.", { finish: "length" }), ...idle("a"));
  expect(said).toEqual(["a working", 'a "Long." limit', "a idle limit"]);
});

test("a usage limit is told from a failure", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), fails("a", 429), ...idle("a"), busy("a"), fails("a", 500), ...idle("a"));
  expect(said).toEqual(["a working", "a idle limit", "a working", "a idle failed"]);
});

test("a summary is no reply, and what the agent adds when the harness makes it go on after its reply is none either", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), ...says("a", "m1", "The reply.", { parentID: "u1" }));
  give(...says("a", "m2", "A summary.", { parentID: "u2", summary: true }));
  give(part("a", "u3", "Continue.", { synthetic: true, metadata: { compaction_continue: true } }));
  give(...says("a", "m3", "Nothing more.", { parentID: "u3" }), ...idle("a"));
  give(busy("a"), ...says("a", "m4", "The next.", { parentID: "u4" }), ...idle("a"));
  expect(said).toEqual(["a working", 'a "The reply." done', "a idle done", "a working", 'a "The next." done', "a idle done"]);
});

test("when room had to be made in the middle of a turn, what comes after is its reply", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), ...says("a", "m1", "Let me see.", { parentID: "u1", finish: "tool-calls" }));
  give(...says("a", "m2", "A summary.", { parentID: "u2", summary: true }));
  give(part("a", "u3", "Continue.", { synthetic: true, metadata: { compaction_continue: true } }));
  give(...says("a", "m3", "The reply.", { parentID: "u3" }), ...idle("a"));
  expect(said).toEqual(["a working", 'a "The reply." done', "a idle done"]);
});

test("a subagent is heard by what it asks only, as its session", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), created("b", "a"), busy("b"), asks("b", "p1"), busy("a"), busy("b"), asks("b", "p2"));
  give(answers("b", "p1"), answers("b", "p2"), ...says("b", "m1", "To my parent."), ...idle("b"));
  give(...says("a", "m2", "To the person."), ...idle("a"));
  expect(said).toEqual([
    "a working",
    "a waiting p1",
    "a waiting p2",
    "a working p1",
    "a working p2",
    'a "To the person." done',
    "a idle done",
  ]);
});

test("a session works as long as a subagent of it does, though it has replied itself", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), created("b", "a"), busy("b"), created("c", "b"), busy("c"), ...says("a", "m", "It is at it."));
  give(...idle("a"), ...idle("b"));
  expect(said).toEqual(["a working", 'a "It is at it." done']);
  give(...idle("c"));
  expect(said.at(-1)).toBe("a idle done");
});

test("a session that is met after its subagent still tells how its own turn ended", () => {
  const { said, give } = listen();
  give(created("b", "a"), busy("b"), ...idle("b"), created("a"), busy("a"), fails("a", 500), ...idle("a"));
  expect(said).toEqual(["a working", "a idle", "a working", "a idle failed"]);
});

test("the dialogs of a subagent that ends go with it; those of others stay", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), created("b", "a"), busy("b"), created("c", "a"), busy("c"), asks("b", "p1"), asks("c", "p2"));
  give(...idle("b"), busy("a"));
  expect(said).toEqual(["a working", "a waiting p1", "a waiting p2", "a working p1"]);
  give(["session.deleted", { sessionID: "c", info: { id: "c" } }]);
  expect(said.at(-1)).toBe("a working p2");
});

test("an answer that comes after the turn was stopped does not make the session work", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), asks("a", "p"), ["session.error", { sessionID: "a", error: { name: "MessageAbortedError" } }]);
  give(...idle("a"), answers("a", "p"), ...idle("a"));
  expect(said).toEqual(["a working", "a waiting p", "a idle interrupted"]);
});

test("sessions in one process do not touch each other", () => {
  const { said, give, listener } = listen();
  give(created("a"), created("b"), busy("a"), busy("b"), message("a", "m"), message("b", "m"), part("a", "m", "Of a."));
  give(part("b", "m", "Of b."), asks("b", "p"), message("a", "m", { finish: "stop" }, { completed: 1 }), ...idle("a"));
  give(["session.deleted", { sessionID: "a", info: { id: "a" } }], ["session.deleted", { sessionID: "a", info: { id: "a" } }]);
  listener.close();
  expect(said).toEqual(["a working", "b working", "b waiting p", 'a "Of a." done', "a idle done", "a gone", "b gone"]);
});

test("where one window shows one session, an idle one is gone as soon as another one is prompted, and back when it is prompted itself", () => {
  const { said, give, listener } = listen({}, true);
  give(created("a"), busy("a"), ...idle("a"), created("b"));
  expect(said).toEqual(["a working", "a idle"]);
  give(busy("b"), busy("b"), busy("a"), ...idle("b"), ...idle("a"));
  expect(said.slice(2)).toEqual(["a gone", "b working", "a working", "b idle", "a idle"]);
  listener.close();
  expect(said.slice(7)).toEqual(["b gone", "a gone"]);
});

test("a session that never worked is not told of", () => {
  const { said, give, listener } = listen();
  give(created("a"), ...idle("a"));
  listener.close();
  expect(said).toEqual([]);
});

test("a session that did not introduce itself is looked up before anything of it is told", async () => {
  const { said, give } = listen({
    a: readInfo({ id: "a", directory: "/home/me/repo" })!,
    b: readInfo({ id: "b", directory: "/home/me/repo", parentID: "a" })!,
  });
  give(busy("b"), ...says("b", "m1", "To my parent."), busy("a"), ...says("a", "m2", "To the person."));
  expect(said).toEqual([]);
  await vi.waitFor(() => expect(said).toContain('a "To the person." done'));
  expect(said).toEqual(["a working", 'a "To the person." done']);
});

test("one that nobody knows is asked for again at its next event, and not told of meanwhile", async () => {
  const infos: Record<string, Info> = {};
  const { said, give } = listen(infos);
  give(busy("a"));
  await Promise.resolve();
  infos["a"] = readInfo({ id: "a" })!;
  await vi.waitFor(() => {
    give(busy("a"));
    expect(said).toEqual(["a@elsewhere working"]);
  });
});

test("a thousand sessions later, one that works is still known", () => {
  const { said, give } = listen();
  give(created("a"), busy("a"), message("a", "m"), part("a", "m", "Still here."));
  for (let count = 0; count < 1500; count++) {
    give(created(`s${count}`, "a"), busy(`s${count}`), ...idle(`s${count}`));
    if (count % 100 === 0) give(["session.updated", created("a")[1]]);
  }
  give(message("a", "m", { finish: "stop" }, { completed: 1 }), ...idle("a"));
  expect(said).toEqual(["a working", 'a "Still here." done', "a idle done"]);
});
