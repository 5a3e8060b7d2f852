import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installCli } from "../src/clis.ts";
import { drivers } from "../src/drivers/index.ts";
import { card, heard, onlySession } from "../src/expectations.ts";
import { openWorld, type World } from "../src/world.ts";
import { type Door, doors } from "./doors.ts";
import { shipped, tarball } from "./shipped.ts";
import { unpack } from "./tarballs.ts";

describe.each(doors.map((door) => [door.harness, door] as const))("%s", (_harness, door) => {
  it(`${door.package} is brought in by ${door.by} alone, and a turn is heard`, async () => {
    const { world, program } = await atHome(door);
    const folder = await unpack(tarball(door.package), join(world.home, "downloaded"));
    await door.install({ world, program, folder });
    await world.oneShot("[[reply: By the package.]]");
    await card(world, "By the package.", { session: onlySession(world) });
    expect(await heard(world)).toEqual(["By the package."]);
  });
});

async function atHome(door: Door): Promise<{ world: World; program: string }> {
  const harness = drivers.find(({ id }) => id === door.harness);
  if (!harness) throw new Error(`There is no driver for ${door.harness}.`);
  const cli = await installCli(harness);
  if (!cli.ok) throw new Error(cli.reason);
  const { command, npmrc } = shipped();
  const { program } = cli;
  return { world: await openWorld(harness, { program, hooked: false, command, npmrc }), program };
}
