import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { card, heard } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { textOf, type World } from "../src/world.ts";

scenario("unhook", (harness, open) => {
  it("after real use, unhook gives every byte of the settings back, and nothing is heard any more", async () => {
    const world = await open({ hooked: false });
    const settings = harness.settings(world.home);
    // Written by hand: odd indents, no last line end, a key of the person's own.
    const own = '{\r\n   "includeCoAuthoredBy": false,\r\n\t"env": { "OWN": "1" },   "hooks": {}}';
    writeFileSync(settings, own);
    await hookUseUnhook(world);
    expect(textOf(settings)).toBe(own);
  });

  it("a settings file that was not there is not there again", async () => {
    const world = await open({ hooked: false });
    await hookUseUnhook(world);
    expect(textOf(harness.settings(world.home))).toBeUndefined();
  });

  async function hookUseUnhook(world: World): Promise<void> {
    const hooked = await world.moths("hook", harness.id, "--yes");
    expect(hooked).toMatchObject({ code: 0, stderr: "" });
    const tui = await world.open();
    await tui.submit("[[reply: Heard.]]");
    await card(world, "Heard.");
    await tui.waitForScreen("its composer", harness.ready);
    await tui.submit(harness.commands.quit);
    await tui.ended();
    await world.oneShot("[[reply: Heard too.]]");
    await card(world, "Heard too.");

    const unhooked = await world.moths("unhook", harness.id, "--yes");
    expect(unhooked).toMatchObject({ code: 0, stderr: "" });
    const run = await world.oneShot("[[reply: To myself.]]");
    expect(run).toMatchObject({ code: 0, stdout: "To myself.\n", stderr: "" });
    expect(await heard(world)).toEqual(["Heard.", "Heard too."]);
  }
});
