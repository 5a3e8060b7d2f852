import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StateEvent } from "@moth-companion/core/protocol";
import { expect, it } from "vitest";
import { card, course, expectPlain, heard, onlySession, opened, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario("permission", (harness, open) => {
  const { permission } = harness;

  it("a session waits for the permission that is asked, works on when it is given, and the reply is heard", async () => {
    const world = await open();
    const tui = await world.open({ mode: "ask" });
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
  });

  // oxlint-disable-next-line vitest/no-conditional-tests -- not every harness calls two tools at once
  if (permission.oneByOne)
    it("two permissions asked at once are waited for one after the other", async () => {
      const world = await open();
      const tui = await world.open({ mode: "ask" });
      await tui.submit(`${permission.script("one.txt")}${permission.script("two.txt")}[[hold]][[reply: Made both.]]`);
      await tui.waitForText(permission.shown);
      const first = await state(world, { state: "waiting" });
      const { session } = first;
      await permission.allow(tui);
      const second = await state(world, { session, state: "waiting", after: first.id });
      expect(second.wait?.id).not.toBe(first.wait?.id);
      await tui.waitForText(permission.shown);
      await world.moth.roster("the session waiting", ([only]) => only?.state === "waiting");
      await permission.allow(tui);
      await world.model.held();
      await world.moth.roster("the session working", ([only]) => only?.state === "working");
      world.model.release();
      await card(world, "Made both.", { session });
      await world.moth.roster("the session idle", ([only]) => only?.state === "idle");
      expect(await heard(world)).toEqual(["Made both."]);
      for (const file of ["one.txt", "two.txt"]) expect(existsSync(join(world.project, file))).toBe(true);
    });

  const { deny, denyWith } = permission;
  // oxlint-disable-next-line vitest/no-conditional-tests -- not in every harness a denial ends the turn, or takes advice
  if (deny ?? denyWith)
    it("a permission that is denied ends the turn, interrupted, or with a word of advice lets it go on, told within 3 seconds", async () => {
      const world = await open();
      const tui = await world.open({ mode: "ask" });
      const ask = async (rest: string, after: number): Promise<StateEvent> => {
        await tui.submit(`${permission.script("never.txt")}${rest}`);
        await tui.waitForText(permission.shown);
        return await state(world, { state: "waiting", after });
      };
      let last = -1;
      if (deny) {
        const waiting = await ask("[[reply: Never said.]]", last);
        const { session } = waiting;
        await deny(tui);
        const denied = Date.now();
        const idle = await state(world, { session, state: "idle", after: waiting.id });
        expect(idle.outcome).toBe("interrupted");
        expect(idle.time - denied).toBeLessThan(3000);
        await tui.submit("[[reply: The next turn.]]");
        await card(world, "The next turn.", { session });
        last = (await state(world, { session, state: "idle", outcome: "done", after: idle.id })).id;
      }
      if (denyWith) {
        const waiting = await ask("[[hold]][[reply: Another way, then.]]", last);
        const { session } = waiting;
        await denyWith(tui, "find another way");
        await world.model.held();
        const asked = Date.now();
        const working = await state(world, { session, state: "working", after: waiting.id });
        expect(working.time - asked).toBeLessThan(3000);
        world.model.release();
        await card(world, "Another way, then.", { session });
        await state(world, { session, state: "idle", outcome: "done", after: waiting.id });
      }
      expect(await heard(world)).toEqual([...(deny ? ["The next turn."] : []), ...(denyWith ? ["Another way, then."] : [])]);
      expect(existsSync(join(world.project, "never.txt"))).toBe(false);
    });

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
