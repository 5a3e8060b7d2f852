import { expect, test, vi } from "vitest";
import { handClock } from "../test/support.ts";
import { systemClock } from "./clock.ts";
import { createInbox, REST_MS } from "./inbox.ts";

test("work runs later, in the order in which it was put in", async () => {
  const inbox = createInbox(systemClock);
  const done: number[] = [];
  for (const n of [1, 2, 3]) inbox.put(1, () => done.push(n));
  expect(done).toEqual([]);
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3]));
});

test("long work lets others in between", async () => {
  const inbox = createInbox(systemClock);
  const done: string[] = [];
  const busy = (name: string) => (): void => {
    const until = performance.now() + 3;
    while (performance.now() < until);
    done.push(name);
  };
  inbox.put(1, busy("first"));
  inbox.put(1, busy("second"));
  setImmediate(() => done.push("other"));
  await vi.waitFor(() => expect(done).toEqual(["first", "other", "second"]));
});

test("what comes right after is gathered for a moment, and then done together", async () => {
  const clock = handClock();
  const inbox = createInbox(clock);
  const done: number[] = [];
  inbox.put(1, () => done.push(1));
  await vi.waitFor(() => expect(done).toEqual([1]), { interval: 1 });
  inbox.put(1, () => done.push(2));
  await new Promise((resolve) => setImmediate(resolve));
  inbox.put(1, () => done.push(3));
  clock.advance(REST_MS - 1);
  expect(done).toEqual([1]);
  clock.advance(1);
  // On a busy machine another turn of the event loop may come in between.
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3]), { interval: 1 });
  clock.advance(REST_MS);
  inbox.put(1, () => done.push(4));
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3, 4]), { interval: 1 });
});

test("it can be run out at once, or forgotten", async () => {
  const inbox = createInbox(systemClock);
  const done: number[] = [];
  inbox.put(1, () => done.push(1));
  inbox.flush();
  expect(done).toEqual([1]);
  inbox.put(1, () => done.push(2));
  inbox.clear();
  await new Promise((resolve) => setImmediate(resolve));
  inbox.put(1, () => done.push(3));
  await vi.waitFor(() => expect(done).toEqual([1, 3]));
});

test.each([
  ["so many", { items: 1, size: 100 }],
  ["so much", { items: 100, size: 10 }],
])("it holds %s and no more: then whoever puts in more waits for the oldest", async (_, limits) => {
  const inbox = createInbox(systemClock, limits);
  const done: number[] = [];
  inbox.put(6, () => done.push(1));
  expect(done).toEqual([]);
  inbox.put(6, () => done.push(2));
  expect(done).toEqual([1]);
  inbox.put(50, () => done.push(3));
  expect(done.slice(0, 2)).toEqual([1, 2]);
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3]));
});

test("work that puts in more work gets it done", async () => {
  const inbox = createInbox(systemClock);
  const done: number[] = [];
  inbox.put(1, () => {
    inbox.put(1, () => done.push(2));
    done.push(1);
  });
  await vi.waitFor(() => expect(done).toEqual([1, 2]));
});
