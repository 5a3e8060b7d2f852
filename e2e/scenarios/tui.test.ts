import { expect, it } from "vitest";
import { expectNoContent, turnWithoutContent } from "../src/content-off.ts";
import { card, complaints, course, heard, onlySession, opened, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("tui", (harness, open) => {
  it("each turn is heard once, and only as its length while content is off; the session works, is idle, and is gone at the end", async () => {
    const world = await open();
    const tui = await world.open();
    if (!harness.silentUntilPrompted) await state(world, { state: "idle" });

    await tui.submit("[[hold]][[reply: The first reply.]]");
    const session = (await world.model.held()).session ?? "";
    await state(world, { session, state: "working" });
    world.model.release();
    await card(world, "The first reply.", { session });
    await tui.waitForText(harness.shown("The first reply."));
    await tui.submit("[[reply: The second reply.]]");
    const second = await card(world, "The second reply.", { session });
    await state(world, { session, state: "idle", after: second.id - 2 });
    await tui.waitForText(harness.shown("The second reply."));
    expect(await heard(world)).toEqual(["The first reply.", "The second reply."]);
    await turnWithoutContent({ world, tui, session, shown: harness.shown });

    expect(complaints(tui)).toEqual([]);
    await tui.submit(harness.commands.quit);
    await tui.ended();
    await state(world, { session, state: "gone" });
    expect(onlySession(world)).toBe(session);
    expect(world.moth.cards().map(({ text }) => text)).toEqual(["The first reply.", "The second reply.", ""]);
    const turns = ["working", "idle:done", "working", "idle:done", "working", "idle:done"];
    expect(course(world, session)).toEqual([...opened(harness), ...turns, "gone"]);
    await expectNoContent(world);
  });
});
