import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@moth-companion/core/alive";
import { expect, onTestFinished, test } from "vitest";
import { begin, beginFolder, endAll } from "./leavings.ts";

test("what was begun is ended once, the newest first", () => {
  const ended: string[] = [];
  const first = begin(() => ended.push("first"));
  begin(() => ended.push("second"));
  begin(() => ended.push("third"));
  first();
  first();
  endAll();
  endAll();
  expect(ended).toEqual(["first", "third", "second"]);
});

test("a folder goes with all that is in it", () => {
  const { folder } = beginFolder();
  expect(existsSync(folder)).toBe(true);
  endAll();
  expect(existsSync(folder)).toBe(false);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends what was started, and leaves no folder", async (signal) => {
  const program = `
    const { begin, beginFolder, endWithProcess } = await import(${JSON.stringify(join(import.meta.dirname, "leavings.ts"))});
    const { spawn } = await import("node:child_process");
    endWithProcess();
    const { folder } = beginFolder();
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: ["ignore", "inherit", "ignore"] });
    begin(() => child.kill("SIGKILL"));
    console.log(JSON.stringify({ folder, pid: child.pid }));
  `;
  const bench = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void bench.kill("SIGKILL"));
  const [line] = (await once(bench.stdout.setEncoding("utf8"), "data")) as [string];
  const { folder, pid } = JSON.parse(line) as { folder: string; pid: number };
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  expect([existsSync(folder), isAlive(pid)]).toEqual([true, true]);
  // Not before the child has gone, too, which has the same output.
  const closed = once(bench, "close") as Promise<[number]>;
  bench.kill(signal);
  const [code] = await closed;
  expect(code).toBe(signal === "SIGINT" ? 130 : 143);
  expect(existsSync(folder)).toBe(false);
});
