import type { Session } from "@moth-companion/core/protocol";
import { expect, it } from "vitest";
import { card } from "../src/expectations.ts";
import { keepPicture } from "../src/pictures.ts";
import { scenario } from "../src/scenario.ts";
import { LABEL, type World } from "../src/world.ts";
import { until } from "../src/wait.ts";

scenario("thin-path", (harness, open) => {
  it("the person reads the turn and moth's line in `moth tail`; `moth ps --json` follows the session: working, waiting, idle, gone", async () => {
    const world = await open({ flags: [] });
    const tail = world.mothTerminal("tail");
    // As in a pane of WezTerm: what runs beside the harness, or in it, must find that out.
    const tui = await world.open({ mode: "ask", env: { WEZTERM_PANE: "7" } });
    if (!harness.silentUntilPrompted) await ps(world, "idle");
    await tui.submit("[[reply: The migration is done.]]");
    await card(world, "The migration is done.");
    await tail.waitForText(`${LABEL} said: The migration is done.`);
    const say = await world.moth.event("moth's line", (event) => event.kind === "say");
    await tail.waitForText(`moth> ${say.kind === "say" ? say.text : ""}`);
    await tui.submit("[[reply: Two of 41 tests failed in auth.test.ts.]]");
    await card(world, "Two of 41 tests failed in auth.test.ts.");

    // moth takes some seconds before it speaks. Meanwhile the session goes on.
    await tui.submit(`[[hold: start]]${harness.permission.script("made.txt")}[[hold: end]][[reply: Made it.]]`);
    await world.model.held("start");
    await ps(world, "working");
    world.model.release("start");
    await tui.waitForText(harness.permission.shown);
    expect(await ps(world, "waiting")).toMatchObject({ wait: { kind: "permission", tool: harness.permission.tool } });
    keepPicture(`${harness.id}-ps`, (await world.moths("ps")).stdout);
    await harness.permission.allow(tui);
    await world.model.held("end");
    await ps(world, "working");
    world.model.release("end");
    await tui.waitForText(harness.shown("Made it."));
    expect(await ps(world, "idle")).toMatchObject({
      source: harness.id,
      label: LABEL,
      outcome: "done",
      active: true,
      pane: "wezterm:7",
    });

    const failure = await world.moth.event(
      "moth's line about the failure",
      (event) => event.kind === "say" && event.quote?.includes("auth.test.ts") === true,
    );
    await tail.waitForText(`moth> ${failure.kind === "say" ? failure.text : ""}`);
    expect(tail.screen()).not.toContain("[[reply");
    keepPicture(`${harness.id}-tail`, tail.screen());
    tail.press("ctrl+c");
    await tail.ended();
    await tui.submit(harness.commands.quit);
    await tui.ended();
    await ps(world, "gone");
  });
});

async function ps(world: World, state: string): Promise<Session> {
  let last = "";
  return await until(
    `moth ps --json to show a session that is ${state}`,
    async () => {
      const run = await world.moths("ps", "--json");
      last = `${run.stdout}${run.stderr}`;
      expect(run.code).toBe(0);
      return (JSON.parse(run.stdout) as Session[]).find((session) => session.state === state);
    },
    { facts: () => last },
  );
}
