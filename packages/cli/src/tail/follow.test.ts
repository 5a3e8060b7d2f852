import type { LogAnswer, MothEvent } from "@moth-companion/core/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { Failure } from "../errors.ts";
import { follow, type Listener } from "./follow.ts";

const PACE = { waitSeconds: 25, firstRetryMs: 1, lastRetryMs: 4, shortPollMs: 60 };
const say = (id: number, text: string): MothEvent => ({ id, time: 0, kind: "say", text });
const asleep = new Failure("NOT_RUNNING", "moth is not running");
type Asked = Parameters<Parameters<typeof follow>[0]["log"]>[0];

/** Follows a log that answers as scripted, and then never again. */
async function hear(script: (LogAnswer | Failure)[]): Promise<{ heard: string[]; asked: Asked[] }> {
  const heard: string[] = [];
  const asked: Asked[] = [];
  const leaving = new AbortController();
  const steps = [...script];
  const client = {
    log(from: Asked): Promise<LogAnswer> {
      asked.push(from);
      const step = steps.shift();
      if (step === undefined) {
        leaving.abort();
        return Promise.reject(new Error("given up"));
      }
      return step instanceof Failure ? Promise.reject(step) : Promise.resolve(step);
    },
  };
  const listener: Listener = {
    events: (events, when) =>
      heard.push(`${when}: ${events.map((event) => ("text" in event ? event.text : event.kind)).join(" ")}`),
    lost: (why) => heard.push(`lost: ${why.code}`),
    found: () => heard.push("found"),
    anew: () => heard.push("anew"),
  };
  await follow(client, listener, leaving.signal, PACE);
  return { heard, asked };
}

test("what was there is history, what comes is now; each poll asks on from the last", async () => {
  const { heard, asked } = await hear([
    { epoch: "a", next: 2, events: [say(0, "one"), say(1, "two")] },
    { epoch: "a", next: 3, events: [say(2, "three")] },
  ]);
  expect(heard).toEqual(["history: one two", "now: three"]);
  expect(asked).toEqual([
    { since: 0, epoch: undefined },
    { since: 2, epoch: "a", wait: 25 },
    { since: 3, epoch: "a", wait: 25 },
  ]);
});

test("asleep is told once, however often it is tried, and waking too", async () => {
  const { heard } = await hear([asleep, asleep, asleep, { epoch: "a", next: 1, events: [say(0, "one")] }, asleep, asleep]);
  expect(heard).toEqual(["lost: NOT_RUNNING", "found", "history: one", "lost: NOT_RUNNING"]);
});

test("that moth is awake again is seen within 3 seconds, however long it was asleep", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const leaving = new AbortController();
  const found = vi.fn<() => void>();
  let isAwake = false;
  const log = (): Promise<LogAnswer> => (isAwake ? Promise.resolve({ epoch: "a", next: 0, events: [] }) : Promise.reject(asleep));
  const listener: Listener = { events: () => leaving.abort(), lost: () => {}, found, anew: () => {} };
  const followed = follow({ log }, listener, leaving.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  isAwake = true;
  await vi.advanceTimersByTimeAsync(3000);
  expect(found).toHaveBeenCalledOnce();
  await followed;
});

test("after a restart the new log is heard from its start, and nothing is called history", async () => {
  const { heard, asked } = await hear([
    { epoch: "a", next: 9, events: [] },
    asleep,
    { epoch: "b", next: 1, events: [say(0, "morning")] },
  ]);
  expect(heard).toEqual(["history: ", "lost: NOT_RUNNING", "found", "now: morning"]);
  // What is there is wanted at once: no waiting for news.
  expect(asked[2]).toEqual({ since: 9, epoch: "a" });
});

test("a reset is told apart from a restart", async () => {
  const { heard } = await hear([
    { epoch: "a", next: 9, events: [say(8, "old")] },
    { epoch: "b", next: 0, events: [] },
    { epoch: "b", next: 1, events: [say(0, "new")] },
  ]);
  expect(heard).toEqual(["history: old", "anew", "now: new"]);
});

test.each(["TOKEN", "NOT_MOTH", "ADDRESS"] as const)("%s at the first try is an error", async (code) => {
  await expect(hear([new Failure(code, "no")])).rejects.toThrow("no");
});

test("another program on the port later is told, and moth is waited for", async () => {
  const { heard } = await hear([
    { epoch: "a", next: 0, events: [] },
    new Failure("NOT_MOTH", "nginx"),
    { epoch: "b", next: 0, events: [] },
  ]);
  expect(heard).toEqual(["history: ", "lost: NOT_MOTH", "found"]);
});

test("a bug is not swallowed", async () => {
  const client = { log: () => Promise.reject(new TypeError("bug")) };
  const listener = {
    events: vi.fn<() => void>(),
    lost: vi.fn<() => void>(),
    found: vi.fn<() => void>(),
    anew: vi.fn<() => void>(),
  };
  await expect(follow(client, listener, new AbortController().signal, PACE)).rejects.toThrow("bug");
});

test("a server that knows no long polls is not asked without a pause", async () => {
  const begun = performance.now();
  await hear([
    { epoch: "a", next: 0, events: [] },
    { epoch: "a", next: 0, events: [] },
  ]);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(55);
});
