import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { handClock, tempHome } from "../test/support.ts";
import { whenCleared } from "./cleared.ts";

/** A run folder with a record in it, looked at, and how often it was to be filled again. */
function looked(putBack: () => Promise<void> = async () => {}): {
  home: string;
  record: string;
  looks: () => Promise<number>;
  stop: () => void;
} {
  const home = tempHome();
  const record = join(home, "run/4747.json");
  mkdirSync(join(home, "run"));
  writeFileSync(record, "{}");
  const clock = handClock(0);
  let times = 0;
  const stop = whenCleared({ port: 4747, env: { MOTH_HOME: home }, clock }, async () => {
    times++;
    await putBack();
  });
  const looks = async (): Promise<number> => {
    clock.advance(5000);
    // What a look does it does in promises.
    await new Promise(setImmediate);
    return times;
  };
  return { home, record, looks, stop };
}

test("what is there is left alone, what was deleted is put back, and tried again when that fails", async () => {
  const { record, looks, stop } = looked(async () => {
    throw new Error("no space left");
  });
  expect(await looks()).toBe(0);
  rmSync(record);
  expect(await looks()).toBe(1);
  expect(await looks()).toBe(2);
  stop();
  expect(await looks()).toBe(2);
});

test("where all of moth's folder was deleted, it stays gone", async () => {
  const { home, looks, stop } = looked();
  rmSync(home, { recursive: true });
  expect(await looks()).toBe(0);
  // Made anew by another command: moth is to be found in it.
  mkdirSync(home);
  expect(await looks()).toBe(1);
  stop();
});
