import type { NewEvent } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { createLog, type LogLimits } from "./log.ts";

const chat = (text: string): NewEvent => ({ kind: "chat", text });
const say = (text: string, source?: string, session?: string): NewEvent => ({
  kind: "say",
  ...(source === undefined ? {} : { card: 0 }),
  text,
  quote: `${text}, the agent said`,
  ...(source === undefined ? {} : { source }),
  ...(session === undefined ? {} : { session }),
});

function filled(texts: string[], limits?: LogLimits): ReturnType<typeof createLog> {
  let epochs = 0;
  const log = createLog(() => `e${++epochs}`, limits);
  for (const text of texts) log.append(chat(text), 5);
  return log;
}

const read = (log: ReturnType<typeof createLog>, since: number, epoch?: string): number[] =>
  log.read({ since, epoch }).events.map(({ id }) => id);

test("events are numbered from 0 and carry their time", () => {
  const log = filled([]);
  expect(log.append(chat("hello"), 42)).toEqual({ id: 0, time: 42, kind: "chat", text: "hello" });
  expect(log.read({ since: 0, epoch: undefined })).toEqual({
    epoch: "e1",
    next: 1,
    events: [{ id: 0, time: 42, kind: "chat", text: "hello" }],
  });
});

test.each<[string, number, string | undefined, number[]]>([
  ["from the start", 0, undefined, [0, 1, 2]],
  ["from the middle", 2, "e1", [2]],
  ["from the end", 3, "e1", []],
  ["past the end: it counted in another log", 4, undefined, [0, 1, 2]],
  ["in another epoch", 2, "e0", [0, 1, 2]],
])("a reader reads %s", (_, since, epoch, expected) => {
  expect(read(filled(["a", "b", "c"]), since, epoch)).toEqual(expected);
});

test("old events fall out, ids count on, and a late reader gets what there is", () => {
  const log = filled(["a", "b", "c", "d"], { events: 2, text: 100 });
  expect(read(log, 0)).toEqual([2, 3]);
  expect(read(log, 3)).toEqual([3]);
  expect(log.next).toBe(4);
});

test("much text pushes old events out; the newest stays, however long it is", () => {
  const log = filled(["12345", "12345", "12345"], { events: 100, text: 10 });
  expect(read(log, 0)).toEqual([1, 2]);
  log.append(chat("x".repeat(50)), 0);
  expect(read(log, 0)).toEqual([3]);
  log.append(chat("y"), 0);
  expect(read(log, 0)).toEqual([4]);
});

test("what a reader was given does not change under its hands", () => {
  const log = filled(["a", "b"], { events: 2, text: 100 });
  const { events } = log.read({ since: 0, epoch: undefined });
  log.append(chat("c"), 0);
  expect(events).toHaveLength(2);
  expect(events[0]?.id).toBe(0);
});

test("forgetting starts a new log of a new epoch", () => {
  const log = filled(["a", "b"]);
  log.reset();
  expect(log.read({ since: 2, epoch: "e1" })).toEqual({ epoch: "e2", next: 0, events: [] });
  log.append(chat("c"), 0);
  expect(read(log, 2, "e1")).toEqual([0]);
});

test("says are moth's lines alone, with quotes only when asked for", () => {
  const log = filled(["hello"]);
  log.append(say("nice", "pi", "s1"), 0);
  expect(log.says({ since: 0, epoch: undefined }, {}, false)).toEqual({ epoch: "e1", next: 2, says: [{ text: "nice" }] });
  expect(log.says({ since: 0, epoch: undefined }, {}, true).says).toEqual([{ text: "nice", quote: "nice, the agent said" }]);
});

test.each([
  [{}, ["answer", "a", "b", "c"]],
  [{ source: "pi" }, ["a", "b"]],
  [{ source: "pi", session: "s2" }, ["b"]],
  [{ session: "s1" }, ["a", "c"]],
  [{ source: "pi", session: "" }, []],
  [{ source: "" }, []],
])("says of %j are those that answer its turns; `next` counts every event", (only, expected) => {
  const log = filled([]);
  for (const event of [say("answer"), say("a", "pi", "s1"), say("b", "pi", "s2"), say("c", "codex", "s1")]) log.append(event, 0);
  const answer = log.says({ since: 0, epoch: undefined }, only, true);
  expect(answer.says.map(({ text }) => text)).toEqual(expected);
  expect(answer.next).toBe(4);
});

test.each([
  [
    "a remark that names its session",
    "three down in moth-repo. the lamp stays on.",
    "three down in your session. the lamp stays on.",
  ],
  ["a name at the beginning, in capitals", "Moth-Repo rests.", "your session rests."],
  ["a word that only begins like the name", "moth-repository is another.", "moth-repository is another."],
])("a reader without the token does not learn a folder's name from %s", (_, text, shown) => {
  const log = filled([]);
  log.append({ kind: "say", text, card: 0, source: "pi", session: "s1", label: "moth-repo" }, 0);
  expect(log.says({ since: 0, epoch: undefined }, {}, false).says).toEqual([{ text: shown }]);
  expect(log.says({ since: 0, epoch: undefined }, {}, true).says).toEqual([{ text }]);
});

test("what moth told the person is for readers with the token", () => {
  const log = filled([]);
  log.append({ kind: "say", text: "moth-repo rests." }, 0);
  expect(log.says({ since: 0, epoch: undefined }, {}, false)).toEqual({ epoch: "e1", next: 1, says: [] });
  expect(log.says({ since: 0, epoch: undefined }, {}, true).says).toHaveLength(1);
});

test("a label full of signs is a name and no pattern", () => {
  const log = filled([]);
  log.append({ kind: "say", text: "a+(b) [c]\\d done", card: 0, source: "pi", session: "s1", label: "a+(b) [c]\\d" }, 0);
  expect(log.says({ since: 0, epoch: undefined }, {}, false).says).toEqual([{ text: "your session done" }]);
});

test("listeners hear of every event and of forgetting, until they stop", () => {
  const log = filled([]);
  const fn = vi.fn<() => void>();
  const stop = log.listen(fn);
  log.append(chat("a"), 0);
  log.reset();
  expect(fn).toHaveBeenCalledTimes(2);
  stop();
  log.append(chat("b"), 0);
  expect(fn).toHaveBeenCalledTimes(2);
});

test("a reader without the token does not learn the agent's words that a remark names", () => {
  const log = createLog(() => "e1");
  const say = { kind: "say" as const, card: 0, source: "pi", session: "s", label: "api", names: ["auth.test.ts"] };
  log.append({ ...say, text: "auth.test.ts went out in api. one clue is enough." }, 0);
  expect(log.says({ since: 0, epoch: undefined }, {}, false).says).toEqual([
    { text: "something went out in your session. one clue is enough." },
  ]);
  expect(log.says({ since: 0, epoch: undefined }, {}, true).says).toEqual([
    { text: "auth.test.ts went out in api. one clue is enough." },
  ]);
});
