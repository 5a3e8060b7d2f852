import { expect, it } from "vitest";
import type { HarnessDriver } from "../src/driver.ts";
import { heard, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { LABEL, type Tui, type World } from "../src/world.ts";

scenario("two-sessions", (harness, open) => {
  it("two sessions in one folder are told apart, and each reply is heard once, as its own session's", async () => {
    const world = await open();
    expect(await bothAtOnce(harness, world, await world.open(), await world.open())).toEqual([
      "From the one.",
      "From the other.",
    ]);
  });

  it("so are two sessions in two folders of the same name", async () => {
    const world = await open();
    expect(await bothAtOnce(harness, world, await world.open(), await world.open({ cwd: world.twin }))).toEqual([
      "From the one.",
      "From the other.",
    ]);
  });
});

/** @returns what was heard of both */
async function bothAtOnce(harness: HarnessDriver, world: World, one: Tui, other: Tui): Promise<string[]> {
  await one.submit("[[hold: one]][[reply: From the one.]]");
  await other.submit("[[hold: other]][[reply: From the other.]]");
  const first = (await world.model.held("one")).session ?? "";
  const second = (await world.model.held("other")).session ?? "";
  expect(first).not.toBe(second);
  await state(world, { session: first, state: "working" });
  await state(world, { session: second, state: "working" });

  world.model.release("other");
  await other.waitForText(harness.shown("From the other."));
  world.model.release("one");
  await one.waitForText(harness.shown("From the one."));
  await world.moth.event("both replies", () => world.moth.cards().length >= 2);
  const roster = await world.moth.roster(
    "both idle",
    (sessions) => sessions.length === 2 && sessions.every((session) => session.state === "idle"),
  );

  const labels = new Map(roster.map((session) => [session.session, session.label]));
  for (const id of [first, second]) expect([LABEL, `${LABEL} (${id.slice(-4)})`]).toContain(labels.get(id));
  expect(new Set(labels.values()).size).toBe(2);
  const replies = [...(await heard(world, first)), ...(await heard(world, second))];
  expect(await heard(world)).toHaveLength(replies.length);
  return replies;
}
