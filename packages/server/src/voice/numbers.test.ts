import { expect, it } from "vitest";
import { inWords, spokenTime } from "./numbers.ts";

it.each([
  [0, "one second"],
  [1400, "one second"],
  [7000, "seven seconds"],
  [43_000, "forty-five seconds"],
  [52_000, "fifty seconds"],
  [55_000, "a minute"],
  [89_000, "a minute"],
  [660_000, "eleven minutes"],
  [42 * 60_000, "forty-two minutes"],
  [59.6 * 60_000, "an hour"],
  [3 * 3_600_000, "three hours"],
  [200 * 3_600_000, "200 hours"],
])("%i ms are %s", (milliseconds, words) => {
  expect(spokenTime(milliseconds)).toBe(words);
});

it.each([
  [0, "zero"],
  [12, "twelve"],
  [30, "thirty"],
  [99, "ninety-nine"],
  [100, "100"],
])("%i in words is %s", (count, words) => {
  expect(inWords(count)).toBe(words);
});
