import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@moth-companion/core/protocol";
import { expect, it } from "vitest";
import { describe, type Moth, startMoth } from "../src/moth.ts";
import { chosen } from "../src/scenario.ts";
import { until } from "../src/wait.ts";
import { openWorld } from "../src/world.ts";

/** How often moth is started anew; said by `npm run chaos`, which is what this is for: it takes minutes. */
const TIMES = Number(process.env["MOTH_CHAOS_RESTARTS"] ?? 0);
const SEATS = { "claude-code": "lamp", codex: "moss", opencode: "fern", pi: "reed" } as const;
const seated = Object.entries(SEATS).flatMap(([id, folder]) => {
  const found = chosen.find(({ harness }) => harness.id === id);
  return found ? [{ ...found, folder }] : [];
});

const labels = (sessions: readonly Session[]): string[] => sessions.map(({ label }) => label).toSorted();

it.runIf(TIMES > 0 && seated.length > 0)(
  "moth is stopped and killed again and again under harnesses at work: every reply is heard once, no session is lost from sight, and no harness notices",
  { timeout: 60_000 + TIMES * 30_000, retry: 0 },
  async () => {
    const [head] = seated;
    const world = await openWorld(head!.harness, { program: head!.program, moth: false, hooked: false });
    const people = await Promise.all(
      seated.map(async ({ harness, program, folder }) => {
        const tui = await (await world.join(harness, program, join(world.home, "work", folder))).open();
        return { harness, label: folder, tui };
      }),
    );
    const start = (): Promise<Moth> => startMoth({ cwd: world.home, env: world.env, port: Number(new URL(world.mothUrl).port) });
    const roster = join(world.home, ".moth", "run", `${new URL(world.mothUrl).port}.roster.json`);
    const kept = (): string => (existsSync(roster) ? readFileSync(roster, "utf8") : "");
    let moth = await start();
    try {
      for (let time = 0; time < TIMES; time++) {
        const { harness, label, tui } = people[time % people.length]!;
        const reply = `Round ${time} of ${label}.`;
        const isLost = time % 5 === 4;
        await tui.submit(`[[hold: ${time}]][[reply: ${reply}]]`);
        await world.model.held(String(time));
        const before = labels(await moth.sessions());
        // In the middle of a turn, every third time without a goodbye: then what it heard in its last second is lost.
        if (time % 3 === 2) {
          await until("moth to have written down who is there", () =>
            before.every((label) => kept().includes(label)) ? true : undefined,
          );
          process.kill(moth.pid, "SIGKILL");
        }
        await moth.stop();
        // A turn that ends while there is no moth is lost, and nobody's trouble.
        if (isLost) world.model.release(String(time));
        if (isLost) await tui.waitForText(harness.shown(reply));
        moth = await start();
        expect(labels(await moth.sessions())).toEqual(before);
        const heard = (): string[] => moth.cards().map(({ text }) => text);
        if (!isLost) {
          world.model.release(String(time));
          await until(`moth to hear ${reply}`, () => (heard().includes(reply) ? true : undefined), {
            facts: () => moth.events.map(describe),
          });
          await tui.waitForText(harness.shown(reply));
          expect(heard()).toEqual([reply]);
        }
        // What nobody heard end is idle all the same, soon.
        await moth.roster(`${label} idle`, (all) => all.find((one) => one.label === label)?.state === "idle");
        expect(heard().filter((text) => text !== reply)).toEqual([]);
        expect(tui.screen()).not.toMatch(
          /hook.{0,40}(?:error|fail)|(?:error|fail).{0,40}hook|plugin.{0,40}error|ECONNREFUSED|EPIPE|moth-hook/i,
        );
      }
    } finally {
      await moth.stop();
    }
  },
);
