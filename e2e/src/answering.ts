/** A session that the person answers through moth. */
import type { StateEvent } from "@moth-companion/core/protocol";
import { onTestFinished } from "vitest";
import type { HarnessDriver } from "./driver.ts";
import type { OpenWorld } from "./scenario.ts";
import type { Tui, World } from "./world.ts";

/** Opens a world with answers on, and a harness in a terminal in the way in which it can be answered. */
export async function openAnswerable(
  harness: HarnessDriver,
  open: OpenWorld,
  mode: "ask" | "plan" = "ask",
): Promise<{ world: World; tui: Tui }> {
  const world = await open({ answers: true });
  const background = harness.answers?.inBackground ?? false;
  const { endBackground } = harness;
  if (background && endBackground) onTestFinished(() => endBackground(world.home));
  return { world, tui: await world.open({ mode, background }) };
}

/** Waits until moth can answer what a session waits for. */
export async function answerable(
  world: Pick<World, "moth">,
  after: number = -1,
): Promise<StateEvent & { wait: NonNullable<StateEvent["wait"]> }> {
  const event = await world.moth.event(
    "a wait that can be answered",
    (one) => one.kind === "state" && one.id > after && one.wait?.answerable === true,
  );
  return event as StateEvent & { wait: NonNullable<StateEvent["wait"]> };
}
