// For processes that stand in for a harness: the task they were given, calls that are watched, and the facts that are written down.
import { readFileSync, writeFileSync } from "node:fs";

export const task = JSON.parse(readFileSync(process.argv[2], "utf8"));

/** Whoever looks at it gets an error. */
export const thrower = new Proxy(
  {},
  {
    get: () => {
      throw new Error("nobody may look");
    },
  },
);

const facts = { threw: 0, returned: 0, late: 0, median: 0, shutdown: 0, pid: process.pid };
/** Milliseconds that each call kept the harness, in their order. */
const took = [];

/** Calls the adapter as the harness would, and waits for what it returns. */
export async function call(handler, ...args) {
  const began = performance.now();
  try {
    const value = handler(...args);
    took.push(performance.now() - began);
    if ((await watched(value)) !== undefined) facts.returned++;
  } catch {
    facts.threw++;
  }
}

/** A promise may take turns among themselves, and none of the loop's: between two of these something could come in from outside. */
async function watched(value) {
  if (typeof value?.then !== "function") return value;
  const state = { open: true };
  const settle = () => (state.open = false);
  value.then(settle, settle);
  for (let turn = 0; state.open && turn < 100; turn++) await Promise.resolve();
  if (state.open) facts.late++;
  return await value;
}

/** What is no event of the harness's: time that passes, a file that is written anew. */
export async function pass({ wait, write }) {
  if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
  if (write) writeFileSync(write.file, write.text);
}

/** Awaits the end as the harness would, and writes down how all went. */
export async function end(dispose, more = {}) {
  const began = performance.now();
  try {
    await dispose();
  } catch {
    facts.threw++;
  }
  facts.shutdown = performance.now() - began;
  facts.median = took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0;
  writeFileSync(task.result, JSON.stringify({ ...facts, took, ...more }));
}
