import { expect, it } from "vitest";
import { complaints, expectPlain } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("server-down", (harness, open) => {
  it("without a moth, a one-shot run looks as it always did, and nothing of moth shows in the terminal", async () => {
    const world = await open({ moth: false });
    const run = await world.oneShot("[[reply: Nobody hears me.]]");
    expect(run.code).toBe(0);
    expectPlain(harness, run, "Nobody hears me.");

    const tui = await world.open({ mode: "ask" });
    await tui.submit(`${harness.permission.script("made.txt")}[[reply: Nobody hears me.]]`);
    await tui.waitForText(harness.permission.shown);
    await harness.permission.allow(tui);
    await tui.waitForText(harness.shown("Nobody hears me."));
    await tui.submit("[[reply: Still nobody.]]");
    await tui.waitForText(harness.shown("Still nobody."));
    await tui.waitForScreen("its composer", harness.ready);
    expect(complaints(tui)).toEqual([]);
    await tui.submit(harness.commands.quit);
    await tui.ended();
    expect(complaints(tui)).toEqual([]);
  });
});
