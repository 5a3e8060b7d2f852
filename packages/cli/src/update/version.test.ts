import { expect, test } from "vitest";
import { isNewer, VERSION } from "./version.ts";

const INCREASING = [
  "0.9.9",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.10",
  "1.2.0",
  "10.0.0",
];

test("versions are ordered as semver orders them", () => {
  for (const [at, one] of INCREASING.entries())
    for (const [other, two] of INCREASING.entries()) expect(isNewer(one, two), `${one} after ${two}`).toBe(at > other);
});

test.each(["", "latest", "1.2", "1.2.3; rm -rf /", "v1.2.3", "1.2.3\n", "1.2.3-a b"])(
  "%j is no version, and newer than none",
  (text) => {
    expect(VERSION.test(text)).toBe(false);
    expect(isNewer(text, "0.0.0")).toBe(false);
  },
);
