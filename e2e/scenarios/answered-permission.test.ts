import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SayEvent } from "@moth-companion/core/protocol";
import { expect, it } from "vitest";
import { answerable, openAnswerable } from "../src/answering.ts";
import { card, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario(
  "answered-permission",
  (harness, open) => {
    const { permission, answers } = harness;
    const { allow, deny } = answers?.says ?? { allow: "allow", deny: "deny" };

    it("a permission is given through moth, another is denied; each answer counts once", async () => {
      const { world, tui } = await openAnswerable(harness, open);
      await tui.submit(`${permission.script("made.txt")}[[reply: Made it.]]`);
      await tui.waitForText(permission.shown);
      const { id, source, session, wait } = await answerable(world);
      expect(wait).toMatchObject({ kind: "permission", text: expect.stringContaining("made.txt") as string });
      const yes = { source, session, wait: wait.id, choice: allow, by: "cli" };
      const [one, other] = await Promise.all([world.moth.answer(yes), world.moth.answer({ ...yes, choice: deny })]);
      expect([one, other]).toMatchObject([{ ok: true }, { error: { code: "ANSWERED" } }]);
      await card(world, "Made it.", { session });
      await tui.waitForText(harness.shown("Made it."));
      expect(tui.screen()).not.toContain(permission.shown);
      expect(existsSync(join(world.project, "made.txt"))).toBe(true);
      expect(world.moth.events).toContainEqual(
        expect.objectContaining({ kind: "answer", session, about: "permission", choice: allow, by: "cli" }),
      );

      await tui.submit(`${permission.script("never.txt")}[[reply: Then not.]]`);
      const second = await answerable(world, id + 1);
      expect(second.wait.text).toContain("never.txt");
      // What was meant for the first does not reach the second.
      expect(await world.moth.answer(yes)).toMatchObject({ error: { code: expect.stringMatching(/ANSWERED|STALE/) as string } });
      expect(await world.moth.answer({ ...yes, wait: second.wait.id, choice: deny })).toEqual({ ok: true });
      await state(world, { session, state: "idle", after: second.id });
      await tui.waitForScreen("that it takes a prompt", harness.ready);
      expect(existsSync(join(world.project, "never.txt"))).toBe(false);

      // The agent has heard the answers, and nothing of moth's own.
      const line = await world.moth.event("a line of moth's", (event) => event.kind === "say");
      const context = world.model.requests.map(({ body }) => body).join("\n");
      expect(context).not.toContain(JSON.stringify((line as SayEvent).text).slice(1, -1));
    });
  },
  ({ answers }) => (answers?.permission ? undefined : "nothing of it is answered through moth yet"),
);
