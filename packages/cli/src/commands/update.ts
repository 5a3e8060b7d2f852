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
    const current = version();
    const offer = await (installed.way === "checkout" ? checkoutOffer(installed.root, io.env) : publishedOffer(current, io.env));
    const way = offer.newer || args.json ? await wayOf(installed, io.env) : undefined;
    const by = way === undefined ? "" : "steps" in way ? way.steps.map(typed).join(" && ") : way.told;
    if (args.json) printJson(io, { version: current, newest: offer.newest, newer: offer.newer, way: installed.way, by });
    else print(io, ...tell(current, offer));
    if (args.check) {
      if (offer.newer && !args.json) say(io, "To have it: moth update");
      return offer.newer ? EXIT.newer : EXIT.ok;
    }
    return way === undefined ? EXIT.ok : await carryOut(way, args.yes ?? false, io);
  },
});

async function carryOut(way: Way, yes: boolean, io: Io): Promise<number> {
  if ("told" in way) throw new Failure("FAILED", `${way.why}, so it is not updated from here`, `Do it yourself: ${way.told}`);
  print(io, `This runs, in ${way.cwd}:`, ...way.steps.map((step) => `  ${typed(step)}`));
  const about = { what: "changes this installation", next: `To have it done: ${commandName(io.env)} update --yes` };
  if (!yes && !(await confirm("Update moth?", about, io))) {
    print(io, "Nothing was changed.");
    return EXIT.failure;
  }
  const bin = calledBy() ?? binFile();
  for (const step of way.steps) await must(step, { cwd: way.cwd, env: io.env });
  const { out } = await outputOf([process.execPath, bin, "--version"], { cwd: way.cwd, env: io.env });
  print(io, `moth is ${out.trim() || "updated"}.`);
  const running = await probe(io.env);
  if (running.found === "moth")
    say(io, `The moth that runs is still ${running.health.version}, until you start it anew: moth stop, then moth up -d`);
  say(io, "Hooks of before go on telling; moth hooks says which are to be renewed.");
  return EXIT.ok;
}

function tell(current: string, { newest, newer }: Offer): string[] {
  if (newer) return [`moth ${newest.includes(" ") ? `${current}: ${newest}` : `${newest} is out; this is ${current}`}.`];
  return [`moth ${current} is the newest.`];
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
