import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { answerable } from "../src/answering.ts";
import { card, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario(
  "away",
  (harness, open) => {
    const { permission } = harness;

    it("while the person is away a permission is asked through moth in place of the dialog; once they are back, in the window", async () => {
      const world = await open({ answers: true, holds: true });
      expect(await world.moths("config", "away", "on")).toMatchObject({ code: 0 });
      const tui = await world.open({ mode: "ask" });
      await tui.submit(`${permission.script("made.txt")}[[reply: Made it.]]`);
      const { id, session, wait } = await answerable(world);
      expect(wait).toMatchObject({ kind: "permission", text: expect.stringContaining("made.txt") as string });
      expect(tui.screen()).not.toContain(permission.shown);
      expect(existsSync(join(world.project, "made.txt"))).toBe(false);
      expect(await world.moths("answer", session, "allow", "--wait", wait.id)).toMatchObject({ code: 0 });
      await card(world, "Made it.", { session });
      expect(existsSync(join(world.project, "made.txt"))).toBe(true);

      await tui.submit(`${permission.script("later.txt")}[[reply: Made that, too.]]`);
      const second = await answerable(world, id + 1);
      expect(tui.screen()).not.toContain(permission.shown);
      expect(await world.moths("config", "away", "off")).toMatchObject({ code: 0 });
      await tui.waitForText(permission.shown);
      const late = await world.moths("answer", session, "allow", "--wait", second.wait.id);
      expect(late.code).not.toBe(0);
      const own = await world.moth.event(
        "that the window asks",
        (event) => event.kind === "state" && event.id > second.id && event.wait?.kind === "permission",
      );
      expect(own).toMatchObject({ session, wait: { answerable: false } });
      expect(existsSync(join(world.project, "later.txt"))).toBe(false);
      await permission.allow(tui);
      await card(world, "Made that, too.", { session });
      expect(existsSync(join(world.project, "later.txt"))).toBe(true);

      // Stopped in the window while it is held: nothing is answered, and nobody waits any more.
      expect(await world.moths("config", "away", "on")).toMatchObject({ code: 0 });
      await tui.submit(`${permission.script("never.txt")}[[reply: Not that.]]`);
      const third = await answerable(world, own.id + 1);
      await harness.interrupt(tui);
      await state(world, { session, state: "idle", outcome: "interrupted", after: third.id });
      expect((await world.moths("answer", session, "allow", "--wait", third.wait.id)).code).not.toBe(0);
      await tui.waitForScreen("that it takes a prompt", harness.ready);
      expect(existsSync(join(world.project, "never.txt"))).toBe(false);
    });
  },
  ({ away }) => (away ? undefined : "its hooks hold no dialog"),
);
