import type { Wait } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { state } from "../test/reports.ts";
import { handClock } from "../test/support.ts";
import { createAnswerBox } from "./answer-box.ts";
import { createLog } from "./log.ts";
import { createSessions } from "./sessions.ts";

/** Milliseconds after which a fetch of 50 s comes back with nothing. */
async function nothingAfter(known: Partial<Wait> | undefined): Promise<number> {
  const clock = handClock();
  const sessions = createSessions();
  const box = createAnswerBox({ clock, log: createLog(() => "e1"), sessions });
  const wait: Wait = { id: "w1", kind: "permission", answerable: false, ...known };
  if (known) sessions.state(state("waiting", { wait }), clock.now());
  const began = clock.now();
  const fetch = { isOver: false };
  const fetched = box.fetch({ source: "pi", session: "s1", wait: "w1" }, { ms: 50_000, onClose: () => undefined });
  void fetched.then(() => (fetch.isOver = true));
  while (!fetch.isOver && clock.now() - began < 60_000) {
    clock.advance(1000);
    // oxlint-disable-next-line no-await-in-loop -- one second after the other
    await Promise.resolve();
  }
  expect(await fetched).toEqual({});
  return clock.now() - began;
}

test.each<[string, Partial<Wait> | undefined, boolean]>([
  ["that can be answered", { answerable: true, text: "rm" }, false],
  ["of which moth says why it cannot be answered", { why: "moth cannot show it whole." }, false],
  ["that moth does not know", undefined, true],
  ["that an earlier moth was told of", {}, true],
])("who fetches the answer to a wait %s hears in time that it is to be told again, where it is", async (_name, known, isSoon) => {
  const ms = await nothingAfter(known);
  if (isSoon) expect(ms).toBeLessThan(5000);
  else expect(ms).toBeGreaterThanOrEqual(50_000);
});
