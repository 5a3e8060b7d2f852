import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configFile, mothHome, tokenFile } from "@moth-companion/core/paths";
import { expect, it } from "vitest";
import {
  card,
  course,
  expectNothingReachedTheModel,
  expectPlain,
  heard,
  onlySession,
  opened,
  state,
} from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import type { World } from "../src/world.ts";

scenario("one-shot", (harness, open) => {
  it("a reply reaches moth exactly once, and the run looks as it would without moth", async () => {
    const world = await open();
    const run = await world.oneShot("A private prompt. [[reply: All **done** here.]]");
    expectPlain(harness, run, "All **done** here.");

    const session = onlySession(world);
    const heardCard = await card(world, "All **done** here.", { session });
    expect(heardCard).toMatchObject({ source: harness.id, outcome: "done", class: "done" });
    await state(world, { session, state: "gone" });
    expect(await heard(world)).toEqual(["All **done** here."]);
    expect(course(world, session)).toEqual([...opened(harness), "working", "idle:done", "gone"]);

    const log = JSON.stringify(await world.moth.log());
    expect(log).not.toContain("private prompt");
    expect(log).not.toContain(world.home);
    expectNothingReachedTheModel(world, readFileSync(tokenFile(world.env), "utf8").trim());
  });

  it("of a turn with a tool, only the final reply is heard, and no wait shows", async () => {
    const world = await open();
    const run = await world.oneShot(`[[reply: Let me look.]]${harness.harmless}[[reply: It is harmless.]]`);
    expectPlain(harness, run, "Let me look.", "It is harmless.");
    const session = onlySession(world);
    await state(world, { session, state: "gone" });
    expect(await heard(world)).toEqual(["It is harmless."]);
    expect(course(world, session)).toEqual([...opened(harness), "working", "idle:done", "gone"]);
    if (CONTENT_OFF.has(harness.id)) await withoutContent(world);
  });
});

/** Some of each way of sending; what holds of the others is seen in `e2e/contract`. */
const CONTENT_OFF = new Set(["claude-code", "opencode", "hermes"]);

/** One more turn, with content off: its reply is heard as its length, and stands nowhere in what moth has. */
async function withoutContent(world: World): Promise<void> {
  mkdirSync(mothHome(world.env), { recursive: true });
  const file = configFile(world.env);
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
  writeFileSync(file, JSON.stringify({ ...before, content: "off" }));
  const reply = "A DECOY of a reply.";
  const run = await world.oneShot(`A DECOY of a prompt. [[reply: ${reply}]]`);
  expect(run.code).toBe(0);
  const told = await world.moth.event("a reply's length", (event) => event.kind === "card" && event.chars === reply.length);
  expect(told).toMatchObject({ text: "", outcome: "done" });
  await world.moth.event("its end", (one) => one.kind === "state" && one.state === "gone" && one.id > told.id);
  expect(JSON.stringify([await world.moth.log(), world.moth.events, await world.moth.sessions()])).not.toContain("DECOY");
  expect(world.moth.output()).not.toContain("DECOY");
  const files = readdirSync(mothHome(world.env), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(files).not.toEqual([]);
  for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name), "latin1")).not.toContain("DECOY");
}
