import { rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { card, expectPlain, heard } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { textOf, type World } from "../src/world.ts";

scenario("unhook", (harness, open) => {
  it("after real use, unhook gives every byte of the settings back, and nothing is heard any more; a file that was not there is not there again", async () => {
    const world = await open({ hooked: false });
    const { file, text } = harness.handWritten(world.home);
    writeFileSync(file, text);
    await hook(world);
    const tui = await world.open();
    await tui.submit("[[reply: Heard.]]");
    await card(world, "Heard.");
    await tui.waitForScreen("its composer", harness.ready);
    await tui.submit(harness.commands.quit);
    await tui.ended();

    await unhook(world, harness.id);
    expect(textOf(file)).toBe(text);
    const run = await world.oneShot("[[reply: To myself.]]");
    expectPlain(harness, run, "To myself.");
    expect(await heard(world)).toEqual(["Heard."]);

    rmSync(file);
    expect(textOf(harness.settings(world.home))).toBeUndefined();
    await hook(world);
    await world.oneShot("[[reply: Heard too.]]");
    await card(world, "Heard too.");
    await unhook(world, harness.id);
    expect(textOf(harness.settings(world.home))).toBeUndefined();
  });
});

async function hook(world: World): Promise<void> {
  expect(await world.hook()).toMatchObject({ code: 0, stderr: "" });
}

async function unhook(world: World, id: string): Promise<void> {
  expect(await world.moths("unhook", id, "--yes")).toMatchObject({ code: 0, stderr: "" });
}
