import { expect, it } from "vitest";
import { card, heard, onlySession, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("api-error", (harness, open) => {
  for (const status of harness.errors) {
    it(`a turn that ends in an API error ${status} is not heard; the session is idle and failed within 3 seconds`, async () => {
      const world = await open();
      const tui = await world.open();
      await tui.submit(`[[error: ${status}]]`);
      await tui.waitForText(harness.error);
      const shown = Date.now();
      const session = onlySession(world);
      const idle = await state(world, { session, state: "idle", outcome: "failed" });
      expect(idle.time - shown).toBeLessThan(3000);

      await tui.submit("[[reply: Back again.]]");
      await card(world, "Back again.", { session });
      expect(await heard(world)).toEqual(["Back again."]);
    });
  }

  it("a one-shot run that ends in an API error is not heard", async () => {
    const world = await open();
    const run = await world.oneShot("[[error: 400]]");
    expect(run.code).toBe(1);
    await state(world, { session: onlySession(world), state: "gone" });
    expect(await heard(world)).toEqual([]);
  });
});
