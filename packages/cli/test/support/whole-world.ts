import { join } from "node:path";
import type { Dice } from "../../../harnesses/test/generate/dice.ts";
import { installPrograms, makeWholeHome, writeSettings } from "../../../harnesses/test/whole-home.ts";
import { createWorld, type World } from "./world.ts";

/** A world in which every harness is installed, with settings of its own. */
export async function wholeWorld(dice: Dice): Promise<World> {
  const [world, home] = await Promise.all([createWorld(), makeWholeHome()]);
  const files = home.settings.map((file) => join(world.home, file.slice(home.path.length + 1)));
  home.remove();
  world.env["PATH"] = `${installPrograms(world.home)}:/usr/bin:/bin`;
  writeSettings(dice, world.home, files);
  return world;
}
