import { wantsHelp } from "./args.ts";
import type { Command } from "./command.ts";
import { COMMANDS, type CommandName, isCommand } from "./commands/index.ts";
import { describeBug, describeFailure, EXIT, Failure } from "./errors.ts";
import { commandHelp, mainHelp } from "./help.ts";
import { columnsOf, type Io, print, styleOf, warn } from "./io.ts";
import { commandName, version } from "./self.ts";
import { suggest } from "./suggest.ts";

/** Runs one command line. Never throws. @returns the exit code */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof Failure) {
      warn(io, describeFailure(error));
      return error.exitCode;
    }
    if ((error as NodeJS.ErrnoException).syscall === "uv_cwd") {
      warn(io, describeFailure(new Failure("FILE", "the folder you are in has been removed", "Go to another one: cd")));
      return EXIT.failure;
    }
    // As it is, and past all that may be broken itself.
    io.stderr.write(`${describeBug(error, version())}\n`);
    return EXIT.failure;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined) return (await COMMANDS.home.load()).run([], io);
  if (first === "--version" || first === "-v" || first === "-V") {
    print(io, version());
    return EXIT.ok;
  }
  if (first === "--help" || first === "-h" || first === "help") {
    const about = rest.find((word) => !word.startsWith("-"));
    if (about !== undefined) return showHelp(known(about), io);
    print(io, ...mainHelp(commandName(io.env), columnsOf(io), styleOf(io)));
    return EXIT.ok;
  }
  // `moth --json` is the state, as `moth` alone is.
  if (first.startsWith("-")) return (await COMMANDS.home.load()).run(argv, io);
  const name = known(first);
  if (wantsHelp(rest)) return showHelp(name, io);
  const command: Command = await COMMANDS[name].load();
  return command.run(rest, io, name);
}

function known(word: string): CommandName {
  if (isCommand(word)) return word;
  const names = Object.keys(COMMANDS).filter((name) => name !== "home");
  const near = suggest(word, names);
  throw new Failure("USAGE", `there is no command "${word}"`, near ? `Did you mean moth ${near}?` : "See moth --help");
}

async function showHelp(name: CommandName, io: Io): Promise<number> {
  const { summary, load } = COMMANDS[name];
  print(io, ...commandHelp({ name, summary, command: await load() }, commandName(io.env), columnsOf(io), styleOf(io)));
  return EXIT.ok;
}
