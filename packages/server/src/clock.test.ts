import { expect, test, vi } from "vitest";
import { handClock } from "../test/support.ts";
import { createAlarm, systemClock } from "./clock.ts";

test("an alarm fires once, at its time", () => {
  const clock = handClock();
  const fn = vi.fn<() => void>();
  createAlarm(clock, fn).set(clock.now() + 50);
  clock.advance(49);
  expect(fn).not.toHaveBeenCalled();
  clock.advance(1);
  clock.advance(1000);
  expect(fn).toHaveBeenCalledOnce();
});

test("an alarm that is moved fires at its new time only, and one that is taken away never", () => {
  const clock = handClock();
  const fn = vi.fn<() => void>();
  const alarm = createAlarm(clock, fn);
  alarm.set(clock.now() + 50);
  alarm.set(clock.now() + 200);
  clock.advance(199);
  expect(fn).not.toHaveBeenCalled();
  clock.advance(1);
  expect(fn).toHaveBeenCalledOnce();
  alarm.set(clock.now() + 10);
  alarm.set(undefined);
  clock.advance(100);
  expect(fn).toHaveBeenCalledOnce();
  expect(clock.timers).toBe(0);
});

test("an alarm can be set again from what it calls, also for a moment that has passed", () => {
  const clock = handClock();
  let left = 3;
  const alarm = createAlarm(clock, () => {
    if (left-- > 0) alarm.set(clock.now() - 5);
  });
  alarm.set(clock.now());
  clock.advance(10);
  expect(left).toBe(-1);
});

test("the system's clock calls back, and not after it was called off", async () => {
  const calls: string[] = [];
  systemClock.after(1, () => calls.push("off"))();
  systemClock.after(2 ** 40, () => calls.push("far away"))();
  // A clock that never calls back runs into the test's own time limit.
  await new Promise<void>((resolve) => void systemClock.after(5, resolve));
  expect(calls).toEqual([]);
});
