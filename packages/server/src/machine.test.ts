import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { type Moment, passed, systemMachine } from "./machine.ts";

const at = (uptime: number, more: Partial<Moment> = {}): Moment => ({ id: "a", uptime, clock: 1_000_000 + uptime, ...more });

test.each<[string, Moment, Moment, number | undefined]>([
  ["a moment later", at(500), at(700), 200],
  ["the clock was set meanwhile", at(500), at(700, { clock: 5 }), 200],
  ["the machine was started anew", at(500), at(700, { id: "b" }), undefined],
  ["started anew, and it runs for less", at(500), at(400), undefined],
  ["the start has no name", at(500, { id: undefined }), at(700, { id: undefined }), 200],
  [
    "it has no name and began at another time",
    at(500, { id: undefined }),
    at(700, { id: undefined, clock: 1_030_000 }),
    undefined,
  ],
  ["it has a name on one side", at(500), at(700, { id: undefined }), undefined],
])("%s", (_name, from, to, ms) => {
  expect(passed(from, to)).toBe(ms);
});

test("the time since the machine's start goes on from one look to the next", () => {
  const first = systemMachine.boot()!;
  const second = systemMachine.boot()!;
  expect(passed({ ...first, clock: 0 }, { ...second, clock: 0 })).toBeGreaterThanOrEqual(0);
  expect(first.uptime).toBeGreaterThan(0);
});

test.runIf(process.platform === "linux")(
  "a process is told from another by when it began; one that is not there has no beginning",
  () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const own = systemMachine.startOf(process.pid);
    expect(own).toMatch(/^\d+$/);
    expect(systemMachine.startOf(process.pid)).toBe(own);
    expect(Number(systemMachine.startOf(child.pid!))).toBeGreaterThan(Number(own));
    expect(systemMachine.startOf(2 ** 22 + 1)).toBeUndefined();
  },
);
