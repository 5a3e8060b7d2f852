import { findHarness } from "@moth-companion/harnesses";
import { expect, it } from "vitest";
import { card, heard, onlySession, state } from "../src/expectations.ts";
import { recordsOf } from "../src/records.ts";
import { scenario } from "../src/scenario.ts";
import { START_TIME } from "../src/world.ts";

scenario(
  "forked",
  (harness, open) => {
    it("moth fork goes on with a copy, and what the harness keeps of the original stays as it is, to the byte", async () => {
      const world = await open();
      await world.oneShot("[[reply: The original.]]");
      const session = onlySession(world);
      await state(world, { session, state: "gone" });
      const before = recordsOf(world.home, session, harness.addsToOlder);
      expect(Object.keys(before), "records of the original").not.toEqual([]);

      const prompt = "[[reply: The copy.]] And now?";
      const takesPrompt = findHarness(harness.id)?.launch?.again.noPrompt === undefined;
      const tui = world.again("fork", session, ...(takesPrompt ? [`--prompt=${prompt}`] : []));
      if (!takesPrompt) await tui.waitForText(harness.shown("The original."), START_TIME);
      if (!takesPrompt) await tui.submit(prompt);
      const copy = await card(world, "The copy.");
      await tui.waitForText(harness.shown("The copy."));
      expect(copy.session).not.toBe(session);
      const asked = world.model.requests.find(({ prompt }) => prompt.includes("And now?"));
      expect(asked?.body).toContain("The original.");
      expect(recordsOf(world.home, session, harness.addsToOlder)).toMatchObject(before);
      expect(await heard(world, session)).toEqual(["The original."]);

      const again = await world.moths("resume", copy.session);
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("still runs in another window") as string });
      await tui.submit(harness.commands.quit);
      await tui.ended();
      expect(recordsOf(world.home, session, harness.addsToOlder)).toMatchObject(before);
    });
  },
  ({ id }) => {
    const launch = findHarness(id)?.launch;
    if (!launch) return "moth does not start it";
    return typeof launch.again.fork === "string" ? `it ${launch.again.fork}` : undefined;
  },
);
