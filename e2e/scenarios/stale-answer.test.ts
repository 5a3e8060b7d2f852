import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { answerable, openAnswerable } from "../src/answering.ts";
import { state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario(
  "stale-answer",
  (harness, open) => {
    const { permission, answers } = harness;

    it("an answer to a wait that is over in the window is refused, and nothing runs", async () => {
      const { world, tui } = await openAnswerable(harness, open);
      await tui.submit(`${permission.script("made.txt")}[[reply: Made it.]]`);
      await tui.waitForText(permission.shown);
      const { id, source, session, wait } = await answerable(world);
      await harness.interrupt(tui);
      await state(world, { session, state: "idle", after: id });
      const late = await world.moth.answer({
        source,
        session,
        wait: wait.id,
        choice: answers?.says?.allow ?? "allow",
        by: "cli",
      });
      expect(late).toMatchObject({ error: { code: "STALE" } });
      await tui.waitForScreen("that it takes a prompt", harness.ready);
      expect(existsSync(join(world.project, "made.txt"))).toBe(false);
    });
  },
  ({ answers }) => (answers?.permission ? undefined : "nothing of it is answered through moth yet"),
);
