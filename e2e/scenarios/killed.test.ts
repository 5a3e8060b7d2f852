import { expect, it } from "vitest";
import { heard, state } from "../src/expectations.ts";
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
});
