import { expect, test } from "vitest";
import type { Want } from "@moth-companion/core/protocol";
import { createNotifier, type Notifier, type NotifyRules } from "./notifier.ts";

const S = 1000;

const told = (actions: ReturnType<Notifier["wake"]>): string[] =>
  actions.map((action) =>
    action.do === "withdraw"
      ? `- ${action.key}`
      : `+ ${action.notice.title}${action.notice.body === "Pi" ? "" : ` | ${action.notice.body}`}`,
  );
const who = (label: string) => ({ source: "pi", session: label, label });

/** Plays with a notifier and tells what the person sees: `+ title | body`, `- key`. */
function desk(rules: Partial<NotifyRules> = {}, startMinute = 12 * 60) {
  let now = 0;
  const held = { on: true, finishedAfter: 60, ...rules };
  const notifier: Notifier = createNotifier({
    rules: () => held,
    minuteOf: (at) => (startMinute + at / 60_000) % 1440,
    nameOf: () => "Pi",
  });
  return {
    held,
    notifier,
    waits: (label: string) =>
      told(
        notifier.hear(
          { what: "waits", ...who(label), wait: { id: "w", kind: "permission", tool: "Bash", answerable: false } },
          now,
        ),
      ),
    ends: (label: string, what: Want = "finished", worked?: number) =>
      told(notifier.hear({ what, ...who(label), ...(worked === undefined ? {} : { worked: worked * S }) }, now)),
    goesOn: (label: string) => told(notifier.hear({ what: "on", ...who(label) }, now)),
    seen: (label?: string) => told(notifier.seen(label === undefined ? undefined : who(label), now)),
    mute: (label: string | undefined, seconds?: number) =>
      told(
        notifier.mute(label === undefined ? undefined : who(label), seconds === undefined ? undefined : now + seconds * S, now),
      ),
    /** Passes time, waking when it is due. */
    after(seconds: number): string[] {
      const end = now + seconds * S;
      const all: string[] = [];
      while (notifier.wakeAt !== undefined && notifier.wakeAt <= end) {
        now = Math.max(now, notifier.wakeAt);
        all.push(...told(notifier.wake(now)));
      }
      now = end;
      return all;
    },
    jump: (seconds: number) => (now += seconds * S),
  };
}

test("a session that waits is told at once, and withdrawn when it goes on", () => {
  const d = desk();
  expect(d.waits("api")).toEqual(["+ api waits for a permission (Bash)"]);
  expect(d.goesOn("api")).toEqual(["- n1"]);
  expect(d.notifier.wakeAt).toBeUndefined();
});

test("there are no reminders", () => {
  const d = desk();
  d.waits("api");
  expect(d.after(100_000)).toEqual([]);
});

test.each<[Want, number | undefined, string[]]>([
  ["finished", 59, []],
  ["finished", 60, ["+ api finished | Pi · after a minute"]],
  ["finished", undefined, []],
  ["failed", 2, ["+ api failed | Pi · after two seconds"]],
  ["failed", undefined, ["+ api failed"]],
  ["limit", 0, ["+ api hit its limit"]],
])("a session that %s after %s seconds of work: %j", (what, worked, told) => {
  expect(desk().ends("api", what, worked)).toEqual(told);
});

test("off tells nothing, also of what was held back before", () => {
  const d = desk();
  d.waits("a");
  d.waits("b");
  d.held.on = false;
  expect(d.waits("c")).toEqual([]);
  expect(d.after(60)).toEqual([]);
  expect(d.goesOn("a")).toEqual(["- n1"]);
});

test("what comes within two seconds of a notice is told in one", () => {
  const d = desk();
  expect(d.waits("a")).toHaveLength(1);
  expect([d.waits("b"), d.ends("c", "failed", 5), d.ends("d", "finished", 99)]).toEqual([[], [], []]);
  expect(d.after(2)).toEqual(["+ three sessions have news | b waits, c failed, d finished"]);
  expect(d.after(60)).toEqual([]);
});

test("several that wait say so, and are withdrawn when the last of them is answered", () => {
  const d = desk();
  for (const label of ["a", "b", "c"]) d.waits(label);
  expect(d.after(2)).toEqual(["+ two sessions wait for you | b and c wait"]);
  expect(d.goesOn("b")).toEqual([]);
  expect(d.goesOn("c")).toEqual(["- n2"]);
});

test("what is over before it was told is never told", () => {
  const d = desk();
  d.waits("a");
  d.waits("b");
  d.goesOn("b");
  expect(d.after(60)).toEqual([]);
});

test("one thing that was held back is told as itself", () => {
  const d = desk();
  d.waits("a");
  d.ends("b", "failed");
  expect(d.after(2)).toEqual(["+ b failed"]);
});

test("a new wait of the same session takes the place of the old notice", () => {
  const d = desk();
  d.waits("a");
  d.after(10);
  expect(d.waits("a")).toEqual(["- n1", "+ a waits for a permission (Bash)"]);
});

test("a look withdraws: at one session, at all", () => {
  const d = desk();
  d.waits("a");
  d.waits("b");
  expect(d.seen("a")).toEqual(["- n1"]);
  expect(d.after(2)).toEqual(["+ b waits for a permission (Bash)"]);
  d.waits("c");
  expect(d.seen()).toEqual(["- n2"]);
  expect(d.after(60)).toEqual([]);
});

test("in quiet hours nothing is told; when they end, a digest of what still matters", () => {
  const d = desk({ quiet: { from: 22 * 60, to: 8 * 60 } }, 23 * 60);
  const told = [
    d.waits("a"),
    d.ends("b", "failed"),
    d.ends("c", "finished", 100),
    d.ends("d", "finished", 100),
    d.ends("e", "limit"),
    d.waits("f"),
  ];
  expect(told.flat()).toEqual([]);
  d.goesOn("f");
  d.seen("d");
  expect(d.after(9 * 3600 - 1)).toEqual([]);
  expect(d.after(1)).toEqual(["+ while you were away | one finished, one failed, one hit its limit, one waits: c, b, e and a"]);
  expect(d.goesOn("a")).toEqual([]);
  expect(d.seen()).toEqual(["- n1"]);
  expect(d.waits("g")).toEqual([]);
  expect(d.after(2)).toEqual(["+ g waits for a permission (Bash)"]);
});

test("quiet hours without news end in silence", () => {
  const d = desk({ quiet: { from: 22 * 60, to: 8 * 60 } }, 23 * 60);
  d.waits("a");
  d.goesOn("a");
  expect(d.after(40_000)).toEqual([]);
});

test("a muted session is silent, others are not; the mute runs out", () => {
  const d = desk();
  expect(d.mute("a", 60)).toEqual([]);
  expect(d.waits("a")).toEqual([]);
  expect(d.waits("b")).toHaveLength(1);
  d.after(61);
  expect(d.notifier.muted(61 * S)).toEqual([]);
  expect(d.ends("a", "failed")).toEqual(["+ a failed"]);
});

test("muting a session takes its notice away", () => {
  const d = desk();
  d.waits("a");
  expect(d.mute("a")).toEqual(["- n1"]);
});

test("muting all for a time ends in a digest; unmuting by hand does not", () => {
  const d = desk();
  d.mute(undefined, 600);
  d.waits("a");
  expect(d.after(599)).toEqual([]);
  expect(d.after(1)).toEqual(["+ while you were away | one waits: a"]);
  d.after(10);
  d.mute(undefined);
  d.ends("b", "failed");
  expect(d.notifier.wakeAt).toBeUndefined();
  d.notifier.unmute(undefined);
  expect(d.after(1000)).toEqual([]);
});

test("a clock that jumps back silences nothing for long", () => {
  const d = desk();
  d.jump(1000);
  d.waits("a");
  d.jump(-900);
  d.waits("b");
  expect(d.after(2)).toEqual(["+ b waits for a permission (Bash)"]);
});

test("when all is forgotten, what is shown is withdrawn and mutes end", () => {
  const d = desk();
  d.waits("a");
  d.mute("b");
  expect(d.notifier.clear()).toEqual([{ do: "withdraw", key: "n1" }]);
  expect(d.notifier.muted(0)).toEqual([]);
});
