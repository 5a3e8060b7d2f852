/** What a session says while content is off. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configFile, mothHome } from "@moth-companion/core/paths";
import type { MothEvent } from "@moth-companion/core/protocol";
import { expect } from "vitest";
import type { HarnessDriver } from "./driver.ts";
import type { Tui, World } from "./world.ts";

const REPLY = "A DECOY of a reply.";

interface Turn {
  world: World;
  tui: Tui;
  session: string;
  /** How the harness shows a reply. */
  shown: HarnessDriver["shown"];
}

/**
 * One more turn of a session, with content off: its reply is heard as its length. What was heard before is forgotten meanwhile, and ids
 * begin anew.
 */
export async function turnWithoutContent({ world, tui, session, shown }: Turn): Promise<void> {
  const file = configFile(world.env);
  mkdirSync(mothHome(world.env), { recursive: true });
  const settings = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
  writeFileSync(file, JSON.stringify({ ...settings, content: "off" }));
  const before = world.moth.events.length;
  const isNew = (event: MothEvent): boolean => world.moth.events.indexOf(event) >= before;
  await tui.submit(`A DECOY of a prompt. [[reply: ${REPLY}]]`);
  const told = await world.moth.event("a reply without its words", (event) => event.kind === "card" && isNew(event));
  expect(told).toMatchObject({ session, text: "", chars: REPLY.length, outcome: "done" });
  await world.moth.event("its end", (event) => event.kind === "state" && event.state === "idle" && isNew(event));
  // Some hear of a turn's end before the harness is through with it: a window that is closed now would have it interrupted.
  await tui.waitForText(shown(REPLY));
}

/** To be called when the session is gone: whatever there was to say of the turn has been said. */
export async function expectNoContent(world: World): Promise<void> {
  expect(JSON.stringify([await world.moth.log(), world.moth.events, await world.moth.sessions()])).not.toContain("DECOY");
  expect(world.moth.output()).not.toContain("DECOY");
  const files = readdirSync(mothHome(world.env), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(files).not.toEqual([]);
  for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name), "latin1")).not.toContain("DECOY");
}
