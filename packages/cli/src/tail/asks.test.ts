import type { MothEvent, Session, Wait } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { createOpenAsks } from "./asks.ts";

const wait = (id: string, more: object = {}): Wait => ({ id, kind: "permission", text: "ls", answerable: true, ...more });
const waits = (id: number, session: string, of: Wait): MothEvent => ({
  kind: "state",
  id,
  time: 0,
  source: "x",
  session,
  label: session,
  state: "waiting",
  wait: of,
});
const works = (id: number, session: string): MothEvent => ({
  kind: "state",
  id,
  time: 0,
  source: "x",
  session,
  label: session,
  state: "working",
});
const row = (session: string, since: number, of: Wait): Session => ({
  source: "x",
  session,
  label: session,
  since,
  heard: since,
  active: true,
  state: "waiting",
  wait: of,
});
const roster = (next: number, ...sessions: Session[]): { epoch: string; next: number; sessions: Session[] } => ({
  epoch: "e",
  next,
  sessions,
});

test("who waited before the log began is known, and events that came before the roster do not undo it", () => {
  const asks = createOpenAsks(() => true);
  asks.hear([waits(3, "old", wait("w0")), works(4, "old")]);
  asks.hear([works(8, "gone"), waits(9, "late", wait("w3"))]);
  asks.know(roster(6, row("second", 2, wait("w2")), row("first", 1, wait("w1")), row("gone", 3, wait("w4"))));
  expect(asks.answerable().map(({ session }) => session)).toEqual(["late", "second", "first"]);
  // A second roster that was asked for meanwhile is older than what came since.
  asks.know(roster(2, row("old", 1, wait("w0"))));
  expect(asks.answerable()).toHaveLength(3);
});

test("without a roster the events have to do", () => {
  const asks = createOpenAsks(() => true);
  asks.hear([waits(1, "a", wait("w1"))]);
  expect(asks.answerable()).toEqual([]);
  asks.know(undefined);
  expect(asks.answerable()).toHaveLength(1);
});

test("a session that waits for something else is newer; one whose words become known is not", () => {
  const asks = createOpenAsks(() => true);
  asks.know(roster(0));
  asks.hear([waits(1, "a", wait("w1", { answerable: false })), waits(2, "b", wait("w1")), waits(3, "a", wait("w1"))]);
  expect(asks.answerable().map(({ session }) => session)).toEqual(["b", "a"]);
  asks.hear([waits(4, "a", wait("w2"))]);
  expect(asks.answerable().map(({ session }) => session)).toEqual(["a", "b"]);
});

test("what is asked is the same only word for word", () => {
  const asks = createOpenAsks(() => true);
  asks.know(roster(0, row("a", 1, wait("w1"))));
  const [ask] = asks.answerable();
  expect(asks.has(ask!)).toBe(true);
  asks.hear([waits(1, "a", wait("w1", { text: "ls -a" }))]);
  expect(asks.has(ask!)).toBe(false);
});

test("another log, and sessions that are not wanted", () => {
  const asks = createOpenAsks((label) => label !== "b");
  asks.know(roster(0, row("a", 1, wait("w1")), row("b", 1, wait("w1"))));
  expect(asks.answerable().map(({ session }) => session)).toEqual(["a"]);
  asks.anew();
  expect(asks.answerable()).toEqual([]);
});
