import { expect, test } from "vitest";
import { type HandClock, handClock } from "../test/support.ts";
import { createFeed, type Feed, HEARTBEAT_MS, MAX_WAITING, type Reader, type Sink } from "./feed.ts";
import { createLog, type Log } from "./log.ts";

function parts(): { log: Log; feed: Feed; clock: HandClock } {
  let epochs = 0;
  const clock = handClock();
  const log = createLog(() => `e${++epochs}`);
  return { log, clock, feed: createFeed(log, clock) };
}

const chat = (log: Log, text: string): void => void log.append({ kind: "chat", text }, 0);

interface TestSink extends Sink {
  text: string;
  full: boolean;
  ended: string;
}

function sink(): TestSink {
  return {
    text: "",
    full: false,
    ended: "",
    write(text) {
      this.text += text;
      return !this.full;
    },
    end() {
      this.ended = "end";
    },
    drop() {
      this.ended = "drop";
    },
  };
}

const ids = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!);
const never = (): void => undefined;

test("a poll is answered at once when there is news", async () => {
  const { log, feed } = parts();
  chat(log, "a");
  expect(await feed.poll({ since: 0, epoch: "e1" }, 5000, never)).toMatchObject({ next: 1, events: [{ text: "a" }] });
  expect(await feed.poll({ since: 1, epoch: "e0" }, 5000, never)).toMatchObject({ epoch: "e1", events: [{ text: "a" }] });
});

test("a poll without news waits for some", async () => {
  const { log, feed, clock } = parts();
  const poll = feed.poll({ since: 0, epoch: "e1" }, 5000, never);
  clock.advance(4000);
  chat(log, "a");
  expect(await poll).toMatchObject({ next: 1, events: [{ text: "a" }] });
  expect(clock.timers).toBe(0);
});

test("a poll whose time is over is answered with nothing", async () => {
  const { feed, clock } = parts();
  const poll = feed.poll({ since: 0, epoch: undefined }, 5000, never);
  clock.advance(5000);
  expect(await poll).toEqual({ epoch: "e1", next: 0, events: [] });
});

test("a poll hears that the log was forgotten", async () => {
  const { log, feed } = parts();
  chat(log, "a");
  const poll = feed.poll({ since: 1, epoch: undefined }, 5000, never);
  log.reset();
  expect(await poll).toEqual({ epoch: "e2", next: 0, events: [] });
});

test("a poll whose asker goes leaves nothing behind", () => {
  const { feed, clock } = parts();
  let go = never;
  void feed.poll({ since: 0, epoch: undefined }, 5000, (fn) => {
    go = fn;
  });
  expect(clock.timers).toBe(1);
  go();
  expect(clock.timers).toBe(0);
});

test("a stream sends the epoch, what there is, and what comes", () => {
  const { log, feed } = parts();
  chat(log, "a");
  const end = sink();
  feed.stream({ since: 0, epoch: undefined }, end);
  chat(log, "b");
  expect(end.text).toBe(
    `event: epoch\ndata: {"epoch":"e1","next":1}\n\n` +
      `id: e1:0\ndata: {"id":0,"time":0,"kind":"chat","text":"a"}\n\n` +
      `id: e1:1\ndata: {"id":1,"time":0,"kind":"chat","text":"b"}\n\n`,
  );
});

test("a stream that broke goes on where it stood, or from the start of a new log", () => {
  const { log, feed } = parts();
  for (const text of ["a", "b", "c"]) chat(log, text);
  const [same, other] = [sink(), sink()];
  feed.stream({ since: 2, epoch: "e1" }, same);
  feed.stream({ since: 2, epoch: "e0" }, other);
  expect(ids(same.text)).toEqual(["e1:2"]);
  expect(ids(other.text)).toEqual(["e1:0", "e1:1", "e1:2"]);
  log.reset();
  chat(log, "d");
  expect(same.text).toContain(`event: epoch\ndata: {"epoch":"e2","next":0}\n\n`);
  expect(ids(same.text)).toEqual(["e1:2", "e2:0"]);
});

test("a line break in an event stays inside its line", () => {
  const { log, feed } = parts();
  chat(log, "a\n\ndata: b\r\u2028");
  const end = sink();
  feed.stream({ since: 0, epoch: "e1" }, end);
  expect(end.text.trimEnd().split("\n")).toHaveLength(2);
});

test("a comment now and then keeps the stream alive", () => {
  const { feed, clock } = parts();
  const end = sink();
  feed.stream({ since: 0, epoch: "e1" }, end);
  clock.advance(HEARTBEAT_MS * 2);
  expect(end.text).toBe(": moth\n\n: moth\n\n");
});

test("a slow reader is handed the rest when it has caught up", () => {
  const { log, feed } = parts();
  for (let i = 0; i < 1500; i++) chat(log, "x".repeat(200));
  const end = sink();
  end.full = true;
  const reader = feed.stream({ since: 0, epoch: "e1" }, end);
  expect(ids(end.text).length).toBeLessThan(1500);
  chat(log, "last");
  for (let i = 0; i < 100 && ids(end.text).length < 1501; i++) reader.onDrain();
  expect(ids(end.text)).toEqual(Array.from({ length: 1501 }, (_, i) => `e1:${i}`));
  expect(end.ended).toBe("");
});

test("a reader that never reads is dropped, by events or by time", () => {
  const { log, feed, clock } = parts();
  const [byEvents, byTime] = [sink(), sink()];
  byEvents.full = byTime.full = true;
  feed.stream({ since: 0, epoch: undefined }, byEvents);
  for (let i = 0; i < 1001; i++) chat(log, "x");
  expect(byEvents.ended).toBe("drop");
  expect(byEvents.text.length).toBeLessThan(200);
  feed.stream({ since: 0, epoch: undefined }, byTime);
  clock.advance(HEARTBEAT_MS * 3);
  expect(byTime.ended).toBe("drop");
  expect(clock.timers).toBe(0);
});

test("a reader that goes leaves nothing behind", () => {
  const { log, feed, clock } = parts();
  const end = sink();
  const reader: Reader = feed.stream({ since: 0, epoch: "e1" }, end);
  reader.onClose();
  chat(log, "a");
  reader.onDrain();
  expect(end.text).toBe("");
  expect(clock.timers).toBe(0);
});

test("there is room for so many, and again when some have gone", () => {
  const { feed } = parts();
  const readers = Array.from({ length: MAX_WAITING }, () => feed.stream({ since: 0, epoch: undefined }, sink()));
  expect(feed.hasRoom).toBe(false);
  readers[0]?.onClose();
  expect(feed.hasRoom).toBe(true);
});

test("closing answers every poll, ends every stream, and lets none begin", async () => {
  const { feed, clock } = parts();
  const end = sink();
  const poll = feed.poll({ since: 0, epoch: undefined }, 60_000, never);
  feed.stream({ since: 0, epoch: undefined }, end);
  feed.close();
  expect(await poll).toMatchObject({ events: [] });
  expect(await feed.poll({ since: 0, epoch: undefined }, 60_000, never)).toMatchObject({ events: [] });
  const late = sink();
  feed.stream({ since: 0, epoch: undefined }, late);
  expect([end.ended, late.ended]).toEqual(["end", "end"]);
  expect(clock.timers).toBe(0);
});
