import { findHarness } from "@moth-companion/harnesses";
import { expect, it } from "vitest";
import { card, expectPlain, heard, onlySession, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { LABEL, START_TIME, type World } from "../src/world.ts";

scenario("resume", (harness, open) => {
  const { fork } = harness.commands;
  const atStart = fork === undefined ? "; a copy of it is a session of its own" : "";

  it(`a session that is taken up again is the same one, and its older reply is not heard again${atStart}`, async () => {
    const world = await open();
    expectPlain(harness, await world.oneShot("[[reply: Before the break.]]"), "Before the break.");
    const session = onlySession(world);
    const gone = await state(world, { session, state: "gone" });

    const replies = ["Before the break."];
    if (!harness.oneShotBeginsAnew) {
      expectPlain(harness, await world.oneShot("[[reply: After the break.]]", { resume: session }), "After the break.");
      await card(world, "After the break.", { session });
      await state(world, { session, state: "working", after: gone.id });
      await state(world, { session, state: "gone", after: gone.id });
      replies.push("After the break.");
    }

    const copies = fork === undefined ? [await copyOf(world, session)] : [];
    const launch = findHarness(harness.id)?.launch;
    const prompt = "[[reply: In a terminal.]] And now?";
    const takesPrompt = launch !== undefined && "withPrompt" in launch && launch.again.noPrompt === undefined;
    // From another folder: it is taken up in its own.
    const tui = launch
      ? world.again("resume", session, ...(takesPrompt ? [`--prompt=${prompt}`] : []))
      : await world.open({ resume: session });
    if (!harness.silentUntilPrompted && !takesPrompt)
      await world.moth.roster("it back", (all) => all.some((one) => one.session === session && one.state === "idle"));
    if (!takesPrompt) await tui.waitForScreen("that it takes a prompt", harness.ready, START_TIME);
    if (!takesPrompt) await tui.submit(prompt);
    await card(world, "In a terminal.", { session });
    await tui.waitForText(harness.shown("In a terminal."));
    expect(await heard(world, session)).toEqual([...replies, "In a terminal."]);
    expect(await heard(world)).toEqual([...replies, ...copies.map(() => "The copy."), "In a terminal."]);
    expect((await world.moth.sessions()).map((one) => one.session).toSorted()).toEqual([session, ...copies].toSorted());
    const again = await world.moths("resume", session);
    expect(again).toMatchObject({ code: launch ? 1 : 2, stdout: "" });
    expect(again.stderr).toContain(launch ? "still runs in another window" : "moth does not start");
  });

  async function copyOf(world: World, session: string): Promise<string> {
    expectPlain(harness, await world.oneShot("[[reply: The copy.]]", { resume: session, fork: true }), "The copy.");
    const copy = await card(world, "The copy.");
    expect(copy.session).not.toBe(session);
    expect(world.model.requests.at(-1)?.session).toBe(copy.session);
    await state(world, { session: copy.session, state: "gone" });
    return copy.session;
  }

  // oxlint-disable-next-line vitest/no-conditional-tests -- some make a copy at the start, some inside
  if (fork !== undefined)
    it(`a copy of a session is a session of its own, and the one it was made of ${harness.keepsForked ? "stays" : "is gone"}`, async () => {
      const world = await open();
      const tui = await world.open();
      await tui.submit("[[reply: The original.]]");
      const { session } = await card(world, "The original.");
      await tui.waitForText(harness.shown("The original."));
      await tui.submit(fork);
      if (!harness.silentUntilPrompted) {
        await state(world, { session, state: "gone" });
        await world.moth.roster("the copy", (sessions) =>
          sessions.some((one) => one.session !== session && one.state === "idle"),
        );
      }
      await tui.submit("[[reply: The copy.]]");
      // Beside an open one of the same name it bears the end of its id.
      const label = harness.keepsForked ? (expect.stringMatching(/^moth repo \(\w{4}\)$/) as string) : LABEL;
      const copy = await card(world, "The copy.", { label });
      expect(copy.session).not.toBe(session);
      const left = harness.keepsForked ? "idle" : "gone";
      await world.moth.roster(`the original ${left}`, (all) => all.some((one) => one.session === session && one.state === left));
      expect(await heard(world)).toEqual(["The original.", "The copy."]);
    });
});
