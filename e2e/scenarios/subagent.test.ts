import { expect, it } from "vitest";
import { card, course, heard, onlySession, opened, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import type { Tui, World } from "../src/world.ts";

scenario("subagent", (harness, open) => {
  const meanwhile = harness.waitsForSubagent ? "" : "[[reply: A helper is at it.]][[later]]";
  const script = `${harness.subagent("[[hold: helper]][[reply: From the helper.]]")}${meanwhile}[[reply: The helper is done.]]`;

  it("a subagent is silent, its session works while it runs, and each reply of the session is heard once", async () => {
    const world = await open();
    const tui = await world.open();
    await tui.submit(script);
    const session = (await world.model.held("helper")).session ?? onlySession(world);
    const before = harness.waitsForSubagent ? [] : ["A helper is at it."];
    for (const text of before) await card(world, text, { session });
    await world.moth.roster("one session, and it works while its helper runs", ([only, ...more]) => {
      return only?.session === session && only.state === "working" && more.length === 0;
    });
    const running = world.moth.events.at(-1)?.id ?? 0;
    expect(
      world.moth
        .states(session)
        .filter((event) => event.state === "idle")
        .slice(harness.silentUntilPrompted ? 0 : 1),
    ).toEqual([]);

    const asked = world.model.requests.length;
    world.model.release("helper");
    await card(world, "The helper is done.", { session });
    // Else it has not waited for its helper at all, and the script is wrong.
    expect(world.model.requests.length, "the model's requests after the helper was done").toBeGreaterThan(asked);
    await tui.waitForText(harness.shown("The helper is done."));
    await state(world, { session, state: "idle", outcome: "done", after: running });
    await tui.submit("[[reply: One more turn.]]");
    await card(world, "One more turn.", { session });
    expect(await heard(world)).toEqual([...before, "The helper is done.", "One more turn."]);
    expect(onlySession(world)).toBe(session);
  });

  // oxlint-disable-next-line vitest/no-conditional-tests -- not every harness lets a subagent ask
  if (!harness.permission.notForSubagents)
    it("a subagent that asks for a permission makes its session wait, until the permission is given", async () => {
      const world = await open();
      const tui = await world.open({ mode: "ask" });
      const asking = `[[hold: helper]]${harness.permission.script("made.txt")}[[hold: answered]][[reply: From the helper.]]`;
      await tui.submit(`${harness.subagent(asking)}${meanwhile}[[reply: The helper is done.]]`);
      await world.model.held("helper");
      if (!harness.waitsForSubagent) await card(world, "A helper is at it.");
      world.model.release("helper");
      await tui.waitForText(harness.permission.shown);
      const waiting = await state(world, { session: onlySession(world), state: "waiting" });
      expect(waiting.wait).toMatchObject({ kind: "permission", tool: harness.permission.tool });
      expect(await finish(world, tui)).toBe(harness.waitsForSubagent ? 1 : 2);
    });

  // oxlint-disable-next-line vitest/no-conditional-tests -- else the session cannot speak before its subagent is done
  if (!harness.waitsForSubagent && !harness.permission.notForSubagents)
    it("the session waits still when it has spoken itself meanwhile", async () => {
      const world = await open();
      const tui = await world.open({ mode: "ask" });
      const asking = `${harness.permission.script("made.txt")}[[hold: answered]][[reply: From the helper.]]`;
      await tui.submit(`${harness.subagent(asking)}[[hold: itself]]${meanwhile}[[reply: The helper is done.]]`);
      await tui.waitForText(harness.permission.shown);
      await state(world, { session: onlySession(world), state: "waiting" });
      world.model.release("itself");
      await card(world, "A helper is at it.");
      await world.moth.roster("the session still waiting", ([only]) => only?.state === "waiting");
      expect(await finish(world, tui)).toBe(2);
    });

  /** @returns how often the session has spoken */
  async function finish(world: World, tui: Tui): Promise<number> {
    await harness.permission.allow(tui);
    await world.model.held("answered");
    await world.moth.roster("the session working", ([only]) => only?.state === "working");
    world.model.release("answered");
    await card(world, "The helper is done.");
    await world.moth.roster("the session idle", ([only, ...more]) => only?.state === "idle" && more.length === 0);
    return (await heard(world)).length;
  }

  const { lastingShell } = harness;
  // oxlint-disable-next-line vitest/no-conditional-tests -- not every harness has shells in the background
  if (lastingShell !== undefined)
    it("a shell that goes on in the background, such as a server, leaves the session idle", async () => {
      const world = await open();
      const tui = await world.open({ mode: "ask" });
      await tui.submit(`${lastingShell}[[reply: The server runs.]]`);
      const { session } = await card(world, "The server runs.");
      await world.moth.roster("the session idle", ([only]) => only?.state === "idle");
      await tui.submit("[[reply: One more turn.]]");
      await card(world, "One more turn.", { session });
      await world.moth.roster("the session idle", ([only]) => only?.state === "idle");
      expect(course(world, session)).toEqual([...opened(harness), "working", "idle:done", "working", "idle:done"]);
    });

  it("nor is it heard in a one-shot run", async () => {
    const world = await open();
    const run = await world.oneShot(script.replace("[[hold: helper]]", ""));
    expect(harness.withoutOwnNoise?.(run) ?? run).toMatchObject({ code: 0, stderr: "" });
    const last = harness.endsBeforeSubagent ? "A helper is at it." : "The helper is done.";
    expect(run.stdout).toContain(last);
    const session = onlySession(world);
    await state(world, { session, state: "gone" });
    const replies = await heard(world);
    expect(replies.at(-1)).toBe(last);
    expect(replies).not.toContain("From the helper.");
    expect(new Set(replies).size).toBe(replies.length);
  });
});
