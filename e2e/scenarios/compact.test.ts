import { expect, it } from "vitest";
import { card, heard, onlySession } from "../src/expectations.ts";
import { UNSCRIPTED } from "../src/fake-model/conversation.ts";
import { scenario } from "../src/scenario.ts";

scenario("compact", (harness, open) => {
  it("a summary of the conversation is no reply; the session stays the same one and is idle afterwards", async () => {
    const world = await open();
    // Of fewer some would keep every word.
    const replies = ["The first reply.", "The second reply.", "The third reply."];
    const tui = await world.open();
    for (const text of replies) {
      await tui.submit(`[[reply: ${text}]]`);
      await card(world, text);
      await tui.waitForText(harness.shown(text));
    }
    const session = onlySession(world);
    const before = world.model.requests.length;
    await tui.submit(harness.commands.compact);
    await world.model.request(
      "a summary",
      (request) => request.kind !== "other" && world.model.requests.indexOf(request) >= before,
    );
    await tui.submit("[[reply: After the summary.]]");
    await card(world, "After the summary.", { session });
    await world.moth.roster("one idle session", (sessions) => sessions.length === 1 && sessions[0]?.state === "idle");
    expect(await heard(world)).toEqual([...replies, "After the summary."]);
    expect(JSON.stringify(await heard(world))).not.toContain(UNSCRIPTED);
  });
});
