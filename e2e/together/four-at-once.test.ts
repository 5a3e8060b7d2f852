import { join } from "node:path";
import type { SessionsAnswer } from "@moth-companion/core/protocol";
import { expect, it } from "vitest";
import { card, heard, state } from "../src/expectations.ts";
import { chosen } from "../src/scenario.ts";
import { openWorld } from "../src/world.ts";

/** What many people run side by side; each in a folder of its own. */
const SEATS = { "claude-code": "lamp", codex: "moss", opencode: "fern", pi: "reed" } as const;
const seated = Object.entries(SEATS).flatMap(([id, folder]) => {
  const found = chosen.find(({ harness }) => harness.id === id);
  return found ? [{ ...found, folder }] : [];
});
const everyone = seated.length === Object.keys(SEATS).length;

it.runIf(everyone)(
  "four harnesses at once: each session by its name, each reply once, no subagent, right states after a stop",
  async () => {
    const [head, ...others] = seated;
    const world = await openWorld(head!.harness, { program: head!.program, hooked: false });
    const people = await Promise.all(
      [head!, ...others].map(async ({ harness, program, folder }) => {
        const cwd = join(world.home, "work", folder);
        return { harness, label: folder, tui: await (await world.join(harness, program, cwd)).open() };
      }),
    );

    // All of them at work at the same time, each by a subagent where it has any.
    const replies: string[] = [];
    for (const { harness, label, tui } of people) {
      const held = `[[hold: ${label}]]`;
      const last = `[[reply: From ${label}.]]`;
      if (harness.notApplicable["subagent"] !== undefined) await tui.submit(`${held}${last}`);
      else {
        const helper = harness.subagent(`${held}[[reply: Helper of ${label}.]]`);
        const meanwhile = harness.waitsForSubagent ? "" : `[[reply: The helper of ${label} is at it.]][[later]]`;
        await tui.submit(`${helper}${meanwhile}${last}`);
        if (meanwhile !== "") replies.push(`The helper of ${label} is at it.`);
      }
      replies.push(`From ${label}.`);
    }
    for (const { label } of people) await world.model.held(label);
    const atWork = await world.moth.roster("four sessions, all at work", (all) => {
      return all.length === people.length && all.every((one) => one.state === "working");
    });
    const sessions = new Map(atWork.map(({ label, session }) => [label, session]));
    for (const { label } of people) world.model.release(label);
    for (const { harness, label, tui } of people) {
      await card(world, `From ${label}.`, { session: sessions.get(label)!, label });
      await tui.waitForText(harness.shown(`From ${label}.`));
    }

    const marks = new Map<string, number>();
    for (const { label, tui } of people) {
      marks.set(label, world.moth.events.at(-1)?.id ?? 0);
      await tui.submit(`[[hold: stop ${label}]][[reply: Never said.]]`);
      await world.model.held(`stop ${label}`);
    }
    for (const { harness, label, tui } of people) {
      await state(world, { session: sessions.get(label)!, state: "working", after: marks.get(label)! });
      await harness.interrupt(tui);
    }
    for (const { label } of people) {
      await state(world, { session: sessions.get(label)!, state: "idle", outcome: "interrupted", after: marks.get(label)! });
    }

    const { code, stdout } = await world.moths("ps", "--json");
    expect(code).toBe(0);
    const roster = JSON.parse(stdout) as SessionsAnswer["sessions"];
    expect(roster.map(({ source, label, state }) => `${source} ${label} ${state}`).toSorted()).toEqual(
      seated.map(({ harness, folder }) => `${harness.id} ${folder} idle`).toSorted(),
    );
    expect((await heard(world)).toSorted()).toEqual(replies.toSorted());
  },
);
