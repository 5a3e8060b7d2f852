import { expect, it } from "vitest";
import { card, heard, onlySession, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { LABEL } from "../src/world.ts";

scenario("clear", (harness, open) => {
  const { keepsLeft } = harness;
  it(`a new conversation in the same window is a new session; the old one ${keepsLeft ? "stays" : "is gone"} and leaves no ghost`, async () => {
    const world = await open();
    const tui = await world.open();
    await tui.submit("[[reply: The old one speaks.]]");
    const { session: old } = await card(world, "The old one speaks.");
    expect(onlySession(world)).toBe(old);
    await tui.waitForText(harness.shown("The old one speaks."));

    await tui.submit(harness.commands.clear);
    if (!harness.silentUntilPrompted) {
      await state(world, { session: old, state: "gone" });
      await world.moth.roster(
        "one idle session beside the old one",
        (sessions) => sessions.filter((one) => one.session !== old && one.state === "idle").length === 1,
      );
    }
    await tui.submit("[[reply: The new one speaks.]]");
    const fresh = await card(world, "The new one speaks.", keepsLeft ? { label: expect.stringContaining(LABEL) as string } : {});
    const left = await state(world, { session: old, state: keepsLeft ? "idle" : "gone" });
    expect(fresh.session).not.toBe(old);
    expect(world.model.requests.findLast(({ kind }) => kind === "turn")?.session).toBe(fresh.session);

    const roster = await world.moth.roster("the new one idle", (sessions) =>
      sessions.some((one) => one.session === fresh.session && one.state === "idle"),
    );
    expect(new Map(roster.map((one) => [one.session, one.state]))).toEqual(
      new Map([
        [old, keepsLeft ? "idle" : "gone"],
        [fresh.session, "idle"],
      ]),
    );
    expect(world.moth.states(old).filter((event) => event.id > left.id)).toEqual([]);
    expect(await heard(world)).toEqual(["The old one speaks.", "The new one speaks."]);
  });
});
