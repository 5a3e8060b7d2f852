import { expect, it } from "vitest";
import { card, course, heard, opened, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("empty-reply", (harness, open) => {
  const outcome = harness.emptyReplyFails ? "failed" : "done";

  it("a turn without text is not heard, but the session is idle again", async () => {
    const world = await open();
    const tui = await world.open();
    // Not held first: a harness may ask again when it gets nothing.
    await tui.submit("[[empty]]");
    const working = await state(world, { state: "working" });
    const session = working.session;
    await state(world, { session, state: "idle", outcome, after: working.id });
    await tui.submit("[[reply: Words again.]]");
    await card(world, "Words again.", { session });
    expect(await heard(world)).toEqual(["Words again."]);
    await world.moth.roster("it idle", ([only]) => only?.state === "idle");
    expect(course(world, session)).toEqual([...opened(harness), "working", `idle:${outcome}`, "working", "idle:done"]);
  });
});
