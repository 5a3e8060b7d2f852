import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { tokenFile } from "@moth-companion/core/paths";
import { expect, it, onTestFinished } from "vitest";
import type { HarnessDriver } from "../src/driver.ts";
import { complaints, expectPlain } from "../src/expectations.ts";
import { startBlackHole, startSlowServer } from "../src/network.ts";
import { scenario } from "../src/scenario.ts";
import type { World } from "../src/world.ts";

scenario("server-slow", (harness, open) => {
  it("a moth that answers late makes a run at most 1.5 seconds longer", async () => {
    const world = await open({ moth: false });
    const slow = await startSlowServer(4000);
    onTestFinished(() => slow.close());
    await expectHardlyLonger(harness, world, slow.url);
    expect(slow.received.some((bytes) => bytes.includes("Slow or not."))).toBe(true);
  });

  it("nor does one that takes connections and reads nothing", async () => {
    const world = await open({ moth: false });
    const hole = await startBlackHole();
    onTestFinished(() => hole.close());
    await expectHardlyLonger(harness, world, hole.url);
    expect(hole.connections()).toBeGreaterThan(0);
  });

  it("in a terminal, nothing of a moth that never answers shows", async () => {
    const world = await open({ moth: false });
    const hole = await startBlackHole();
    onTestFinished(() => hole.close());
    giveToken(world);
    const tui = await world.open({ env: { MOTH_URL: hole.url } });
    for (const text of ["Slow or not.", "Once more."]) {
      await tui.submit(`[[reply: ${text}]]`);
      await tui.waitForText(harness.shown(text));
    }
    await tui.waitForScreen("its composer", harness.ready);
    expect(complaints(tui)).toEqual([]);
  });
});

async function expectHardlyLonger(harness: HarnessDriver, world: World, url: string): Promise<void> {
  giveToken(world);
  const prompt = "[[reply: Slow or not.]]";
  const took = { free: Infinity, slowed: Infinity };
  // The best of two each: what else the machine does is not moth's.
  for (const _ of [1, 2]) {
    const free = await world.oneShot(prompt);
    const slowed = await world.oneShot(prompt, { env: { MOTH_URL: url } });
    expectPlain(harness, free, "Slow or not.");
    expectPlain(harness, slowed, "Slow or not.");
    took.free = Math.min(took.free, free.took);
    took.slowed = Math.min(took.slowed, slowed.took);
  }
  expect(took.slowed - took.free).toBeLessThan(1500);
}

/** Without a token nothing would be sent, and a slow server could slow nothing. */
function giveToken(world: World): void {
  const file = tokenFile(world.env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, "a-token-of-thirty-two-characters", { mode: 0o600 });
}
