import { delimiter, join, relative } from "node:path";
import type { Dice } from "../../../harnesses/test/generate/dice.ts";
import { installPrograms, makeWholeHome, type SettingsFile, writeSettings } from "../../../harnesses/test/whole-home.ts";
import { createWorld, installed, type World } from "./world.ts";

/** A world in which every harness is installed, with settings of its own. */
export async function wholeWorld(dice: Dice): Promise<World> {
  const [world, home] = await Promise.all([createWorld(), makeWholeHome()]);
  const moved = ({ file, sample }: SettingsFile): SettingsFile => ({ file: join(world.home, relative(home.path, file)), sample });
  home.remove();
  world.env["PATH"] = [installed(), installPrograms(world.home)].join(delimiter);
  writeSettings(dice, world.home, home.settings.map(moved));
  return world;
}
