import { findHarness } from "@moth-companion/harnesses";
import { expect, it } from "vitest";
import { drivers } from "./index.ts";

it.each(drivers.map((driver) => driver.id))("%s is a harness that moth knows", (id) => {
  expect(findHarness(id)?.id).toBe(id);
});

it("no two drivers drive the same harness", () => {
  expect(new Set(drivers.map((driver) => driver.id)).size).toBe(drivers.length);
});
