import { readFileSync } from "node:fs";
import { tokenFile } from "@moth-companion/core/paths";
import { expect, it } from "vitest";
import {
  card,
  course,
  expectNothingReachedTheModel,
  expectPlain,
  heard,
  newestSession,
  onlySession,
  opened,
  state,
} from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("one-shot", (harness, open) => {
  it("a reply reaches moth exactly once, and the run looks as it would without moth; of a turn with a tool, only the final reply is heard, and no wait shows", async () => {
    const world = await open();
    const run = await world.oneShot("A private prompt. [[reply: All **done** here.]]");
    expectPlain(harness, run, "All **done** here.");

    const session = onlySession(world);
    const heardCard = await card(world, "All **done** here.", { session });
    expect(heardCard).toMatchObject({ source: harness.id, outcome: "done", class: "done" });
    await state(world, { session, state: "gone" });
    expect(await heard(world)).toEqual(["All **done** here."]);
    const whole = [...opened(harness), "working", "idle:done", "gone"];
    expect(course(world, session)).toEqual(whole);

    const log = JSON.stringify(await world.moth.log());
    expect(log).not.toContain("private prompt");
    expect(log).not.toContain(world.home);
    expectNothingReachedTheModel(world, readFileSync(tokenFile(world.env), "utf8").trim());

    const other = await world.oneShot(`[[reply: Let me look.]]${harness.harmless}[[reply: It is harmless.]]`);
    expectPlain(harness, other, "Let me look.", "It is harmless.");
    const second = newestSession(world);
    expect(second).not.toBe(session);
    await state(world, { session: second, state: "gone" });
    expect(await heard(world)).toEqual(["All **done** here.", "It is harmless."]);
    expect(course(world, second)).toEqual(whole);
  });
});
