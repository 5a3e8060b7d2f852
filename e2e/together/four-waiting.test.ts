/** Four harnesses wait for the person at once; two are answered by `moth answer`, two on moth's page in a real browser. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@moth-companion/core/protocol";
import { chromium } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { findChromium } from "../../packages/server/test/page/find-chromium.ts";
import { card, state } from "../src/expectations.ts";
import { chosen } from "../src/scenario.ts";
import { openWorld } from "../src/world.ts";

const SEATS = { "claude-code": "lamp", codex: "moss", opencode: "fern", pi: "reed" } as const;
type Label = (typeof SEATS)[keyof typeof SEATS];
const seated = Object.entries(SEATS).flatMap(([id, label]) => {
  const found = chosen.find(({ harness }) => harness.id === id);
  return found ? [{ ...found, label }] : [];
});
const executablePath = findChromium();
const everyone = seated.length === Object.keys(SEATS).length && executablePath !== undefined;

type Waiting = Session & { state: "waiting" };

it.runIf(everyone)(
  "four harnesses wait at once: each answer reaches the one it is for, from a shell and from the page, and once",
  async () => {
    const [head, ...others] = seated;
    const world = await openWorld(head!.harness, { program: head!.program, hooked: false });
    expect((await world.moths("config", "answers", "on")).code).toBe(0);
    const people = new Map(
      await Promise.all(
        [head!, ...others].map(async ({ harness, program, label }) => {
          const { endBackground } = harness;
          const background = harness.answers?.inBackground ?? false;
          if (background && endBackground) onTestFinished(() => endBackground(world.home));
          const cwd = join(world.home, "work", label);
          const tui = await (await world.join(harness, program, cwd)).open({ mode: "ask", background });
          return [label, { harness, cwd, tui }] as const;
        }),
      ),
    );
    const made = (label: Label): boolean => existsSync(join(people.get(label)!.cwd, `${label}.txt`));
    for (const [label, { harness, tui }] of people) {
      const script =
        label === "fern" ? harness.question.script("Which colour?", ["Red", "Blue"]) : harness.permission.script(`${label}.txt`);
      await tui.submit(`${script}[[reply: From ${label}.]]`);
    }
    const waiting = (await world.moth.roster("four sessions that can be answered", (all) => {
      return all.length === people.size && all.every((one) => one.state === "waiting" && one.wait.answerable);
    })) as Waiting[];
    const of = (label: Label): Waiting => waiting.find((one) => one.label === label)!;
    for (const label of ["lamp", "moss", "reed"] as const) {
      expect(of(label).wait).toMatchObject({ kind: "permission", text: expect.stringContaining(`${label}.txt`) as string });
    }
    expect(of("fern").wait).toMatchObject({ kind: "question", options: ["Red", "Blue"] });

    const says = people.get("reed")!.harness.answers!.says!;
    const lamp = ["answer", "lamp", "allow", "--wait", of("lamp").wait.id];
    expect(await world.moths(...lamp)).toMatchObject({ stderr: "", stdout: "lamp has your answer.\n", code: 0 });
    expect(await world.moths("answer", "reed", says.deny, "--wait", of("reed").wait.id)).toMatchObject({ code: 0 });
    expect((await world.moths(...lamp)).code).toBe(1);

    // Chromium's sandbox refuses to work for root.
    const browser = await chromium.launch({ executablePath: executablePath!, chromiumSandbox: process.getuid?.() !== 0 });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto((await world.moths("open", "--print")).stdout.trim());
    const ask = (label: Label) => page.getByRole("article", { name: new RegExp(`· ${label} asks`) });
    await ask("fern").getByRole("button", { name: "Blue" }).click();
    await ask("moss").getByRole("button", { name: "Deny it" }).click();

    const marks = Object.fromEntries(waiting.map(({ label, session }) => [label, session]));
    for (const label of ["lamp", "fern", "reed"] as const) await card(world, `From ${label}.`, { session: marks[label]!, label });
    await world.moth.roster("that nobody waits or works", (all) => all.every((one) => one.state === "idle"));
    expect((["lamp", "moss", "fern", "reed"] as const).filter(made)).toEqual(["lamp"]);
    const answers = world.moth.events.flatMap((one) => (one.kind === "answer" ? `${one.label}: ${one.choice} (${one.by})` : []));
    expect(answers.toSorted()).toEqual(
      ["fern: Blue (page)", "lamp: allow (cli)", "moss: deny (page)", `reed: ${says.deny} (cli)`].toSorted(),
    );
    expect(await ask("fern").count()).toBe(0);

    // Off again: what is asked now is neither told nor answered.
    expect((await world.moths("config", "answers", "off")).code).toBe(0);
    const last = world.moth.events.at(-1)?.id ?? -1;
    const { harness, tui } = people.get("lamp")!;
    await tui.submit(`${harness.permission.script("never.txt")}[[reply: Never said.]]`);
    const silent = await state(world, { session: marks["lamp"]!, state: "waiting", after: last });
    expect(silent.wait).toMatchObject({ kind: "permission", answerable: false });
    expect(JSON.stringify(silent)).not.toContain("never.txt");
    expect((await world.moths("answer", "lamp", "allow", "--yes")).code).toBe(1);
    expect(existsSync(join(people.get("lamp")!.cwd, "never.txt"))).toBe(false);
  },
);
