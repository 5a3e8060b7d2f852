import { realpathSync } from "node:fs";
import { probe } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { confirm } from "../installer/confirm.ts";
import { type Io, print, printJson, say } from "../io.ts";
import { binFile, commandName, version } from "../self.ts";
import { installedBy } from "../update/installed-by.ts";
import { checkoutOffer, type Offer, publishedOffer } from "../update/newest.ts";
import { must, outputOf, typed } from "../update/program.ts";
import { type Way, wayOf } from "../update/ways.ts";

export const update: Command = command({
  args: {
    check: { type: "boolean", description: "only tell whether there is a newer one" },
    yes: { type: "boolean", alias: "y", description: "do not ask" },
    json: { type: "boolean", description: "with --check: print what was found as JSON" },
  },
  notes: [
    "Asks the registry that npm is set to (a checkout: the branch it follows). moth asks nobody by itself.",
    `Exit codes of --check: 0 this is the newest, ${EXIT.newer} there is a newer one, 1 it cannot be told.`,
  ],
  async run(args, io) {
    if (args.json && !args.check) throw new Failure("USAGE", "--json goes with --check", "Write moth update --check --json");
    const installed = installedBy(binFile(), calledBy());
    const isCheckout = installed.way === "checkout";
    const current = version();
    const offer = await (isCheckout ? checkoutOffer(installed.root, io.env) : publishedOffer(current, io.env));
    if (args.json) printJson(io, { version: current, newest: offer.newest, newer: offer.newer, installedBy: installed.way });
    else print(io, tell(current, offer, isCheckout));
    if (!offer.newer) return EXIT.ok;
    if (args.check) {
      if (!args.json) say(io, "To have it: moth update");
      return EXIT.newer;
    }
    const after = await carryOut(await wayOf(installed, offer.newest, io.env), args.yes ?? false, io);
    if (after === undefined) return EXIT.failure;
    // A checkout may have the same number as before.
    if (!isCheckout && after !== offer.newest)
      throw new Failure(
        "FAILED",
        `moth is ${after} all the same`,
        "What stands above may tell why; else update it as you installed it",
      );
    print(io, `moth is ${after}.`);
    const running = await probe(io.env);
    if (running.found === "moth")
      say(io, `The one that runs is still ${running.health.version}, until you start it anew: moth stop, then moth up -d`);
    say(io, "Hooks of before go on telling; moth hooks says which are to be renewed.");
    return EXIT.ok;
  },
});

/** @returns the version afterwards; undefined: the person said no */
async function carryOut(way: Way, yes: boolean, io: Io): Promise<string | undefined> {
  if ("told" in way) throw new Failure("FAILED", `${way.why}, so it is not updated from here`, `Do it yourself: ${way.told}`);
  print(io, `This runs, in ${way.cwd}:`, ...way.steps.map((step) => `  ${typed(step)}`));
  const about = { what: "changes this installation", next: `To have it done: ${commandName(io.env)} update --yes` };
  if (!yes && !(await confirm("Update moth?", about, io))) {
    print(io, "Nothing was changed.");
    return undefined;
  }
  const bin = calledBy() ?? binFile();
  const where = { cwd: way.cwd, env: io.env };
  for (const step of way.steps) await must(step, where);
  return (await outputOf([process.execPath, bin, "--version"], where)).out.trim();
}

function tell(current: string, { newest, newer }: Offer, isCheckout: boolean): string {
  if (!newer) return `moth ${current} is the newest.`;
  return isCheckout ? `moth ${current} is not the newest: ${newest}.` : `moth ${newest} is out; this is ${current}.`;
}

/** The path this program was started by: what a package manager put there leads to a newer one afterwards. */
function calledBy(): string | undefined {
  const [, called] = process.argv;
  try {
    return called !== undefined && realpathSync(called) === realpathSync(binFile()) ? called : undefined;
  } catch {
    return undefined;
  }
}
