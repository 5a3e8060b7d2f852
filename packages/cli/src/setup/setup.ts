/** The guided first run: hook moth into what is here, and start it. */
import { findHarness, type Harness } from "@moth-companion/harnesses";
import { busy, probe, requireAddress } from "../client.ts";
import { EXIT, Failure } from "../errors.ts";
import { type HookReport, installOptions, isByPlugin, reportHooks } from "../hook-report.ts";
import { confirm } from "../installer/confirm.ts";
import { closeOwnFolder } from "../installer/own-folder.ts";
import { carryOut, planEach, warnOfLeft } from "../installer/plans.ts";
import { columnsOf, type Io, print, styleOf } from "../io.ts";
import { isSick, troubleOf } from "../next-step.ts";
import { commandName } from "../self.ts";
import { readSettings } from "../settings.ts";
import { renderPairs } from "../table.ts";
import { startDetached } from "../up/detached.ts";
import { portTaken, reachedAt, urlOf } from "../up/running.ts";
import { wrap } from "../width.ts";
import { renderSetup } from "./setup-view.ts";

/**
 * Finds the harnesses, shows what will be done, asks once, hooks moth in, and starts it in the background.
 * @throws Failure USAGE when nobody can answer
 */
export async function setUp({ yes }: { yes: boolean }, io: Io): Promise<number> {
  const self = commandName(io.env);
  requireAddress(io.env);
  const settings = readSettings(io.env, {});
  // Not beside the look at the harnesses, which starts a program for each: an answer would be taken in late.
  const server = await probe(io.env, reachedAt(settings));
  if (server.found === "other") throw portTaken(server, settings);
  if (server.found === "busy") throw busy(server.url);
  const reports = await reportHooks(io.env);
  const here = reports.filter(({ found }) => found);
  if (here.length === 0)
    throw new Failure(
      "FAILED",
      "no harness was found on this machine",
      `moth knows: ${reports.map(({ name }) => name).join(", ")}`,
    );
  const found = here
    .filter((report) => !isByPlugin(report))
    .map(({ id }) => findHarness(id))
    .filter((harness): harness is Harness => harness !== undefined);
  const options = installOptions(io.env);
  const { plans, left } = await planEach(found, "hook", () => options, true);
  const open = plans.filter(({ plan }) => plan.changes.length > 0);
  const running = server.found === "moth";
  const ways = waysToLook(self, columnsOf(io));
  if (open.length === 0 && running) {
    await closeOwnFolder(io);
    warnOfLeft(left, io);
    print(io, "moth is set up already: it runs, and is hooked in.", ...ways, ...whatIsLeft(reports, self, columnsOf(io)));
    return left.length > 0 ? EXIT.failure : EXIT.ok;
  }
  const start = running ? undefined : urlOf(settings);
  print(io, ...renderSetup(plans, { reports, start, self, env: io.env, style: styleOf(io), columns: columnsOf(io) }));
  warnOfLeft(left, io);
  if (!yes) {
    print(io, "");
    const about = { what: "changes files and starts moth", next: `To have it done: ${self} setup --yes` };
    if (!(await confirm("Set moth up?", about, io))) {
      print(io, "Nothing was changed.");
      return EXIT.failure;
    }
  }
  print(io, "");
  await closeOwnFolder(io);
  const applied = await carryOut(open, { shown: "one", json: false, tolerant: true }, io);
  warnOfLeft(applied.left, io);
  await startDetached(settings, io, ways);
  // Anew: what was hooked in just now may wait for something, and its note is far above.
  print(io, ...whatIsLeft(await reportHooks(io.env), self, columnsOf(io)));
  return left.length + applied.left.length > 0 ? EXIT.failure : EXIT.ok;
}

function waysToLook(self: string, columns: number | undefined): string[] {
  const ways = [
    [`${self} tail`, "what your agents say, as it comes, and moth's own lines"],
    [`${self} open`, "the same in your browser"],
    [`${self} ps`, "who needs you, who works, who is idle"],
    [`${self} hooks`, "whether each of them is heard"],
  ] as const;
  return ["", "How to look:", ...renderPairs(ways, columns)];
}

/** What keeps moth from hearing a harness it is hooked into, such as one that wants to be told to trust it. */
function whatIsLeft(reports: readonly HookReport[], self: string, columns: number | undefined): string[] {
  const troubles = reports.filter(isSick).map((report) => troubleOf(report, self));
  if (troubles.length === 0) return [];
  return ["", "Still to do:", ...troubles.flatMap((text) => (columns === undefined ? [text] : wrap(text, columns)))];
}
