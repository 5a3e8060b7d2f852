import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installCli } from "../src/clis.ts";
import { drivers } from "../src/drivers/index.ts";
import { card, heard, onlySession } from "../src/expectations.ts";
import { openWorld, type World } from "../src/world.ts";
import type { Door } from "./doors.ts";
import { shipped, tarball } from "./shipped.ts";
import { unpack } from "./tarballs.ts";
import { tracesIn } from "./traces.ts";

/** One case for each door: in, heard, out, not heard, and nothing left. */
export function tryEach(doors: readonly Door[]): void {
  describe.each(doors.map((door) => [door.harness, door] as const))("%s", (_harness, door) => {
    it(`${door.package} is brought in by ${door.by} alone, a turn is heard, and taken out it leaves nothing`, async () => {
      const { world, program } = await atHome(door);
      const before = tracesIn(world.home);
      const folder = await unpack(tarball(door.package), join(world.home, "downloaded"));
      const person = { world, program, folder };
      await door.install(person);
      await world.oneShot("[[reply: By the package.]]");
      const session = onlySession(world);
      await card(world, "By the package.", { session });
      expect(await heard(world)).toEqual(["By the package."]);

      await door.undo(person);
      const asked = world.model.requests.length;
      const after = await world.oneShot("[[reply: Unheard.]]");
      expect(after).toMatchObject({ code: 0, stdout: expect.stringContaining("Unheard.") as string });
      expect(world.model.requests.length).toBeGreaterThan(asked);
      expect(await heard(world)).toEqual(["By the package."]);
      expect(new Set(world.moth.states().map((state) => state.session))).toEqual(new Set([session]));
      expect(tracesIn(world.home, door.keeps)).toEqual(before);
    });
  });
}

async function atHome(door: Door): Promise<{ world: World; program: string }> {
  const harness = drivers.find(({ id }) => id === door.harness);
  if (!harness) throw new Error(`There is no driver for ${door.harness}.`);
  const cli = await installCli(harness);
  if (!cli.ok) throw new Error(cli.reason);
  const { command, npmrc } = shipped();
  const { program } = cli;
  return { world: await openWorld(harness, { program, hooked: false, command, npmrc }), program };
}
