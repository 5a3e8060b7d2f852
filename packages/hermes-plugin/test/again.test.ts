import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPython } from "./python.ts";

const python = findPython();

/** Runs some Python with `again` at hand, in which a second takes a fiftieth of one. @returns what it printed */
function run(program: string): string {
  if (!python.found) throw new Error(python.reason);
  const head = `
import sys, threading
sys.dont_write_bytecode = True
sys.path.insert(0, ${JSON.stringify(join(import.meta.dirname, ".."))})
from plugin.again import Again
tried, ended, there = [], threading.Event(), [False]
def send(state):
    tried.append(state["n"])
    if len(tried) >= enough: ended.set()
    return there[0]
again = Again(send, (0.02, 0.06, 0.2))
`;
  return execFileSync(python.program, ["-c", head + program], { encoding: "utf8", timeout: 20_000 }).trim();
}

test.runIf(python.found)("what a moth that is away has missed is told until it is back, in order, and once", () => {
  const told = run(`
enough = 6
again.heard()
again.missed({"n": 1})
again.missed({"n": 2})
while len(tried) < 2: pass
there[0] = True
while len(tried) < 4: pass
again.heard()
again.missed({"n": 3})
while len(tried) < 5: pass
print(tried)`);
  expect(told).toBe("[1, 2, 1, 2, 3]");
});

test.runIf(python.found)("one that stays away is given up, and one that never was there is not waited for", () => {
  const told = run(`
enough = 3
again.missed({"n": 0})
again.heard()
again.missed({"n": 1})
ended.wait(10)
while threading.active_count() > 1: pass
again.missed({"n": 2})
print(tried, threading.active_count())`);
  expect(told).toBe("[1, 1, 1] 1");
});

test.runIf(python.found)("it keeps no process alive", () => {
  expect(
    run(`
enough = 9
again = Again(send, (600,))
again.heard()
again.missed({"n": 1})
print("over")`),
  ).toBe("over");
});
