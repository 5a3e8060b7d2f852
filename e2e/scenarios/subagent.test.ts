import { expect, it } from "vitest";
import { card, heard, onlySession, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("subagent", (harness, open) => {
  const meanwhile = harness.waitsForSubagent ? "" : "[[reply: A helper is at it.]][[later]]";
  const script = `${harness.subagent("[[hold: helper]][[reply: From the helper.]]")}${meanwhile}[[reply: The helper is done.]]`;

  it("a subagent is silent, its session works while it runs, and each reply of the session is heard once", async () => {
    const world = await open();
    const tui = await world.open();
    await tui.submit(script);
    const session = (await world.model.held("helper")).session ?? onlySession(world);
    const before = harness.waitsForSubagent ? [] : ["A helper is at it."];
    for (const text of before) await card(world, text, { session });
    await world.moth.roster("one session, and it works while its helper runs", ([only, ...more]) => {
      return only?.session === session && only.state === "working" && more.length === 0;
    });
    const running = world.moth.events.at(-1)?.id ?? 0;
    expect(
      world.moth
        .states(session)
        .filter((event) => event.state === "idle")
        .slice(harness.silentUntilPrompted ? 0 : 1),
    ).toEqual([]);

    world.model.release("helper");
    await card(world, "The helper is done.", { session });
    await tui.waitForText(harness.shown("The helper is done."));
    await state(world, { session, state: "idle", outcome: "done", after: running });
    await tui.submit("[[reply: One more turn.]]");
    await card(world, "One more turn.", { session });
    expect(await heard(world)).toEqual([...before, "The helper is done.", "One more turn."]);
    expect(onlySession(world)).toBe(session);
  });

  it("nor is it heard in a one-shot run", async () => {
    const world = await open();
    const run = await world.oneShot(script.replace("[[hold: helper]]", ""));
    expect(harness.withoutOwnNoise?.(run) ?? run).toMatchObject({ code: 0, stderr: "" });
    const last = harness.endsBeforeSubagent ? "A helper is at it." : "The helper is done.";
    expect(run.stdout).toContain(last);
    const session = onlySession(world);
    await state(world, { session, state: "gone" });
    const replies = await heard(world);
    expect(replies.at(-1)).toBe(last);
    expect(replies).not.toContain("From the helper.");
    expect(new Set(replies).size).toBe(replies.length);
  });
});
