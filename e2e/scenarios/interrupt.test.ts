import { expect, it } from "vitest";
import { card, heard, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("interrupt", (harness, open) => {
  for (const [when, before] of [
    ["in the middle of a reply", `[[reply: Half of a${harness.showsWholeLines ? "\\n" : ""}]]`],
    ["before any reply", ""],
  ] as const) {
    it(`a turn that is stopped ${when} is not heard; the session is idle and interrupted within 3 seconds`, async () => {
      const world = await open();
      const tui = await world.open();
      await tui.submit(`${before}[[hold]][[reply: Never said.]]`);
      const session = (await world.model.held()).session ?? "";
      const working = await state(world, { session, state: "working" });
      if (before) await tui.waitForText(harness.shown("Half of a"));
      if (harness.runs) await tui.waitForScreen("that it runs", harness.runs);

      const pressed = Date.now();
      await harness.interrupt(tui);
      const idle = await state(world, { session, state: "idle", after: working.id });
      expect(idle.outcome).toBe("interrupted");
      expect(idle.time - pressed).toBeLessThan(3000);

      if (!before && harness.clearComposer) {
        await tui.waitForText("Never said.");
        tui.press(harness.clearComposer);
        await tui.waitForScreen("an empty composer", (screen) => !screen.includes("Never said."));
      }
      await tui.submit("[[reply: The next turn.]]");
      await card(world, "The next turn.", { session });
      expect(await heard(world)).toEqual(["The next turn."]);
    });
  }
});
