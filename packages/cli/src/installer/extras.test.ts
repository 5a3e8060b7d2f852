import type { Harness } from "@moth-companion/harnesses";
import { expect, test } from "vitest";
import { extrasOf } from "./extras.ts";

const lark = {
  id: "lark",
  name: "Lark",
  extras: { trust: true, profile: "its profiles share their hooks." },
} as unknown as Harness;
const wren = { id: "wren", name: "Wren" } as unknown as Harness;

test("a harness that is named gets what it has, and what it has not is refused with the reason", () => {
  expect(extrasOf(lark, { trust: true }, false)).toEqual({ trust: true });
  expect(extrasOf(wren, {}, false)).toEqual({});
  expect(() => extrasOf(lark, { profile: "work" }, false)).toThrow("--profile is not for lark: its profiles share their hooks.");
  expect(() => extrasOf(lark, { legacy: true }, false)).toThrow("--legacy-notify is not for lark: Lark has nothing of the kind");
});

test("when every harness is meant, those without an extra go without it", () => {
  expect(extrasOf(lark, { trust: true }, true)).toEqual({ trust: true });
  expect(extrasOf(wren, { trust: true }, true)).toEqual({});
});
