/** What the real harnesses did, and what the built extension made of it. */
import { expect, test, vi } from "vitest";
import { type Heard, startMoth, story } from "../../core/test/listening-moth.ts";
import { recording, run } from "./harness.ts";

/** What was heard of a recording once all of it has arrived: it may be under way still when the process has ended. */
async function told(name: string, omp: boolean, expected: string[]): Promise<Heard[]> {
  const moth = await startMoth();
  await run(recording(name), moth.url, { omp });
  await vi.waitFor(() => expect(story(moth.heard())).toEqual(expected));
  return moth.heard();
}

test("Pi: turns, a stop, an error, silence, a permission, a question, a new session", async () => {
  const heard = await told("pi-1.6.0-terminal", false, [
    "idle",
    "working",
    '"The first reply."',
    "working",
    "idle:interrupted",
    "working",
    "idle:failed",
    "working",
    "idle:done",
    "working",
    "waiting:permission bash",
    "working:answered",
    '"Made it."',
    "working",
    "waiting:question ask_person",
    "working:answered",
    '"Red it is."',
    "gone",
    "idle",
    "working",
    '"In a new session."',
    "gone",
  ]);
  expect(new Set(heard.map(({ body }) => body.session)).size).toBe(2);
  expect(new Set(heard.map(({ body }) => body.label))).toEqual(new Set(["moth repo"]));
  expect(new Set(heard.map(({ body }) => body.source))).toEqual(new Set(["pi"]));
});

const OMP = [
  "idle",
  "working",
  '"The first reply."',
  "working",
  "idle:interrupted",
  "working",
  "idle:failed",
  "working",
  "waiting:permission bash",
  "working:answered",
  '"Made it."',
  "working",
  "waiting:permission bash",
  "working:answered",
  '"Denied then."',
  "working",
  "waiting:question ask",
  "working:answered",
  '"Red it is."',
  "working",
  "waiting:permission task",
  "working:answered",
  '"A helper is at it.", works on',
  "working",
  '"The helper is done."',
  "working",
  "waiting:plan propose",
  "gone",
  "idle",
  "working",
  '"ok"',
  "gone",
];

test("omp: turns, a stop, an error, permissions, a question, a helper, a plan that goes on in a new session", async () => {
  const heard = await told("omp-18.2.3-terminal", true, OMP);
  // The helper's own session is none of the person's.
  expect(new Set(heard.map(({ body }) => body.session)).size).toBe(2);
  expect(new Set(heard.map(({ body }) => body.source))).toEqual(new Set(["omp"]));
});

test("a wait and its end carry the harness's own id of the call", async () => {
  const heard = await told("omp-18.2.3-terminal", true, OMP);
  const waits = heard.flatMap(({ body }) => body.wait?.id ?? []);
  expect(waits.length).toBeGreaterThan(3);
  for (const id of waits) expect(id).toMatch(/^toolu_/);
  expect(heard.flatMap(({ body }) => body.ended ?? [])).toEqual(waits.slice(0, -1));
});
