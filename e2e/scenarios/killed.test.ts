import { expect, it } from "vitest";
import { card, heard, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("killed", (_harness, open) => {
  it("a session whose program is killed in the middle of a turn is gone", async () => {
    const world = await open();
    const tui = await world.open();
    await tui.submit("[[hold]][[reply: Never said.]]");
    const session = (await world.model.held()).session ?? "";
    await state(world, { session, state: "working" });
    tui.kill();
    await tui.ended();
    await state(world, { session, state: "gone" });
    await world.moth.roster("no active session", (sessions) => sessions.length === 1 && sessions[0]?.active === false);
    expect(await heard(world)).toEqual([]);
  });

  it("so is one whose terminal is closed", async () => {
    const world = await open();
    const tui = await world.open();
    await tui.submit("[[reply: The last words.]]");
    const { session } = await card(world, "The last words.");
    await world.moth.roster("it idle", ([only]) => only?.state === "idle");
    await tui.close();
    await state(world, { session, state: "gone" });
    expect(await heard(world)).toEqual(["The last words."]);
  });
});
