import type { MothEvent } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { handClock } from "../../test/support.ts";
import { createLog } from "../log.ts";
import type { StateChange } from "../sessions.ts";
import { createAttention } from "./attention.ts";
import { NOTIFY_OFF, type NotifySettings } from "./pick.ts";

function parts(settings: Partial<NotifySettings> = {}) {
  const clock = handClock();
  const log = createLog(() => "e1");
  const now: NotifySettings = { ...NOTIFY_OFF, on: true, by: ["terminal"], ...settings };
  let reads = 0;
  const attention = createAttention({ clock, log, settings: () => (reads++, now), minuteOf: () => 0 });
  const change = (state: StateChange["state"], more: Partial<StateChange> = {}): void =>
    attention.hear({ kind: "state", source: "pi", session: "s1", label: "api", state, ...more });
  const kinds = (): string[] => log.read({ since: 0, epoch: undefined }).events.map((event: MothEvent) => event.kind);
  return { clock, log, now, attention, change, kinds, reads: () => reads };
}
const wait = { wait: { id: "w", kind: "question" as const, answerable: false } };

test("a wait is unread and told; a look clears both, once, for everybody", () => {
  const { attention, change, kinds, log } = parts();
  change("waiting", wait);
  expect(attention.unread("pi", "s1")).toBe("waits");
  expect(log.read({ since: 0, epoch: undefined }).events).toMatchObject([
    {
      kind: "notice",
      notice: "n1",
      about: "waits",
      title: "api waits for an answer",
      body: "pi",
      by: ["terminal"],
      label: "api",
    },
  ]);
  attention.seen({ source: "pi", session: "s1" });
  expect(attention.unread("pi", "s1")).toBeUndefined();
  attention.seen({ source: "pi", session: "s1" });
  expect(kinds()).toEqual(["notice", "seen", "withdrawn"]);
});

test("unread is kept though nothing is told", () => {
  const { attention, change, kinds } = parts({ on: false });
  change("working");
  change("idle", { outcome: "done" });
  expect(attention.unread("pi", "s1")).toBe("finished");
  change("working");
  expect(attention.unread("pi", "s1")).toBeUndefined();
  expect(kinds()).toEqual([]);
});

test("what was gathered is told when its time comes, and not after the end", () => {
  const { attention, change, clock, kinds } = parts();
  for (const session of ["a", "b", "c"]) change("waiting", { ...wait, session });
  expect(kinds()).toEqual(["notice"]);
  clock.advance(2000);
  expect(kinds()).toEqual(["notice", "notice"]);
  change("waiting", { ...wait, session: "d" });
  attention.stop();
  clock.advance(10_000);
  expect(kinds()).toHaveLength(2);
});

test("a change of the settings holds within a second, and they are not read for each report", () => {
  const { change, clock, now, kinds, reads } = parts();
  for (const state of ["working", "idle"] as const) for (let i = 0; i < 500; i++) change(state, { session: `s${i}` });
  expect(reads()).toBe(1);
  now.on = false;
  clock.advance(1000);
  change("waiting", wait);
  expect(kinds()).toEqual([]);
});

test("forgetting everything clears what is unread and withdraws what is shown", () => {
  const { attention, change, kinds } = parts();
  change("waiting", wait);
  attention.clear();
  expect(attention.unread("pi", "s1")).toBeUndefined();
  expect(kinds()).toEqual(["notice", "withdrawn"]);
});

test("a test names what showed it, and not what failed", async () => {
  const { attention, now } = parts({ by: ["terminal", "command"], command: ["no-such-program-of-moth"] });
  expect(await attention.test()).toMatchObject({ by: ["terminal"], problems: [expect.stringContaining("cannot be started")] });
  now.command = [process.execPath, "-e", ""];
  expect(await attention.test()).toMatchObject({ by: ["terminal", "command"], problems: [] });
});
