import { expect, it } from "vitest";
import { card, heard, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("killed", (_harness, open) => {
  it("a session whose program is killed in the middle of a turn is gone, and so is one whose terminal is closed", async () => {
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

    const other = await world.open();
    await other.submit("[[reply: The last words.]]");
    const { session: second } = await card(world, "The last words.");
    expect(second).not.toBe(session);
    await world.moth.roster("it idle", (all) => all.some((one) => one.session === second && one.state === "idle"));
    await other.close();
    await state(world, { session: second, state: "gone" });
    expect(await heard(world)).toEqual(["The last words."]);
  });
});
