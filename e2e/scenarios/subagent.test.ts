import { expect, it } from "vitest";
import { card, heard, onlySession, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("subagent", (harness, open) => {
  const script = `${harness.subagent("[[hold: helper]][[reply: From the helper.]]")}[[reply: A helper is at it.]][[later]][[reply: The helper is done.]]`;

  it("a subagent is silent, its session works while it runs, and each reply of the session is heard once", async () => {
    const world = await open();
    const tui = await world.open();
    await tui.submit(script);
    const session = (await world.model.held("helper")).session ?? "";
    const first = await card(world, "A helper is at it.", { session });
    await world.moth.roster("the session working while its helper runs", ([only]) => only?.state === "working");
    expect(world.moth.states(session).filter((event) => event.id > first.id && event.state === "idle")).toEqual([]);

    world.model.release("helper");
    await card(world, "The helper is done.", { session });
    await tui.waitForText(harness.shown("The helper is done."));
    await state(world, { session, state: "idle", outcome: "done", after: first.id });
    await tui.submit("[[reply: One more turn.]]");
    await card(world, "One more turn.", { session });
    expect(await heard(world)).toEqual(["A helper is at it.", "The helper is done.", "One more turn."]);
    expect(onlySession(world)).toBe(session);
  });

  it("nor is it heard in a one-shot run", async () => {
    const world = await open();
    const run = await world.oneShot(script.replace("[[hold: helper]]", ""));
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("The helper is done.");
    const session = onlySession(world);
    await state(world, { session, state: "gone" });
    const replies = await heard(world);
    expect(replies.at(-1)).toBe("The helper is done.");
    expect(replies).not.toContain("From the helper.");
    expect(new Set(replies).size).toBe(replies.length);
  });
});
