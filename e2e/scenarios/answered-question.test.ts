import { expect, it } from "vitest";
import { answerable, openAnswerable } from "../src/answering.ts";
import { card, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario(
  "answered-question",
  (harness, open) => {
    const { question } = harness;

    it("a question is answered through moth with one of its options; others are refused", async () => {
      const { world, tui } = await openAnswerable(harness, open);
      await tui.submit(`${question.script("Which colour?", ["Red", "Blue"])}[[reply: Painted.]]`);
      await tui.waitForText(question.shown);
      const { id, source, session, wait } = await answerable(world);
      expect(wait).toMatchObject({ kind: "question", options: ["Red", "Blue"] });
      expect(wait.text).toContain("Which colour?");
      const blue = { source, session, wait: wait.id, choice: "Blue", by: "cli" };
      expect(await world.moth.answer({ ...blue, choice: "Green" })).toMatchObject({ error: { code: "BAD_FIELD" } });
      expect(await world.moth.answer(blue)).toEqual({ ok: true });
      await card(world, "Painted.", { session });
      await state(world, { session, state: "idle", after: id });
      expect(tui.screen()).not.toContain(question.shown);
      expect(world.model.requests.at(-1)?.body).toContain("Blue");
    });
  },
  ({ answers }) => (answers?.question ? undefined : "nothing of it is answered through moth yet"),
);
