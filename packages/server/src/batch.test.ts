import { TURN_CLASSES, type TurnClass } from "@moth-companion/core/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BatchAction, type BatchSettings, createBatch, DEFAULT_BATCH } from "./batch.ts";
import { rank } from "./triage.ts";

/** What happens, at which second. A string is a turn of that class; turns get the keys 1, 2, 3 … in order. */
type Step = [second: number, what: TurnClass | "chat" | "wake" | "reset"];

/** Plays the steps; answers lines such as `4 show 1`, `4 skip 2 batch`. */
function play(steps: Step[], settings: Partial<BatchSettings> = {}): string[] {
  const batch = createBatch({ ...DEFAULT_BATCH, ...settings });
  let key = 0;
  return steps.flatMap(([second, what]) => {
    const now = second * 1000;
    let actions: BatchAction[] = [];
    if (what === "chat") actions = batch.chat(now);
    else if (what === "wake") actions = batch.wake(now);
    else if (what === "reset") batch.reset();
    else actions = batch.turn({ key: ++key, class: what }, now);
    return actions.map((action) => `${second} ${Object.values(action).join(" ")}`);
  });
}

describe("the window", () => {
  it("holds the card until it closes, then reacts", () => {
    const steps: Step[] = [
      [0, "done"],
      [3.9, "wake"],
      [4, "wake"],
    ];
    expect(play(steps)).toEqual(["4 show 1", "4 react 1"]);
  });

  it("shows the chosen card last, so that the reaction sits under it", () => {
    const steps: Step[] = [
      [0, "question"],
      [1, "done"],
      [2, "long"],
      [4, "wake"],
    ];
    expect(play(steps)).toEqual(["4 show 2", "4 skip 2 batch", "4 show 3", "4 skip 3 batch", "4 show 1", "4 react 1"]);
  });

  it.each<[TurnClass, TurnClass, number]>([
    ["failure", "question", 1],
    ["question", "apology", 2],
    ["question", "long", 1],
    ["done", "long", 2],
    ["failure", "apology", 2],
    ["apology", "failure", 2],
    ["done", "done", 2],
  ])("of %s then %s picks number %i: the more interesting, the newest in a tie", (first, second, chosen) => {
    const actions = play([
      [0, first],
      [1, second],
      [4, "wake"],
    ]);
    expect(actions.at(-1)).toBe(`4 react ${chosen}`);
  });

  it("closes when a turn comes after its end, though nobody woke it", () => {
    const steps: Step[] = [
      [0, "done"],
      [9, "done"],
    ];
    expect(play(steps)).toEqual(["9 show 1", "9 react 1", "9 show 2", "9 skip 2 rate"]);
  });

  it("takes in turns that could not have opened it", () => {
    const steps: Step[] = [
      [0, "done"],
      [4, "wake"],
      [10, "failure"],
      [11, "done"],
      [14, "wake"],
    ];
    expect(play(steps).slice(2)).toEqual(["14 show 3", "14 skip 3 batch", "14 show 2", "14 react 2"]);
  });

  it("of 0 seconds is none", () => {
    const steps: Step[] = [
      [0, "done"],
      [1, "failure"],
    ];
    expect(play(steps, { batchWindow: 0 })).toEqual(["0 show 1", "0 react 1", "1 show 2", "1 react 2"]);
  });
});

describe("react-every", () => {
  it.each<[TurnClass, boolean]>([
    ["failure", true],
    ["apology", true],
    ["long", true],
    ["question", false],
    ["done", false],
  ])("lets %s through within 120 s: %s", (second, through) => {
    const actions = play([
      [0, "done"],
      [4, "wake"],
      [123.9, second],
      [127.9, "wake"],
    ]);
    expect(actions.slice(2)).toEqual(through ? ["127.9 show 2", "127.9 react 2"] : ["123.9 show 2", "123.9 skip 2 rate"]);
  });

  it("is over 120 s after the reaction, not after the turn", () => {
    const steps: Step[] = [
      [0, "done"],
      [4, "wake"],
      [124, "done"],
      [128, "wake"],
    ];
    expect(play(steps).slice(2)).toEqual(["128 show 2", "128 react 2"]);
  });

  it("counts an urgent reaction too", () => {
    const steps: Step[] = [
      [0, "done"],
      [4, "wake"],
      [100, "failure"],
      [104, "wake"],
      [130, "done"],
    ];
    expect(play(steps).slice(4)).toEqual(["130 show 3", "130 skip 3 rate"]);
  });

  it("of 0 lets every turn open a window", () => {
    const steps: Step[] = [
      [0, "done"],
      [4, "wake"],
      [5, "done"],
      [9, "wake"],
    ];
    expect(play(steps, { reactEvery: 0 })).toEqual(["4 show 1", "4 react 1", "9 show 2", "9 react 2"]);
  });
});

describe("chatting", () => {
  it("holds the reaction until the person stops, and hides no card meanwhile", () => {
    const steps: Step[] = [
      [0, "chat"],
      [5, "done"],
      [20, "failure"],
      [30, "chat"],
      [40, "done"],
      [89.9, "wake"],
      [90, "wake"],
    ];
    expect(play(steps)).toEqual(["5 show 1", "20 skip 1 batch", "20 show 2", "40 show 3", "40 skip 3 batch", "90 react 2"]);
  });

  it("that begins within a window shows the cards at once", () => {
    const steps: Step[] = [
      [0, "failure"],
      [1, "done"],
      [2, "chat"],
      [4, "wake"],
      [62, "wake"],
    ];
    expect(play(steps)).toEqual(["2 show 2", "2 skip 2 batch", "2 show 1", "62 react 1"]);
  });

  it("that ends before the window does changes nothing", () => {
    const steps: Step[] = [
      [0, "chat"],
      [58, "done"],
      [60, "wake"],
      [62, "wake"],
    ];
    expect(play(steps)).toEqual(["62 show 1", "62 react 1"]);
  });

  it("does not turn a turn within react-every into a candidate", () => {
    const steps: Step[] = [
      [0, "done"],
      [4, "wake"],
      [5, "chat"],
      [6, "question"],
    ];
    expect(play(steps).slice(2)).toEqual(["6 show 2", "6 skip 2 rate"]);
  });

  it("holds also when there is no window", () => {
    const steps: Step[] = [
      [0, "chat"],
      [1, "done"],
      [60, "wake"],
    ];
    expect(play(steps, { batchWindow: 0 })).toEqual(["1 show 1", "60 react 1"]);
  });

  it("with quiet-after 0 holds nothing", () => {
    const steps: Step[] = [
      [0, "done"],
      [1, "chat"],
      [4, "wake"],
    ];
    expect(play(steps, { quietAfter: 0 })).toEqual(["4 show 1", "4 react 1"]);
  });
});

it("reacts to every turn at once when react-every and quiet-after are 0, whatever the window", () => {
  const steps: Step[] = [
    [0, "done"],
    [0, "chat"],
    [0, "done"],
    [1, "question"],
  ];
  const expected = ["0 show 1", "0 react 1", "0 show 2", "0 react 2", "1 show 3", "1 react 3"];
  expect(play(steps, { reactEvery: 0, quietAfter: 0, batchWindow: 4 })).toEqual(expected);
});

it("forgets what it held, when it spoke and when the person chatted on reset", () => {
  const steps: Step[] = [
    [0, "done"],
    [4, "wake"],
    [5, "chat"],
    [6, "failure"],
    [7, "reset"],
    [8, "done"],
    [12, "wake"],
  ];
  expect(play(steps)).toEqual(["4 show 1", "4 react 1", "6 show 2", "12 show 3", "12 react 3"]);
});

describe("a clock that jumps back", () => {
  it("costs a held turn no more than its window", () => {
    const batch = createBatch();
    batch.turn({ key: 1, class: "done" }, 1_000_000);
    expect(batch.wake(5000)).toEqual([]);
    expect(batch.wakeAt).toBe(9000);
    expect(batch.wake(9000).at(-1)).toEqual({ do: "react", key: 1 });
  });

  it("does not silence moth until the old time is reached again", () => {
    const batch = createBatch({ ...DEFAULT_BATCH, batchWindow: 0 });
    batch.turn({ key: 1, class: "done" }, 1_000_000);
    expect(batch.turn({ key: 2, class: "done" }, 50_000)).toContainEqual({ do: "skip", key: 2, reason: "rate" });
    expect(batch.turn({ key: 3, class: "done" }, 170_000)).toContainEqual({ do: "react", key: 3 });
  });

  it("costs a chatting person's quiet no more than it had left", () => {
    const batch = createBatch({ ...DEFAULT_BATCH, batchWindow: 0 });
    batch.turn({ key: 1, class: "done" }, 1_000_000);
    batch.chat(1_100_000);
    expect(batch.turn({ key: 2, class: "failure" }, 50_000)).toEqual([{ do: "show", key: 2 }]);
    expect(batch.wakeAt).toBe(110_000);
    expect(batch.wake(110_000)).toEqual([{ do: "react", key: 2 }]);
    expect(batch.turn({ key: 3, class: "done" }, 230_000)).toContainEqual({ do: "react", key: 3 });
  });
});

describe("whatever happens in whatever order", () => {
  const seconds = fc.constantFrom(0, 1, 4, 60, 120);
  const settings = fc.record({ reactEvery: seconds, quietAfter: seconds, batchWindow: seconds });
  const what = fc.oneof(fc.constantFrom<"chat" | "wake">("chat", "wake"), fc.constantFrom(...TURN_CLASSES));
  // Mostly forwards, sometimes backwards.
  const pass = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 90_000 }) },
    { weight: 1, arbitrary: fc.constant(-50_000) },
  );

  it("shows every turn once, then skips it or reacts to it once, and wakes no later than it must", () => {
    const story = fc.array(fc.record({ what, pass }), { maxLength: 40 });
    fc.assert(
      fc.property(settings, story, (settings, story) => {
        const batch = createBatch(settings);
        const classes: TurnClass[] = [];
        const log: BatchAction[] = [];
        let now = 1_000_000;
        for (const step of story) {
          now += step.pass;
          if (step.what === "chat") log.push(...batch.chat(now));
          else if (step.what === "wake") log.push(...batch.wake(now));
          else log.push(...batch.turn({ key: classes.push(step.what) - 1, class: step.what }, now));
          if (batch.wakeAt === undefined) continue;
          expect(batch.wakeAt).toBeGreaterThan(now);
          expect(batch.wakeAt - now).toBeLessThanOrEqual(Math.max(settings.batchWindow, settings.quietAfter) * 1000);
        }
        if (batch.wakeAt !== undefined) log.push(...batch.wake(batch.wakeAt));
        expect(batch.wakeAt).toBeUndefined();
        for (const key of classes.keys()) {
          const fate = log.filter((action) => action.key === key).map((action) => action.do);
          expect([
            ["show", "skip"],
            ["show", "react"],
          ]).toContainEqual(fate);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("never passes a more interesting turn of the same group over", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...TURN_CLASSES), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        (classes, chatting) => {
          const batch = createBatch();
          if (chatting) batch.chat(0);
          for (const [key, kind] of classes.entries()) batch.turn({ key, class: kind }, 1 + key);
          const chosen = batch.wake(batch.wakeAt ?? 0).find((action) => action.do === "react");
          const top = Math.max(...classes.map(rank));
          expect(chosen?.key).toBe(classes.findLastIndex((kind) => rank(kind) === top));
        },
      ),
    );
  });
});
