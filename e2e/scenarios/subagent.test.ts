import { expect, it } from "vitest";
import { card, course, heard, lastId, onlySession, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import type { Tui, World } from "../src/world.ts";

scenario("subagent", (harness, open) => {
  const { lastingShell, permission } = harness;
  const meanwhile = harness.waitsForSubagent ? "" : "[[reply: A helper is at it.]][[later]]";
  const script = `${harness.subagent("[[hold: helper]][[reply: From the helper.]]")}${meanwhile}[[reply: The helper is done.]]`;
  /** What the session says of a turn with a helper. */
  const both = [...(harness.waitsForSubagent ? [] : ["A helper is at it."]), "The helper is done."];
  const asks = !permission.notForSubagents;
  // Else the session cannot speak before its subagent is done.
  const speaksMeanwhile = asks && !harness.waitsForSubagent;
  const more = [
    ...(asks ? ["one that asks for a permission makes its session wait until it is given"] : []),
    ...(speaksMeanwhile ? ["so it does when the session has spoken itself meanwhile"] : []),
    ...(lastingShell === undefined ? [] : ["a shell that goes on in the background, such as a server, leaves the session idle"]),
  ];

  it(`a subagent is silent, its session works while it runs, and each reply of the session is heard once${more.map((one) => `; ${one}`).join("")}`, async () => {
    const world = await open();
    const tui = await world.open(asks ? { mode: "ask" } : {});
    const replies = await silent(world, tui);
    if (asks) replies.push(...(await asking(world, tui)));
    if (speaksMeanwhile) replies.push(...(await askingMeanwhile(world, tui)));
    if (lastingShell !== undefined) replies.push(...(await beside(world, tui, lastingShell)));
    expect(await heard(world)).toEqual(replies);
  });

  async function silent(world: World, tui: Tui): Promise<string[]> {
    await tui.submit(script);
    const session = (await world.model.held("helper")).session ?? onlySession(world);
    for (const text of both.slice(0, -1)) await card(world, text, { session });
    await world.moth.roster("one session, and it works while its helper runs", ([only, ...others]) => {
      return only?.session === session && only.state === "working" && others.length === 0;
    });
    const running = lastId(world);
    const idle = world.moth.states(session).filter((event) => event.state === "idle");
    expect(idle.slice(harness.silentUntilPrompted ? 0 : 1)).toEqual([]);

    const asked = world.model.requests.length;
    world.model.release("helper");
    await card(world, "The helper is done.", { session });
    // Else it has not waited for its helper at all, and the script is wrong.
    expect(world.model.requests.length, "the model's requests after the helper was done").toBeGreaterThan(asked);
    await tui.waitForText(harness.shown("The helper is done."));
    await state(world, { session, state: "idle", outcome: "done", after: running });
    await tui.submit("[[reply: One more turn.]]");
    await card(world, "One more turn.", { session });
    expect(onlySession(world)).toBe(session);
    await world.moth.roster("the session idle", ([only]) => only?.state === "idle");
    return [...both, "One more turn."];
  }

  async function asking(world: World, tui: Tui): Promise<string[]> {
    const after = lastId(world);
    const asksFirst = `[[hold: asks]]${permission.script("made.txt")}[[hold: answered]][[reply: From the helper.]]`;
    await tui.submit(`${harness.subagent(asksFirst)}${meanwhile}[[reply: The helper is done.]]`);
    await world.model.held("asks");
    if (!harness.waitsForSubagent) await spoken(world, "A helper is at it.", after);
    world.model.release("asks");
    const waiting = await state(world, { session: onlySession(world), state: "waiting", after });
    await tui.waitForText(permission.shown);
    expect(waiting.wait).toMatchObject({ kind: "permission", tool: permission.tool });
    await finish(world, tui, "answered", after);
    return both;
  }

  async function askingMeanwhile(world: World, tui: Tui): Promise<string[]> {
    const after = lastId(world);
    const asksAtOnce = `${permission.script("also.txt")}[[hold: answered too]][[reply: From the helper.]]`;
    await tui.submit(`${harness.subagent(asksAtOnce)}[[hold: itself]]${meanwhile}[[reply: The helper is done.]]`);
    await state(world, { session: onlySession(world), state: "waiting", after });
    await tui.waitForText(permission.shown);
    world.model.release("itself");
    await spoken(world, "A helper is at it.", after);
    await world.moth.roster("the session still waiting", ([only]) => only?.state === "waiting");
    await finish(world, tui, "answered too", after);
    return both;
  }

  async function finish(world: World, tui: Tui, held: string, after: number): Promise<void> {
    await permission.allow(tui);
    await world.model.held(held);
    await world.moth.roster("the session working", ([only]) => only?.state === "working");
    world.model.release(held);
    await spoken(world, "The helper is done.", after);
    await world.moth.roster("the session idle", ([only, ...others]) => only?.state === "idle" && others.length === 0);
  }

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

/** A server, say, which is no helper. */
async function beside(world: World, tui: Tui, shell: string): Promise<string[]> {
  const before = course(world, onlySession(world)).length;
  await tui.submit(`${shell}[[reply: The server runs.]]`);
  const { session } = await card(world, "The server runs.");
  await world.moth.roster("the session idle", ([only]) => only?.state === "idle");
  await tui.submit("[[reply: And beside it.]]");
  await card(world, "And beside it.", { session });
  await world.moth.roster("the session idle", ([only]) => only?.state === "idle");
  expect(course(world, session).slice(before)).toEqual(["working", "idle:done", "working", "idle:done"]);
  return ["The server runs.", "And beside it."];
}

/** The same words as before, once more. */
async function spoken(world: World, text: string, after: number): Promise<void> {
  await world.moth.event(`once more ${text}`, (event) => event.kind === "card" && event.id > after && event.text === text);
}
