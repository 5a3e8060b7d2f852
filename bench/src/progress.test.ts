import { expect, test } from "vitest";
import { createProgress } from "./progress.ts";

function told(terminal: { isTTY?: boolean; columns?: number }): string {
  let text = "";
  let time = 0;
  const progress = createProgress({ ...terminal, write: (more) => (text += more) }, 10, () => (time += 1500));
  progress.begin("hook", "A hook, from its start to its end");
  progress.at("its first harness");
  progress.end("measured: hook");
  return text;
}

test("into a file, a line for each thing it is at", () => {
  expect(told({})).toBe(
    "1 of 10, hook: A hook, from its start to its end\n1 of 10, hook: its first harness\nmeasured: hook, 1.5 s\n",
  );
});

test("on a terminal one line, never longer than it, gives way to the next", () => {
  expect(told({ isTTY: true, columns: 20 })).toBe(
    "\r\u001b[K1 of 10, hook: A ho\r\u001b[K1 of 10, hook: its \r\u001b[Kmeasured: hook, 1.5 s\n",
  );
});
