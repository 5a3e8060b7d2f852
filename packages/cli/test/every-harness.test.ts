/** `moth hook --all` and its way back, in a home where every harness is installed. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { harnesses } from "@moth-companion/harnesses";
import { expect, test } from "vitest";
import { checkCasesInTurn } from "../../harnesses/test/generate/dice.ts";
import { snapshot } from "../../harnesses/test/whole-home.ts";
import { wholeWorld } from "./support/whole-world.ts";

const ALL = harnesses.map(({ id }) => id);

interface Report {
  harness: string;
  applied: boolean;
  error?: string;
}

const reports = (out: string): Report[] => JSON.parse(out) as Report[];

test(
  "every harness is found; --dry-run writes nothing; in, twice at once, and out, twice at once: every byte and mode is as before",
  { timeout: 120_000 },
  async () => {
    await checkCasesInTurn(1, async (dice, note) => {
      const world = await wholeWorld(dice);
      const before = snapshot(world.home);
      note(JSON.stringify(before, null, 1));

      const dry = await world.moth(["hook", "--all", "--dry-run", "--json"]);
      expect(
        reports(dry.out)
          .map(({ harness }) => harness)
          .toSorted(),
      ).toEqual(ALL.toSorted());
      expect(snapshot(world.home, true)).toEqual(before);

      const ins = await Promise.all([1, 2].map(() => world.moth(["hook", "--all", "--yes", "--json"])));
      for (const { out, code, err } of ins) {
        const left = reports(out).filter(({ error }) => error !== undefined);
        expect(reports(out)).toHaveLength(ALL.length);
        expect({ code, told: left.every(({ error }) => err.includes(error ?? "?")) }).toEqual({
          code: left.length > 0 ? 1 : 0,
          told: true,
        });
      }
      const again = await world.moth(["hook", "--all", "--yes"]);
      expect(again.out).not.toContain("is hooked into");

      const outs = await Promise.all([1, 2].map(() => world.moth(["unhook", "--all", "--yes"])));
      expect(outs).toMatchObject([
        { code: 0, err: "" },
        { code: 0, err: "" },
      ]);
      expect(snapshot(world.home)).toEqual(before);
    });
  },
);

test(
  "with --all, a file that moth must leave alone keeps it out of that harness only; of named ones, out of all",
  { timeout: 120_000 },
  async () => {
    await checkCasesInTurn(1, async (dice) => {
      const world = await wholeWorld(dice);
      const dry = await world.moth(["hook", "--all", "--dry-run", "--json"]);
      const file =
        reports(dry.out)
          .flatMap((report) => (report as unknown as { changes: { file: string; does: string }[] }).changes)
          .find(({ does, file }) => does !== "remove" && file.endsWith("settings.json"))?.file ?? "";
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "{ broken");
      const before = snapshot(world.home, true);
      const named = await world.moth(["hook", ...ALL, "--yes"]);
      expect(named).toMatchObject({ code: 1, out: "", err: expect.stringContaining(`${file}:1:3 is not JSON`) as string });
      expect(snapshot(world.home, true)).toEqual(before);

      const all = await world.moth(["hook", "--all", "--yes", "--json"]);
      expect(all).toMatchObject({
        code: 1,
        err: expect.stringMatching(/is not JSON[^]*\n {6}.* is left as it is\.\n$/) as string,
      });
      const done = reports(all.out);
      expect(done.filter(({ applied }) => applied).length).toBeGreaterThan(ALL.length / 2);
      expect(done.find(({ error }) => error?.includes(file))).toMatchObject({ applied: false });
      expect(readFileSync(file, "utf8")).toBe("{ broken");
      expect(await world.moth(["unhook", "--all", "--yes"])).toMatchObject({ code: 0 });
    });
  },
);

test("--all --project leaves out, without a fuss, what has no settings of a project's", { timeout: 120_000 }, async () => {
  await checkCasesInTurn(1, async (dice) => {
    const world = await wholeWorld(dice);
    mkdirSync(join(world.home, "work"));
    const before = snapshot(world.home);
    const done = await world.moth(["hook", "--all", "--project", "work", "--yes", "--json"]);
    expect(done.code).toBe(0);
    const files = (JSON.parse(done.out) as { changes: { file: string }[] }[]).flatMap(({ changes }) =>
      changes.map(({ file }) => file),
    );
    expect(files.filter((file) => file.startsWith(join(world.home, "work"))).length).toBeGreaterThan(ALL.length / 2);
    expect(await world.moth(["unhook", "--all", "--yes"])).toMatchObject({ code: 0 });
    expect(snapshot(world.home)).toEqual(before);
  });
});
