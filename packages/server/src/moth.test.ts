import type { MothEvent, TurnReport } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { echoVoice, type HandClock, handClock } from "../test/support.ts";
import { type BatchSettings, DEFAULT_BATCH } from "./batch.ts";
import { createLog } from "./log.ts";
import { createMoth, type Moth, REAP_EVERY_MS, VOICE_MS } from "./moth.ts";
import type { Remark, Turn, Voice } from "./voice/voice.ts";

interface Parts {
  moth: Moth;
  clock: HandClock;
  dead: Set<number>;
}

function parts(voice: Partial<Voice> = {}, batch: Partial<BatchSettings> = { reactEvery: 0, quietAfter: 0 }): Parts {
  let epochs = 0;
  const clock = handClock();
  const dead = new Set<number>();
  const log = createLog(() => `e${++epochs}`);
  const isAlive = (pid: number): boolean => !dead.has(pid);
  const moth = createMoth({ clock, batch: { ...DEFAULT_BATCH, ...batch }, voice: { ...echoVoice, ...voice }, log, isAlive });
  return { moth, clock, dead };
}

const turn = (text: string, more: Partial<TurnReport> = {}): TurnReport => ({
  source: "pi",
  session: "s1",
  label: "moth",
  text,
  ...more,
});

const events = (moth: Moth): MothEvent[] => moth.log.read({ since: 0, epoch: undefined }).events;

/** The log in words, without state changes. */
function story(moth: Moth): string[] {
  return events(moth).flatMap((event) => {
    switch (event.kind) {
      case "card":
        return [`card ${event.label}: ${event.text}`];
      case "say":
        return [`say ${event.card === undefined ? "" : `to ${event.label}: `}${event.text}`];
      case "skip":
        return [`skip ${event.reason}`];
      case "chat":
        return [`chat ${event.text}`];
      default:
        return [];
    }
  });
}

const soon = (fn: () => void): Promise<void> => vi.waitFor(fn, { interval: 1 });

/** moth thinks of one turn in a go at least, and on a busy machine of no more. */
async function thought(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one go after the other
  for (let go = 0; go < 5; go++) await new Promise((resolve) => setImmediate(resolve));
}

test("a turn becomes a card, and moth's line stands under it with what it reacts to", async () => {
  const { moth } = parts();
  expect(moth.turn(turn("Done."))).toBe(true);
  await soon(() => expect(story(moth)).toHaveLength(2));
  const [state, card, say] = events(moth);
  expect(state).toMatchObject({ kind: "state", state: "idle", outcome: "done", label: "moth" });
  expect(card).toMatchObject({
    kind: "card",
    source: "pi",
    session: "s1",
    label: "moth",
    text: "Done.",
    outcome: "done",
    class: "done",
  });
  expect(say).toMatchObject({
    kind: "say",
    card: card?.id,
    source: "pi",
    session: "s1",
    label: "moth",
    text: "a done from moth",
    quote: expect.any(String),
  });
});

test("a turn that was heard before leaves no trace", async () => {
  const { moth, clock } = parts();
  moth.turn(turn("Done.", { turn: "t1" }));
  await soon(() => expect(story(moth)).toHaveLength(2));
  expect(moth.turn(turn("Done.", { turn: "t1" }))).toBe(false);
  moth.turn(turn("Next.", { turn: "t2" }));
  clock.advance(1000);
  await soon(() => expect(story(moth)).toHaveLength(4));
  expect(story(moth)[2]).toBe("card moth: Next.");
});

test("the voice is told how long the turn took, and the outcome", async () => {
  const heard: Turn[] = [];
  const { moth, clock } = parts({
    react: (turn) => {
      heard.push(turn);
      return Promise.resolve(undefined);
    },
  });
  moth.state({ source: "pi", session: "s1", label: "moth", state: "working" });
  clock.advance(90_000);
  moth.turn(turn("It broke.", { outcome: "failed" }));
  await soon(() => expect(story(moth)).toEqual(["card moth: It broke.", "skip voice"]));
  expect(heard).toMatchObject([{ label: "moth", class: "failure", outcome: "failed", took: 90_000, text: "It broke." }]);
  expect(events(moth).find(({ kind }) => kind === "card")).toMatchObject({ took: 90_000 });
});

test("turns of several sessions wait for one another: the chosen one last, moth's line under it", async () => {
  const { moth, clock } = parts({}, {});
  moth.turn(turn("All good.", { session: "a", label: "lamp" }));
  clock.advance(1000);
  moth.turn(turn("It broke.", { session: "b", label: "leaf", outcome: "failed" }));
  await thought();
  clock.advance(1000);
  moth.turn(turn("Fine.", { session: "c", label: "moss" }));
  await thought();
  expect(story(moth)).toEqual([]);
  clock.advance(4000);
  await soon(() =>
    expect(story(moth)).toEqual([
      "card lamp: All good.",
      "skip batch",
      "card moss: Fine.",
      "skip batch",
      "card leaf: It broke.",
      "say to leaf: a failure from leaf",
    ]),
  );
});

test("a wait that lasts is one state change; one that is over at once is none", () => {
  const { moth, clock } = parts();
  const report = { source: "pi", session: "s1", label: "moth" };
  const wait = { id: "w1", kind: "permission" as const, answerable: false };
  moth.state({ ...report, state: "waiting", wait });
  clock.advance(200);
  moth.state({ ...report, state: "working", ended: "w1" });
  clock.advance(1000);
  expect(events(moth).map((event) => event.kind === "state" && event.state)).toEqual(["working"]);
  moth.state({ ...report, state: "waiting", wait: { ...wait, id: "w2" } });
  clock.advance(300);
  expect(events(moth).at(-1)).toMatchObject({ kind: "state", state: "waiting", wait: { id: "w2" } });
});

test("what a harness is never asked about from outside says why, while answers are on; one that tells what is asked does not", () => {
  const clock = handClock();
  let isOn = true;
  const reasons = new Map([["pi", "It has no door."]]);
  const on = { answersOn: () => isOn, inWindow: (source: string) => reasons.get(source), isAlive: () => true };
  const moth = createMoth({ clock, batch: DEFAULT_BATCH, voice: echoVoice, log: createLog(() => "e"), ...on });
  const asks = (id: string, more: object = {}, source = "pi"): unknown => {
    const wait = { id, kind: "permission" as const, answerable: false, ...more };
    moth.state({ source, session: id, label: id, state: "waiting", wait });
    clock.advance(300);
    const row = moth.roster().sessions.find(({ session }) => session === id);
    return row?.state === "waiting" && row.wait.why;
  };
  expect(asks("w1")).toBe("It has no door.");
  expect(asks("w2", { why: "It is a form." })).toBe("It is a form.");
  expect(asks("w3", { text: "ls", answerable: true })).toBeUndefined();
  expect(asks("w3")).toBeUndefined();
  expect(asks("w4", {}, "omp")).toBeUndefined();
  isOn = false;
  expect(asks("w5")).toBeUndefined();
});

test("a session whose process has ended is gone within seconds", () => {
  const { moth, clock, dead } = parts();
  moth.state({ source: "pi", session: "s1", state: "working", pid: 11 });
  clock.advance(REAP_EVERY_MS);
  expect(events(moth)).toHaveLength(1);
  dead.add(11);
  clock.advance(REAP_EVERY_MS);
  expect(events(moth).at(-1)).toMatchObject({ kind: "state", state: "gone" });
});

test("the person is answered from the roster of active sessions", async () => {
  const chat = vi.fn<Voice["chat"]>(() => Promise.resolve({ text: "one waits", quote: "" }));
  const { moth, clock } = parts({ chat });
  moth.state({ source: "pi", session: "old", label: "old", state: "working" });
  moth.state({ source: "pi", session: "ended", label: "ended", state: "idle" });
  moth.state({ source: "pi", session: "ended", label: "ended", state: "gone" });
  clock.advance(31 * 60_000);
  moth.state({ source: "pi", session: "s1", label: "moth", state: "waiting", wait: { id: "w", kind: "plan", answerable: true } });
  clock.advance(300);
  moth.chat("who waits?");
  await soon(() => expect(story(moth)).toEqual(["chat who waits?", "say one waits"]));
  const roster = [{ label: "moth", state: "waiting", wait: "plan" }];
  expect(chat).toHaveBeenCalledWith("who waits?", roster, expect.any(Function));
});

test("a turn heard before the person spoke is shown before what they said", () => {
  const { moth } = parts();
  moth.turn(turn("Done."));
  moth.chat("hello");
  expect(story(moth).slice(0, 2)).toEqual(["card moth: Done.", "chat hello"]);
});

test.each<[string, Voice["react"]]>([
  [
    "throws",
    () => {
      throw new Error("no");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no"))],
  ["says nothing", () => Promise.resolve(undefined)],
  ["says white space", () => Promise.resolve({ text: " \u001b[31m\n" })],
])("a voice that %s costs its line and nothing else", async (_, react) => {
  const { moth } = parts({ react });
  moth.turn(turn("Done."));
  await soon(() => expect(story(moth)).toEqual(["card moth: Done.", "skip voice"]));
});

test("a voice that never answers is given up after eight seconds", async () => {
  const { moth, clock } = parts({ react: () => new Promise(() => undefined), chat: () => new Promise(() => undefined) });
  moth.turn(turn("Done."));
  moth.chat("hello");
  clock.advance(VOICE_MS - 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(story(moth)).toEqual(["card moth: Done.", "chat hello"]);
  clock.advance(1);
  await soon(() => expect(story(moth)).toEqual(["card moth: Done.", "chat hello", "skip voice"]));
});

test("a line is shown on one line, without what a terminal would obey", async () => {
  const { moth } = parts({ react: () => Promise.resolve({ text: "a\u001b[2Jb\nc", quote: "d\u0007" }) });
  moth.turn(turn("Done."));
  await soon(() => expect(events(moth).at(-1)).toMatchObject({ kind: "say", text: "ab c", quote: "d" }));
});

test("the last reply is there as soon as the roster says that the turn is over, until the talk is forgotten", () => {
  const { moth } = parts({}, { batchWindow: 4 });
  moth.state({ source: "pi", session: "s1", label: "moth", state: "working" });
  expect([moth.last("pi", "s1"), moth.last("pi", "s2")]).toEqual([{ reply: null }, undefined]);
  moth.turn(turn("Done.", { outcome: "failed" }));
  expect(moth.roster()).toMatchObject({ next: 2, sessions: [{ state: "idle" }] });
  expect(moth.last("pi", "s1")).toEqual({ reply: { text: "Done.", outcome: "failed", time: expect.any(Number) as number } });
  moth.reset(false);
  expect(moth.last("pi", "s1")).toEqual({ reply: null });
});

test("forgetting starts a new log, keeps the sessions, and drops what was on its way", async () => {
  let answer: ((remark: Remark) => void) | undefined;
  const { moth, clock } = parts({ react: () => new Promise((resolve) => (answer = resolve)) }, { batchWindow: 4 });
  moth.turn(turn("Done.", { session: "a" }));
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(4000);
  moth.turn(turn("Held.", { session: "b" }));
  moth.reset(false);
  answer?.({ text: "too late" });
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(10_000);
  expect(moth.log.read({ since: 0, epoch: undefined })).toEqual({ epoch: "e2", next: 0, events: [] });
  expect(moth.roster()).toMatchObject({ epoch: "e2", sessions: [{ session: "a" }, { session: "b" }] });
});

test("what a voice does on the way stands before its line, for those with the token alone", async () => {
  const { moth } = parts({
    react(_turn, did) {
      did?.({ text: "echo 'a\u001b[31m good day' >> diary.md" });
      return Promise.resolve({ text: "ok." });
    },
    chat(_text, _roster, did) {
      did?.({ text: "cat ../x", error: "A name is letters." });
      return Promise.resolve({ text: "hello." });
    },
  });
  moth.turn(turn("Done."));
  await soon(() => expect(story(moth)).toHaveLength(2));
  moth.chat("hi");
  await soon(() => expect(story(moth)).toHaveLength(4));
  const [, card, first] = events(moth);
  expect(first).toEqual({
    id: 2,
    time: first!.time,
    kind: "tool",
    text: "echo 'a good day' >> diary.md",
    card: card!.id,
    source: "pi",
    session: "s1",
    label: "moth",
  });
  const kinds = events(moth).map(({ kind }) => kind);
  expect(kinds).toEqual(["state", "card", "tool", "say", "chat", "tool", "say"]);
  expect(events(moth)[5]).toMatchObject({ text: "cat ../x", error: "A name is letters." });
  for (const trusted of [true, false]) {
    const { says } = moth.log.says({ since: 0, epoch: undefined }, {}, trusted);
    expect(JSON.stringify(says)).not.toMatch(/diary|cat/);
  }
});

test("what a voice does after a reset does not show", async () => {
  const going: (() => void)[] = [];
  const { moth } = parts({
    chat: (_text, _roster, did) =>
      new Promise((resolve) => {
        going.push(() => {
          did?.({ text: "cat a.md" });
          resolve({ text: "hello." });
        });
      }),
  });
  moth.chat("hi");
  moth.reset(false);
  moth.chat("again");
  for (const go of going) go();
  await soon(() => expect(events(moth).map(({ kind }) => kind)).toEqual(["chat", "tool", "say"]));
});

test("forgetting everything forgets the sessions, the turns heard and moth's last lines", async () => {
  const reset = vi.fn<Voice["reset"]>();
  const { moth } = parts({ reset });
  moth.turn(turn("Done.", { turn: "t1" }));
  moth.reset(false);
  expect(reset).toHaveBeenLastCalledWith(false);
  moth.reset(true);
  expect(reset).toHaveBeenLastCalledWith(true);
  expect(moth.roster().sessions).toEqual([]);
  expect(moth.turn(turn("Done.", { turn: "t1" }))).toBe(true);
});

test("a moth that has stopped leaves no timer and says no more", async () => {
  let answer: ((remark: Remark) => void) | undefined;
  const { moth, clock } = parts({ react: () => new Promise((resolve) => (answer = resolve)) });
  moth.turn(turn("Done."));
  await soon(() => expect(story(moth)).toEqual(["card moth: Done."]));
  moth.state({ source: "pi", session: "s1", state: "waiting", wait: { id: "w", kind: "plan", answerable: false } });
  moth.stop();
  answer?.({ text: "too late" });
  await soon(() => expect(clock.timers).toBe(0));
  expect(story(moth)).toEqual(["card moth: Done."]);
});
