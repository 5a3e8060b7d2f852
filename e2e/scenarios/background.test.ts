import { expect, it, onTestFinished } from "vitest";
import { card, course, heard, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario(
  "background",
  (harness, open) => {
    const { endBackground } = harness;
    if (!endBackground) throw new Error(`${harness.id} has no sessions in the background`);

    it("a session that lives in the harness's own background process is told of as any other", async () => {
      const world = await open();
      onTestFinished(() => endBackground(world.home));
      // It has been in its window's own process before, which is no more.
      const before = await world.open();
      await before.submit("[[reply: By itself.]]");
      const { session } = await card(world, "By itself.");
      await before.waitForScreen("its composer", harness.ready);
      await before.submit(harness.commands.quit);
      await before.ended();
      const gone = await state(world, { session, state: "gone" });

      const tui = await world.open({ background: true, resume: session });
      await tui.submit("[[hold]][[reply: From behind.]]");
      await world.model.held();
      await state(world, { session, state: "working", after: gone.id });
      world.model.release();
      await card(world, "From behind.", { session });
      await tui.waitForText(harness.shown("From behind."));

      await tui.submit(`${harness.permission.script("made.txt")}[[hold]][[reply: Made it.]]`);
      await tui.waitForText(harness.permission.shown);
      const waiting = await state(world, { session, state: "waiting" });
      expect(waiting.wait).toMatchObject({ kind: "permission", tool: harness.permission.tool });
      await harness.permission.allow(tui);
      await world.model.held();
      await state(world, { session, state: "working", after: waiting.id });
      await harness.interrupt(tui);
      const stopped = await state(world, { session, state: "idle", after: waiting.id });
      expect(stopped.outcome).toBe("interrupted");

      await tui.submit(`[[error: ${harness.errors[0]}]]`);
      await tui.waitForText(harness.error);
      await state(world, { session, state: "idle", outcome: "failed", after: stopped.id });

      // Another window is another session in the same process.
      const other = await world.open({ background: true, cwd: world.twin });
      await other.submit("[[reply: From the other window.]]");
      const second = await world.moth.event("the other's reply", (event) => event.kind === "card" && event.session !== session);
      expect(second).toMatchObject({ text: "From the other window." });
      await other.submit(harness.commands.quit);
      await other.ended();
      await tui.submit("[[reply: Still here.]]");
      await world.moth.event("the first's reply", (event) => event.kind === "card" && event.text === "Still here.");

      await tui.submit(harness.commands.quit);
      await tui.ended();
      await endBackground(world.home);
      await world.moth.roster("both gone", (sessions) => sessions.length === 2 && sessions.every((one) => one.state === "gone"));
      expect(await heard(world)).toEqual(["By itself.", "From behind.", "From the other window.", "Still here."]);
      expect(course(world, session)).toEqual([
        "working",
        "idle:done",
        "gone",
        "working",
        "idle:done",
        "working",
        "waiting:permission",
        "working",
        "idle:interrupted",
        "working",
        "idle:failed",
        "working",
        "idle:done",
        "gone",
      ]);
    });
  },
  ({ endBackground }) => (endBackground ? undefined : "its sessions live in their windows"),
);
