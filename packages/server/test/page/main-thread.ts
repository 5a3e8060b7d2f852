/**
 * How long the page keeps its main thread busy from one frame to the next, in CPU time: on a machine that is busy with other things frames come
 * late whatever the page does, and only the page's own work tells whether it hitches.
 */
import type { Page } from "playwright-core";

/** What is used of an event in Chromium's trace; times in microseconds, `tdur` in those of the thread's CPU. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
}

export interface Busy {
  /** Frames that were drawn. */
  frames: number;
  /** Milliseconds of CPU between two of them, at most. */
  longest: number;
}

/** Watches a page for `ms`. Only one page of its browser may be traced at a time. */
export async function busiest(page: Page, ms: number): Promise<Busy> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ["devtools.timeline", "disabled-by-default-devtools.timeline"] });
  let trace: Buffer;
  try {
    // A frame is asked for each time, so that each shows in the trace.
    await page.evaluate(`new Promise((resolve) => {
      const end = performance.now() + ${ms};
      const frame = (now) => (now < end ? requestAnimationFrame(frame) : resolve());
      requestAnimationFrame(frame);
    })`);
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const drawn = events.filter(({ name }) => name === "FireAnimationFrame");
  const [main] = drawn;
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => name === "RunTask" && ph === "X" && pid === main?.pid && tid === main.tid,
  );
  const busy = drawn.map(({ ts }, index) => {
    const until = drawn[index + 1]?.ts ?? ts;
    return tasks.filter((task) => task.ts >= ts && task.ts < until).reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
  });
  return { frames: drawn.length, longest: Math.max(0, ...busy) };
}
