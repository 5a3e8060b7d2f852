import type { Session } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { findSession } from "./find-session.ts";

const gone = (session: string, label: string, since: number): Session => {
  return { source: "x", session, label, state: "gone", since, heard: since, active: false };
};
const idle = (session: string): Session => ({ ...gone(session, "web", 5), state: "idle" });
const TWICE = [gone("aaaaaaaa-1", "web", 10), gone("aaaaaaaa-2", "web", 30), gone("bbbbbbbb", "web", 20)];

test("of sessions that are gone and called alike the newest is taken, and said", () => {
  const told: string[] = [];
  expect(findSession("web", TWICE, (line) => told.push(line))).toBe(TWICE[1]);
  expect(told).toEqual(['moth: "web" is 3 sessions that are gone; the newest is taken, aaaaaaaa-2']);
});

test("nothing is said where one alone is meant", () => {
  const told: string[] = [];
  expect(findSession("bbbbbbbb", TWICE, (line) => told.push(line)).session).toBe("bbbbbbbb");
  const here = idle("cccccccc");
  expect(findSession("web", [...TWICE, here], (line) => told.push(line))).toBe(here);
  expect(told).toEqual([]);
});

test("the person says which: where one is there, where names differ, and where the choice is not asked for", () => {
  expect(() => findSession("web", [idle("c"), idle("d")], () => {})).toThrow("more than one session");
  expect(() => findSession("web", [gone("c", "web (api)", 1), gone("d", "web (shop)", 2)], () => {})).toThrow("more than one");
  expect(() => findSession("web", TWICE)).toThrow("more than one session");
  const many = Array.from({ length: 30 }, (_, index) => gone(`${index}`.padStart(8, "0"), "web", index));
  expect(() => findSession("web", many)).toThrow(
    expect.objectContaining({
      next: expect.stringMatching(/first: "00000029", .*"00000024", and 24 more: moth ps --all$/) as string,
    }),
  );
});
