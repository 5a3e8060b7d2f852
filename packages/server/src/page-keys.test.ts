import { expect, test } from "vitest";
import { handClock } from "../test/support.ts";
import { createPageKeys, KEY_MS } from "./page-keys.ts";

/** What a browser sends back of a `Set-Cookie` line. */
const sent = (line: string | undefined): string | undefined => line?.split(";")[0];

test("a key is swapped once for a cookie that no script reads, no other site sends, and no disk keeps", () => {
  const keys = createPageKeys(handClock(), 4747);
  const key = keys.invite();
  const cookie = keys.redeem(key);
  expect(cookie).toMatch(/^moth-4747=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
  expect(cookie).not.toContain(key);
  expect(keys.has(sent(cookie))).toBe(true);
  expect(keys.redeem(key)).toBeUndefined();
});

test.each<[string, number, boolean]>([
  ["just within the minute", KEY_MS - 1, true],
  ["after it", KEY_MS, false],
  ["when the clock was set back", -1, false],
])("a key %s: %i ms", (_when, passed, isGood) => {
  const clock = handClock();
  const keys = createPageKeys(clock, 4747);
  const key = keys.invite();
  clock.jump(passed);
  expect(keys.redeem(key) !== undefined).toBe(isGood);
});

test("each browser has a cookie of its own, found among others", () => {
  const keys = createPageKeys(handClock(), 4747);
  const [one, two] = [keys.redeem(keys.invite()), keys.redeem(keys.invite())];
  expect(sent(one)).not.toBe(sent(two));
  for (const cookie of [one, two]) expect(keys.has(`theme=dark; ${sent(cookie)};a=b`)).toBe(true);
});

test.each([undefined, "", "moth-4747", "moth-4747=", "moth-4747=x", "=", "moth-4748"])(
  "the cookie %j opens nothing",
  (cookies) => {
    const keys = createPageKeys(handClock(), 4747);
    keys.redeem(keys.invite());
    expect(keys.has(cookies)).toBe(false);
  },
);

test("another moth's cookie opens nothing here, under either name", () => {
  const clock = handClock();
  const [here, there] = [createPageKeys(clock, 4747), createPageKeys(clock, 4748)];
  here.redeem(here.invite());
  const foreign = sent(there.redeem(there.invite()))!;
  expect([here.has(foreign), here.has(foreign.replace("4748", "4747"))]).toEqual([false, false]);
});

test("links and browsers are bounded: the oldest give way", () => {
  const keys = createPageKeys(handClock(), 4747);
  const first = keys.invite();
  for (let count = 0; count < 16; count++) keys.invite();
  expect(keys.redeem(first)).toBeUndefined();
  const cookies = Array.from({ length: 33 }, () => sent(keys.redeem(keys.invite())));
  expect([keys.has(cookies[0]), keys.has(cookies[1]), keys.has(cookies[32])]).toEqual([false, true, true]);
});
