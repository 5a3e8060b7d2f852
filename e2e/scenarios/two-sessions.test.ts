import { expect, it } from "vitest";
import { heard, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { LABEL } from "../src/world.ts";

scenario("two-sessions", (harness, open) => {
  it("sessions in one folder, and in another of the same name, are told apart, and each reply is heard once, as its own session's", async () => {
    const world = await open();
    const tuis = [await world.open(), await world.open(), await world.open({ cwd: world.twin })];
    const names = ["one", "other", "third"];
    const sessions: string[] = [];
    for (const [at, tui] of tuis.entries()) {
      await tui.submit(`[[hold: ${names[at]}]][[reply: From the ${names[at]}.]]`);
      const session = (await world.model.held(names[at])).session ?? "";
      await state(world, { session, state: "working" });
      sessions.push(session);
    }
    expect(new Set(sessions).size).toBe(3);

    for (const [at, tui] of [...tuis.entries()].toReversed()) {
      world.model.release(names[at]);
      await tui.waitForText(harness.shown(`From the ${names[at]}.`));
    }
    await world.moth.event("the three replies", () => world.moth.cards().length >= 3);
    const roster = await world.moth.roster(
      "all idle",
      (rows) => rows.length === 3 && rows.every((session) => session.state === "idle"),
    );
    const labels = new Map(roster.map((session) => [session.session, session.label]));
    for (const id of sessions) expect([LABEL, `${LABEL} (${id.slice(-4)})`]).toContain(labels.get(id));
    expect(new Set(labels.values()).size).toBe(3);
    for (const [at, session] of sessions.entries()) expect(await heard(world, session)).toEqual([`From the ${names[at]}.`]);
    expect(await heard(world)).toHaveLength(3);
  });
});
