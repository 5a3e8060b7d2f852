import { expect, it } from "vitest";
import { card, course, heard, onlySession, opened, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { LABEL } from "../src/world.ts";

scenario("question", (harness, open) => {
  const { question } = harness;
  const script = question.script("Which colour shall it be?", ["Red", "Blue"]);

  const cancelled = question.goesOnWithout
    ? "lets the turn go on"
    : "ends the turn: the session is idle and interrupted within 3 seconds";
  it(`a session waits for the answer to a question, and works on when it is answered; a question that is cancelled ${cancelled}`, async () => {
    const world = await open();
    const tui = await world.open();
    await tui.submit(`${script}[[hold]][[reply: Red it is.]]`);
    await tui.waitForText(question.shown);
    const shown = Date.now();
    const session = onlySession(world);
    const first = await state(world, { session, state: "waiting" });
    expect(first.wait).toMatchObject({ kind: "question", tool: question.tool, answerable: false });
    expect(first.time - shown).toBeLessThan(1500);

    await question.answer(tui);
    await world.model.held();
    await state(world, { session, state: "working", after: first.id });
    world.model.release();
    await card(world, "Red it is.", { session });
    await tui.waitForText(harness.shown("Red it is."));
    const { id: last } = await state(world, { session, state: "idle", after: first.id });
    expect(course(world, session)).toEqual([...opened(harness), "working", "waiting:question", "working", "idle:done"]);
    expect(JSON.stringify(await world.moth.log())).not.toContain("Which colour");

    await tui.submit(`${script}[[hold: no answer]][[reply: Without an answer.]]`);
    const waiting = await state(world, { session, state: "waiting", after: last });
    await tui.waitForText(question.shown);
    await question.cancel(tui);
    const pressed = Date.now();
    if (question.goesOnWithout) {
      const working = await state(world, { session, state: "working", after: waiting.id });
      expect(working.time - pressed).toBeLessThan(3000);
      await world.model.held("no answer");
      world.model.release("no answer");
      await card(world, "Without an answer.", { session });
    } else {
      const idle = await state(world, { session, state: "idle", after: waiting.id });
      expect(idle.outcome).toBe("interrupted");
      expect(idle.time - pressed).toBeLessThan(3000);
    }

    await tui.submit("[[reply: The next turn.]]");
    await card(world, "The next turn.", { session, label: expect.stringContaining(LABEL) as string });
    const without = question.goesOnWithout ? ["Without an answer."] : [];
    expect(await heard(world)).toEqual(["Red it is.", ...without, "The next turn."]);
  });
});
