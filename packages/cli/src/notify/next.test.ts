import type { Session } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { Failure } from "../errors.ts";
import { findSession } from "./find-session.ts";
import { whoWants } from "./next.ts";

const session = (label: string, more: object = {}): Session => ({
  source: "pi",
  session: `id-of-${label}`,
  label,
  state: "idle",
  since: 0,
  heard: 0,
  active: true,
  ...more,
});

test("who waits comes before who has finished, the oldest first, and what was seen last", () => {
  const all = [
    session("old", { unread: "finished", since: 1 }),
    session("nothing"),
    session("works", { state: "working" }),
    session("later", { state: "waiting", unread: "waits", since: 9 }),
    session("failed", { unread: "failed", since: 5 }),
    session("seen", { state: "waiting", since: 0 }),
    session("first", { state: "waiting", unread: "waits", since: 2 }),
  ];
  expect(whoWants(all).map(({ label }) => label)).toEqual(["first", "later", "old", "failed", "seen"]);
});

test.each<[string, string]>([
  ["api", "api"],
  ["API", "api"],
  ["web (1a2b)", "web (1a2b)"],
  ["web (1", "more"],
  ["web", "more"],
  ["id-of-api", "api"],
  ["done", "done"],
  ["ap", "none"],
])("%j means %s", (word, label) => {
  const all = [session("api"), session("web (1a2b)"), session("web (3c4d)"), session("done", { state: "gone" })];
  const find = (): string => findSession(word, all).label;
  if (label === "more" && word === "web") expect(find).toThrow(/more than one/);
  else if (label === "more" || label === "none") expect(find).toThrow(Failure);
  else expect(find()).toBe(label);
});

test("a session that is there is meant before one that has gone", () => {
  const all = [session("api", { state: "gone", session: "1" }), session("api", { session: "2" })];
  expect(findSession("api", all).session).toBe("2");
});
