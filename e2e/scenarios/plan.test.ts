import { expect, it } from "vitest";
import { answerable, openAnswerable } from "../src/answering.ts";
import type { Hand } from "../src/driver.ts";
import { card, course, heard, lastId, onlySession, opened, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import type { Tui, World } from "../src/world.ts";

scenario("plan", (harness, open) => {
  const { plan } = harness;
  if (!plan) throw new Error(`${harness.id} has no plan to approve: say so in its notApplicable`);
  const script = plan.script("# The plan\n\nDo it well.");

  const { cancel } = plan;
  const cancelled = cancel ? "a plan that is cancelled ends the turn, interrupted, told within 3 seconds; " : "";

  const putAside = async (world: World, tui: Tui, hand: Hand): Promise<string> => {
    await tui.submit(`${script}[[reply: Never said.]]`);
    await tui.waitForText(plan.shown);
    const session = onlySession(world);
    const waiting = await state(world, { session, state: "waiting" });
    await hand(tui);
    const answered = Date.now();
    const idle = await state(world, { session, state: "idle", after: waiting.id });
    expect(idle.outcome).toBe("interrupted");
    expect(idle.time - answered).toBeLessThan(3000);

    await tui.submit("[[reply: The next turn.]]");
    await card(world, "The next turn.", { session });
    await state(world, { session, state: "idle", outcome: "done", after: idle.id });
    return "The next turn.";
  };

  it(`${cancelled}a session waits for its plan to be approved, and works on when it is`, async () => {
    const world = await open();
    const tui = await world.open({ mode: "plan" });
    const replies = cancel ? [await putAside(world, tui, cancel)] : [];
    const after = lastId(world);
    const before = world.model.requests.length === 0 ? opened(harness) : course(world, onlySession(world));
    await tui.submit(`${script}[[hold]][[reply: Done as planned.]]`);
    await tui.waitForText(plan.shown);
    const shown = Date.now();
    const session = onlySession(world);
    const waiting = await state(world, { session, state: "waiting", after });
    expect(waiting.wait).toMatchObject({ kind: "plan", ...(plan.tool && { tool: plan.tool }), answerable: false });
    expect(waiting.time - shown).toBeLessThan(1500);

    await plan.approve(tui);
    await world.model.held();
    await state(world, { session, state: "working", after: waiting.id });
    world.model.release();
    await card(world, "Done as planned.", { session });
    await tui.waitForText(harness.shown("Done as planned."));
    await state(world, { session, state: "idle", after: waiting.id });
    expect(course(world, session)).toEqual([...before, "working", "waiting:plan", "working", "idle:done"]);
    expect(await heard(world)).toEqual([...replies, "Done as planned."]);
    expect(JSON.stringify(await world.moth.log())).not.toContain("Do it well");
  });

  // oxlint-disable-next-line vitest/no-conditional-tests -- not every harness has a door for it
  if (harness.answers?.plan)
    it("a plan is put back through moth with words that the model reads, and the next one approved", async () => {
      const { world, tui } = await openAnswerable(harness, open, "plan");
      const work = `${harness.permission.script("made.txt")}[[reply: Done as planned.]]`;
      await tui.submit(plan.endsTurn ? script : `${script}[[then]]${script}[[then]]${work}`);
      await tui.waitForText(plan.shown);
      const { id, source, session, wait } = await answerable(world);
      expect(wait).toMatchObject({ kind: "plan", text: expect.stringContaining("Do it well.") as string });
      const again = plan.endsTurn ? script.replace(/^\/plan /, "") : "";
      const back = { source, session, wait: wait.id, choice: "reject", text: `add a test ${again}`, by: "cli" };
      expect(await world.moth.answer(back)).toEqual({ ok: true });
      const second = await answerable(world, id);
      expect(second.wait.id).not.toBe(wait.id);
      expect(world.model.requests.at(-1)?.body).toContain("add a test");
      expect(await world.moth.answer({ source, session, wait: second.wait.id, choice: "approve", by: "cli" })).toEqual({
        ok: true,
      });
      if (plan.endsTurn) {
        await card(world, "ok", { session });
        tui.press("escape");
        await tui.submit(work);
      }
      // It was approved, and nothing beside: what needs a permission is still asked for.
      const next = await answerable(world, second.id);
      expect(next.wait).toMatchObject({ kind: "permission", text: expect.stringContaining("made.txt") as string });
      await world.moth.answer({ source, session, wait: next.wait.id, choice: "allow", by: "cli" });
      await card(world, "Done as planned.", { session });
      await tui.waitForScreen("that it takes a prompt", harness.ready);
      expect(tui.screen()).not.toContain(plan.shown);
    });
});
