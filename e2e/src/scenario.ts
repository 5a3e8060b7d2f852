import { describe, it } from "vitest";
import { installCli } from "./clis.ts";
import type { HarnessDriver } from "./driver.ts";
import { drivers } from "./drivers/index.ts";
import { openWorld, type World, type WorldOptions } from "./world.ts";

/** Opens the world a case plays in. */
export type OpenWorld = (options?: Omit<WorldOptions, "program">) => Promise<World>;

/**
 * A column of the matrix: cases written once and run on every chosen harness that has something of the kind.
 * @param name the scenario file's name without `.test.ts`
 * @param lacks for what few harnesses have: why one has it not
 */
export function scenario(
  name: string,
  cases: (harness: HarnessDriver, open: OpenWorld) => void,
  lacks: (harness: HarnessDriver) => string | undefined = () => undefined,
): void {
  for (const { harness, program } of chosen) {
    const missing = harness.notApplicable[name] ?? lacks(harness);
    // oxlint-disable-next-line vitest/valid-title -- one block per harness
    describe(harness.id, () => {
      // oxlint-disable-next-line vitest/no-disabled-tests, vitest/no-conditional-tests -- a cell that is n/a stays visible
      if (missing !== undefined) it.skip(`n/a: ${missing}`, () => {});
      else cases(harness, (options = {}) => openWorld(harness, { ...options, program }));
    });
  }
}

/** The harnesses named in `MOTH_E2E_HARNESSES`, or all; those that cannot be installed here are told of by the run's summary. */
const names = process.env["MOTH_E2E_HARNESSES"]?.split(",");
export const chosen: { harness: HarnessDriver; program: string }[] = [];
for (const harness of drivers) {
  if (names && !names.includes(harness.id)) continue;
  const cli = await installCli(harness);
  if (cli.ok) chosen.push({ harness, program: cli.program });
}
