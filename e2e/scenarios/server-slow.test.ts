import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { tokenFile } from "@moth-companion/core/paths";
import { expect, it, onTestFinished } from "vitest";
import { complaints, expectPlain } from "../src/expectations.ts";
import { startBlackHole, startSlowServer } from "../src/network.ts";
import { scenario } from "../src/scenario.ts";
import type { World } from "../src/world.ts";

/** Milliseconds a run may take longer than without moth. */
const MOST = 1500;

scenario("server-slow", (harness, open) => {
  it("a moth that answers late makes a run at most 1.5 seconds longer, and so does one that takes connections and reads nothing", async () => {
    const world = await open({ moth: false });
    giveToken(world);
    const slow = await startSlowServer(4000);
    const hole = await startBlackHole();
    onTestFinished(async () => {
      await slow.close();
      await hole.close();
    });
    const run = async (env?: Record<string, string>): Promise<number> => {
      const finished = await world.oneShot("[[reply: Slow or not.]]", env ? { env } : {});
      expectPlain(harness, finished, "Slow or not.");
      return finished.took;
    };
    let free = await run();
    for (const url of [slow.url, hole.url]) {
      let slowed = await run({ MOTH_URL: url });
      // What else the machine does is not moth's: the best of two.
      if (slowed - free >= MOST) [free, slowed] = [Math.min(free, await run()), Math.min(slowed, await run({ MOTH_URL: url }))];
      expect(slowed - free).toBeLessThan(MOST);
    }
    expect(slow.received.some((bytes) => bytes.includes("Slow or not."))).toBe(true);
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

/** Without a token nothing would be sent, and a slow server could slow nothing. */
function giveToken(world: World): void {
  const file = tokenFile(world.env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, "a-token-of-thirty-two-characters", { mode: 0o600 });
}
