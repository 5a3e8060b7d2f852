import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { tokenFile } from "@moth-companion/core/paths";
import { expect, it, onTestFinished } from "vitest";
import { complaints, expectPlain } from "../src/expectations.ts";
import { startBlackHole, startSlowServer } from "../src/network.ts";
import { scenario } from "../src/scenario.ts";
import type { World } from "../src/world.ts";

/** Milliseconds a run may take longer than without moth. One that takes long by itself takes now more, now less beside others: by up to half. */
const most = (free: number): number => Math.max(1500, free / 2);
/** Longer than that: a run that waits for this answer is found out. */
const LATE_MS = 10_000;

scenario("server-slow", (harness, open) => {
  it("a moth that answers late makes a run hardly longer, 1.5 seconds at most, and so does one that takes connections and reads nothing; in a terminal nothing of it shows", async () => {
    const world = await open({ moth: false });
    giveToken(world);
    const slow = await startSlowServer(LATE_MS);
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
      // What else the machine does is not moth's: the best of a few. One that waits for moth is late each time.
      for (let tries = 1; tries < 4 && slowed - free >= most(free); tries++)
        [free, slowed] = [Math.min(free, await run()), Math.min(slowed, await run({ MOTH_URL: url }))];
      expect(slowed - free).toBeLessThan(most(free));
    }
    expect(slow.received.some((bytes) => bytes.includes("Slow or not."))).toBe(true);
    expect(hole.connections()).toBeGreaterThan(0);

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
