/** Between the question and the answer: moth is started anew, and killed, and then the harness is killed. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { answerable, openAnswerable } from "../src/answering.ts";
import { type Moth, startMoth } from "../src/moth.ts";
import { chosen } from "../src/scenario.ts";
import { until } from "../src/wait.ts";
import { openWorld, type World } from "../src/world.ts";

/** One whose hook waits, and one that lives in its harness's process. */
const rosterOf = ({ home, mothUrl }: World): string => join(home, ".moth", "run", `${new URL(mothUrl).port}.roster.json`);
const RACERS = chosen.filter(({ harness }) => ["claude-code", "opencode"].includes(harness.id));

it.each(RACERS)(
  "$harness.id: a moth that was started anew hears of the wait again, and answers it; a killed harness's wait takes no answer",
  async ({ harness, program }) => {
    const { permission } = harness;
    const { world, tui } = await openAnswerable(harness, (options) => openWorld(harness, { program, ...options }));
    await tui.submit(`${permission.script("made.txt")}[[then]]${permission.script("never.txt")}[[reply: Both made.]]`);
    const first = await answerable(world);
    await world.moth.stop();
    const start = (): Promise<Moth> => startMoth({ cwd: world.home, env: world.env, port: Number(new URL(world.mothUrl).port) });
    let moth = await start();
    onTestFinished(() => moth.stop());
    const waits = (wait: string): object[] => [{ session: first.session, state: "waiting", wait: { id: wait } }];
    expect(await moth.sessions()).toMatchObject(waits(first.wait.id));
    const again = await answerable({ moth });
    expect(again).toMatchObject({ session: first.session, wait: { id: first.wait.id, text: first.wait.text } });
    const { source, session } = again;
    const yes = { source, session, choice: "allow", by: "cli" };
    expect(await moth.answer({ ...yes, wait: again.wait.id })).toEqual({ ok: true });

    const second = await answerable({ moth }, again.id + 1);
    expect(existsSync(join(world.project, "made.txt"))).toBe(true);
    expect(second.wait.text).toContain("never.txt");

    await until("the wait to be written", () => readFileSync(rosterOf(world), "utf8").includes(second.wait.id) || undefined);
    process.kill(moth.pid, "SIGKILL");
    await moth.stop();
    moth = await start();
    expect(await moth.sessions()).toMatchObject(waits(second.wait.id));
    await answerable({ moth });
    expect(await moth.sessions()).toMatchObject(waits(second.wait.id));
    tui.kill();
    await tui.ended();
    const late = await moth.answer({ ...yes, wait: second.wait.id });
    expect(late).toMatchObject({ error: { code: expect.stringMatching(/STALE|NOT_TAKEN/) as string } });
    await moth.roster("that it is gone", ([only]) => only?.state === "gone");
    expect(await moth.answer({ ...yes, wait: second.wait.id })).toMatchObject({ error: { code: "STALE" } });
    expect(existsSync(join(world.project, "never.txt"))).toBe(false);
  },
);
