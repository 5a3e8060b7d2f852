import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StateEvent } from "@moth-companion/core/protocol";
import { expect, it } from "vitest";
import { card, course, expectPlain, heard, lastId, onlySession, opened, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { LABEL, type Tui, type World } from "../src/world.ts";

scenario("permission", (harness, open) => {
  const { permission } = harness;
  const { oneByOne, deny, denyWith } = permission;
  const more = [
    ...(oneByOne ? ["two asked at once are waited for one after the other"] : []),
    ...(deny ? ["one that is denied ends the turn, interrupted, told within 3 seconds"] : []),
    ...(denyWith ? ["one that is denied with a word of advice lets it go on, told within 3 seconds"] : []),
  ];

  it(`a session waits for the permission that is asked, works on when it is given, and the reply is heard${more.map((one) => `; ${one}`).join("")}`, async () => {
    const world = await open();
    const tui = await world.open({ mode: "ask" });
    const replies = [await given(world, tui)];
    if (oneByOne) replies.push(await bothGiven(world, tui));
    if (deny) replies.push(await denied(world, tui, deny));
    if (denyWith) replies.push(await advised(world, tui, denyWith));
    expect(await heard(world)).toEqual(replies);
    expect(existsSync(join(world.project, "never.txt"))).toBe(false);
  });

  async function given(world: World, tui: Tui): Promise<string> {
    await tui.submit(`${permission.script("made.txt")}[[hold]][[reply: Made it.]]`);
    await tui.waitForText(permission.shown);
    const shown = Date.now();
    const session = onlySession(world);
    const waiting = await state(world, { session, state: "waiting" });
    expect(waiting.wait).toMatchObject({ kind: "permission", tool: permission.tool, answerable: false });
    expect(waiting.wait).not.toHaveProperty("text");
    expect(waiting.time - shown).toBeLessThan(1500);
    expect(existsSync(join(world.project, "made.txt"))).toBe(false);

    await permission.allow(tui);
    await world.model.held();
    await state(world, { session, state: "working", after: waiting.id });
    world.model.release();
    await card(world, "Made it.", { session });
    await tui.waitForText(harness.shown("Made it."));
    await state(world, { session, state: "idle", after: waiting.id });
    expect(existsSync(join(world.project, "made.txt"))).toBe(true);
    expect(course(world, session)).toEqual([...opened(harness), "working", "waiting:permission", "working", "idle:done"]);
    expect(JSON.stringify(await world.moth.log())).not.toContain("made.txt");
    return "Made it.";
  }

  async function bothGiven(world: World, tui: Tui): Promise<string> {
    const after = lastId(world);
    await tui.submit(`${permission.script("one.txt")}${permission.script("two.txt")}[[hold: both]][[reply: Made both.]]`);
    const first = await state(world, { state: "waiting", after });
    const { session } = first;
    await tui.waitForText(permission.shown);
    await permission.allow(tui);
    const second = await state(world, { session, state: "waiting", after: first.id });
    expect(second.wait?.id).not.toBe(first.wait?.id);
    await tui.waitForText(permission.shown);
    await world.moth.roster("the session waiting", ([only]) => only?.state === "waiting");
    await permission.allow(tui);
    await world.model.held("both");
    await world.moth.roster("the session working", ([only]) => only?.state === "working");
    world.model.release("both");
    await card(world, "Made both.", { session });
    await world.moth.roster("the session idle", ([only]) => only?.state === "idle");
    for (const file of ["one.txt", "two.txt"]) expect(existsSync(join(world.project, file))).toBe(true);
    return "Made both.";
  }

  async function ask(world: World, tui: Tui, rest: string): Promise<StateEvent> {
    const after = lastId(world);
    await tui.submit(`${permission.script("never.txt")}${rest}`);
    const waiting = await state(world, { state: "waiting", after });
    await tui.waitForText(permission.shown);
    return waiting;
  }

  async function denied(world: World, tui: Tui, hand: NonNullable<typeof deny>): Promise<string> {
    const waiting = await ask(world, tui, "[[reply: Never said.]]");
    const { session } = waiting;
    await hand(tui);
    const answered = Date.now();
    const idle = await state(world, { session, state: "idle", after: waiting.id });
    expect(idle.outcome).toBe("interrupted");
    expect(idle.time - answered).toBeLessThan(3000);
    await tui.submit("[[reply: The next turn.]]");
    await card(world, "The next turn.", { session, label: expect.stringContaining(LABEL) as string });
    await state(world, { session, state: "idle", outcome: "done", after: idle.id });
    return "The next turn.";
  }

  async function advised(world: World, tui: Tui, hand: NonNullable<typeof denyWith>): Promise<string> {
    const waiting = await ask(world, tui, "[[hold: other way]][[reply: Another way, then.]]");
    const { session } = waiting;
    await hand(tui, "find another way");
    await world.model.held("other way");
    const asked = Date.now();
    const working = await state(world, { session, state: "working", after: waiting.id });
    expect(working.time - asked).toBeLessThan(3000);
    world.model.release("other way");
    await card(world, "Another way, then.", { session });
    await state(world, { session, state: "idle", outcome: "done", after: waiting.id });
    return "Another way, then.";
  }

  // oxlint-disable-next-line vitest/no-conditional-tests -- one harness asks all the same
  if (!permission.asksInVain)
    it("in a one-shot run nobody can be asked: no wait shows, and what is said after all is heard", async () => {
      const world = await open();
      const run = await world.oneShot(`${permission.script("never.txt")}[[reply: It was refused.]]`);
      const replies = permission.refusalEndsTurn ? [] : ["It was refused."];
      expectPlain(harness, run, replies.join(""));
      const session = onlySession(world);
      await state(world, { session, state: "gone" });
      expect(await heard(world)).toEqual(replies);
      expect(course(world, session)).toEqual([
        ...opened(harness),
        "working",
        permission.refusalEndsTurn ? "idle:interrupted" : "idle:done",
        "gone",
      ]);
    });
});
