import { expect, it } from "vitest";
import { card, heard, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("interrupt", (harness, open) => {
  it("a turn that is stopped, before any reply or in the middle of one, is not heard; the session is idle and interrupted within 3 seconds", async () => {
    const world = await open();
    let tui = await world.open();
    let last = -1;
    /** @param next what the turn after it says */
    const stop = async (before: string, rest: string, next: string): Promise<void> => {
      await tui.submit(`${before}[[hold: ${rest}]][[reply: ${rest}]]`);
      const session = (await world.model.held(rest)).session ?? "";
      const working = await state(world, { session, state: "working", after: last });
      if (before) await tui.waitForText(harness.shown("Half of a"));
      if (harness.runs) await tui.waitForScreen("that it runs", harness.runs);

      const pressed = Date.now();
      await harness.interrupt(tui);
      const idle = await state(world, { session, state: "idle", after: working.id });
      expect(idle.outcome).toBe("interrupted");
      expect(idle.time - pressed).toBeLessThan(3000);

      if (!before && harness.clearComposer) {
        await tui.waitForText(rest);
        tui.press(harness.clearComposer);
        await tui.waitForScreen("an empty composer", (screen) => !screen.includes(rest));
      }
      await tui.submit(`[[reply: ${next}]]`);
      await card(world, next, { session });
      last = (await state(world, { session, state: "idle", outcome: "done", after: idle.id })).id;
    };
    await stop("", "Never said.", "The next turn.");
    await tui.waitForText(harness.shown("The next turn."));
    if (harness.interruptTwiceQuits) {
      await tui.submit(harness.commands.quit);
      await tui.ended();
      await state(world, { state: "gone", after: last });
      tui = await world.open();
    }
    await stop(`[[reply: Half of a${harness.showsWholeLines ? "\\n" : ""}]]`, "Nor this.", "The last turn.");
    expect(await heard(world)).toEqual(["The next turn.", "The last turn."]);
  });
});
