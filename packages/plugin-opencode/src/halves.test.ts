import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { announceWindow, findWindow } from "./halves.ts";

test("the half in the window is found, whichever of the two comes first, until it is gone", async () => {
  const before = findWindow();
  expect(before.isThere()).toBe(false);
  const leave = announceWindow();
  const after = findWindow();
  await vi.waitFor(() => expect([before.isThere(), after.isThere()]).toEqual([true, true]));
  leave();
  await vi.waitFor(() => expect([before.isThere(), after.isThere()]).toEqual([false, false]));
  before.close();
  after.close();
});

test("a half that is open keeps nothing from ending", async () => {
  const file = JSON.stringify(new URL("halves.ts", import.meta.url).href);
  const code = `import(${file}).then(({ findWindow }) => findWindow())`;
  const [exit] = (await once(new Worker(code, { eval: true }), "exit")) as [number];
  expect(exit).toBe(0);
});
