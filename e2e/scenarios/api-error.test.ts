import { expect, it } from "vitest";
import { card, heard, newestSession, onlySession, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { squash } from "../src/terminal.ts";

scenario("api-error", (harness, open) => {
  it(`a turn that ends in an API error (${harness.errors.join(", ")}) is not heard; the session is idle and failed within 3 seconds; nor is a one-shot run that ends in one`, async () => {
    const world = await open();
    const tui = await world.open();
    const errors = (): number => squash(tui.screen()).split(squash(harness.error)).length;
    let last = -1;
    for (const status of harness.errors) {
      const before = errors();
      await tui.submit(`[[error: ${status}]]`);
      await tui.waitForScreen(`an error ${status}`, () => errors() > before);
      const shown = Date.now();
      const session = onlySession(world);
      const idle = await state(world, { session, state: "idle", outcome: "failed", after: last });
      expect(idle.time - shown).toBeLessThan(3000);

      await tui.submit(`[[reply: Back after ${status}.]]`);
      await card(world, `Back after ${status}.`, { session });
      last = (await state(world, { session, state: "idle", outcome: "done", after: idle.id })).id;
    }
    const replies = harness.errors.map((status) => `Back after ${status}.`);
    expect(await heard(world)).toEqual(replies);

    const inTerminal = onlySession(world);
    const run = await world.oneShot("[[error: 400]]");
    expect(run.code).toBe(1);
    const session = newestSession(world);
    expect(session).not.toBe(inTerminal);
    await state(world, { session, state: "gone" });
    expect(await heard(world)).toEqual(replies);
  });
});
