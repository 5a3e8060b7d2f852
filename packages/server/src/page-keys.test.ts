import { expect, test } from "vitest";
import { handClock } from "../test/support.ts";
import { createPageKeys, type Entered, KEY_MS, type PageKeys } from "./page-keys.ts";

/** What a browser holds once it came in by a link: a cookie, and beside it a key. */
interface Browser {
  cookie: string;
  pageKey: string;
}

/** What a browser sends back of a `Set-Cookie` line. */
const sent = ({ setCookie }: Entered): string => setCookie!.split(";")[0]!;

function browser(keys: PageKeys): Browser {
  const entered = keys.enter(keys.invite(), undefined)!;
  return { cookie: sent(entered), pageKey: entered.pageKey };
}

const isIn = (keys: PageKeys, { cookie, pageKey }: Browser): boolean => keys.has(pageKey, cookie);

test("a link is swapped once for a key and a cookie that no script reads, no other site sends, and no disk keeps", () => {
  const keys = createPageKeys(handClock(), 4747);
  const link = keys.invite();
  const entered = keys.enter(link, undefined)!;
  expect(entered.setCookie).toMatch(/^moth-4747=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
  expect(entered.pageKey).toMatch(/^[\w-]{43}$/);
  expect(new Set([link, entered.pageKey, sent(entered).split("=")[1]]).size).toBe(3);
  expect(keys.has(entered.pageKey, sent(entered))).toBe(true);
  expect(keys.enter(link, undefined)).toBeUndefined();
  expect(keys.enter(link, sent(entered))).toBeUndefined();
});

test.each<[string, number, boolean]>([
  ["just within the minute", KEY_MS - 1, true],
  ["after it", KEY_MS, false],
  ["when the clock was set back", -1, false],
])("a link %s: %i ms", (_when, passed, isGood) => {
  const clock = handClock();
  const keys = createPageKeys(clock, 4747);
  const link = keys.invite();
  clock.jump(passed);
  expect(keys.enter(link, undefined) !== undefined).toBe(isGood);
});

test("who is in stays in, whatever the clock does", () => {
  const clock = handClock();
  const keys = createPageKeys(clock, 4747);
  const one = browser(keys);
  for (const jump of [-1e9, 3e9, -1]) {
    clock.jump(jump);
    expect(isIn(keys, one)).toBe(true);
  }
});

test("the cookie opens nothing without its key, and the key nothing without its cookie", () => {
  const keys = createPageKeys(handClock(), 4747);
  const [one, two] = [browser(keys), browser(keys)];
  expect([isIn(keys, one), isIn(keys, two)]).toEqual([true, true]);
  const value = one.cookie.split("=")[1]!;
  for (const pageKey of [undefined, "", value, one.cookie, two.pageKey, `${one.pageKey} `, `${one.pageKey}, ${one.pageKey}`])
    expect([pageKey, keys.has(pageKey, one.cookie)]).toEqual([pageKey, false]);
  for (const cookie of [undefined, "", two.cookie, "moth-4747", "moth-4747=", `moth-4747=${one.pageKey}`, "=", "moth-4748"])
    expect([cookie, keys.has(one.pageKey, cookie)]).toEqual([cookie, false]);
});

test("nothing is given for a cookie, nor for a page's key", () => {
  const keys = createPageKeys(handClock(), 4747);
  const { cookie, pageKey } = browser(keys);
  for (const key of ["", pageKey, cookie, cookie.split("=")[1]!]) expect(keys.enter(key, cookie)).toBeUndefined();
});

test("each browser is found by its own, among others' cookies", () => {
  const keys = createPageKeys(handClock(), 4747);
  const [one, two] = [browser(keys), browser(keys)];
  expect(one.cookie).not.toBe(two.cookie);
  for (const { cookie, pageKey } of [one, two]) {
    expect(keys.has(pageKey, `theme=dark; ${cookie};a=b`)).toBe(true);
    // Whoever listens on another port may set one of the same name.
    expect(keys.has(pageKey, `moth-4747=x; ${cookie}; moth-4747=`)).toBe(true);
  }
});

test("a browser that comes by another link keeps its cookie, and its other tabs their key", () => {
  const keys = createPageKeys(handClock(), 4747);
  const { cookie, pageKey } = browser(keys);
  const again = keys.enter(keys.invite(), `a=b; moth-4747=tossed; ${cookie}`)!;
  expect(again.setCookie).toBeUndefined();
  expect(again.pageKey).not.toBe(pageKey);
  expect([keys.has(pageKey, cookie), keys.has(again.pageKey, cookie)]).toEqual([true, true]);
  // One that is none of ours, as after a restart of moth, is replaced.
  expect(keys.enter(keys.invite(), "moth-4747=tossed")).toHaveProperty("setCookie");
});

test("another moth's opens nothing here, under either name", () => {
  const clock = handClock();
  const [here, there] = [createPageKeys(clock, 4747), createPageKeys(clock, 4748)];
  browser(here);
  const foreign = browser(there);
  const renamed = { ...foreign, cookie: foreign.cookie.replace("4748", "4747") };
  expect([isIn(there, foreign), isIn(here, foreign), isIn(here, renamed)]).toEqual([true, false, false]);
});

test("links are bounded: the oldest gives way", () => {
  const keys = createPageKeys(handClock(), 4747);
  const [first, second] = [keys.invite(), keys.invite()];
  for (let count = 0; count < 15; count++) keys.invite();
  expect([keys.enter(first, undefined), keys.enter(second, undefined) !== undefined]).toEqual([undefined, true]);
});

test("browsers are bounded: of 33, the one that has not asked for longest gives way", () => {
  const keys = createPageKeys(handClock(), 4747);
  const [first, second, ...others] = Array.from({ length: 32 }, () => browser(keys));
  expect(isIn(keys, first!)).toBe(true);
  const last = browser(keys);
  expect([first!, second!, ...others, last].map((one) => isIn(keys, one))).toEqual([
    true,
    false,
    ...others.map(() => true),
    true,
  ]);
});
