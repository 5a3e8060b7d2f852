import { expect, test } from "vitest";
import { checkCasesInTurn } from "../../harnesses/test/generate/dice.ts";
import { COMMANDS, isCommand } from "../src/commands/index.ts";
import { wholeWorld } from "./support/whole-world.ts";

const NPX = { npm_command: "exec" };
const NAMES = Object.keys(COMMANDS).filter(isCommand);
/** A command by a name that would not be found: `npx moth` was called from elsewhere, so all say the whole path. */
const BARE = new RegExp(`(?<![\\w/."])moth (?:${NAMES.join("|")})\\b.*|npx moth.*`, "g");

test("called through npx, every command that is printed can be typed as it stands", { timeout: 120_000 }, async () => {
  await checkCasesInTurn(1, async (dice) => {
    const world = await wholeWorld(dice);
    const said: Record<string, string[]> = {};
    const run = async (...args: string[]): Promise<void> => {
      const { out, err } = await world.moth(args, NPX);
      said[args.join(" ")] = `${out}${err}`.replaceAll(/^moth \w+: .*$/gm, "").match(BARE) ?? [];
    };
    for (const name of NAMES) await run(name, "--help");
    for (const word of [
      "setup",
      "ps",
      "next",
      "status",
      "notify",
      "tail --history x",
      "mute --for x",
      "up --port x",
      "nowhere",
      "moth",
    ])
      await run(...word.split(" "));
    await run("hook", "--all", "--dry-run");
    for (const harness of ["codex", "hermes", "dsh"]) await run("hook", harness, "--dry-run");
    await run("hook", "--all", "--yes");
    await run("notify", "on");
    await run("up", "-d");
    said["GET /"] = (await (await fetch(world.url)).text()).match(BARE) ?? [];
    await run("stop");
    await world.up();
    for (const word of [
      "setup --yes",
      "hooks",
      "hooks --json",
      "doctor",
      "doctor --json",
      "config port 5050",
      "notify",
      "notify test",
    ])
      await run(...word.split(" "));
    await run("hook", "--all", "--yes", "--json");
    await run("unhook", "--all", "--yes");
    await run();
    expect(Object.entries(said).filter(([, bare]) => bare.length > 0)).toEqual([]);
  });
});
