import { join } from "node:path";
import { expect, it } from "vitest";
import { card, expectPlain, heard, onlySession, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import type { World } from "../src/world.ts";

scenario("installed-twice", (harness, open) => {
  const args = ({ home, project }: World): string[] => harness.secondWay?.(join(home, "second way"), home, project) ?? [];

  it("hooked in two ways at once, each reply is heard once", async () => {
    const world = await open();
    const tui = await world.open({ args: args(world) });
    for (const text of ["The first reply.", "The same reply.", "The same reply."]) {
      const before = world.moth.cards().length;
      await tui.submit(`[[reply: ${text}]]`);
      await world.moth.event("one more reply", () => world.moth.cards().length > before);
      await tui.waitForScreen("its composer", harness.ready);
    }
    const session = onlySession(world);
    await tui.submit(harness.commands.quit);
    await tui.ended();
    await state(world, { session, state: "gone" });
    expect(await heard(world)).toEqual(["The first reply.", "The same reply.", "The same reply."]);
  });

  it("hooked in the second way alone, each reply is heard", async () => {
    const world = await open({ hooked: false });
    const run = await world.oneShot("[[reply: By the second way.]]", { args: args(world) });
    expectPlain(harness, run, "By the second way.");
    await card(world, "By the second way.", { session: onlySession(world) });
    await state(world, { session: onlySession(world), state: "gone" });
    expect(await heard(world)).toEqual(["By the second way."]);
  });
});
