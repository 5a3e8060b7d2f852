import { hint, spellings } from "./args.ts";
import type { Command } from "./command.ts";
import { COMMANDS, isCommand } from "./commands/index.ts";
import { runnable } from "./runnable.ts";
import type { Style } from "./style.ts";
import { renderPairs } from "./table.ts";
import { wrap } from "./width.ts";

const EXIT_CODES = "Exit codes: 0 ok, 1 failure, 2 wrong usage, 3 moth is not running.";

/** `moth --help`. */
export function mainHelp(self: string, columns: number | undefined, style: Style): string[] {
  const commands = Object.entries(COMMANDS).filter(([name]) => isCommand(name));
  return [
    `${style.lamp("moth")} tells you what your coding agents are up to: who is done, who failed, who waits for you.`,
    "",
    `  ${self} <command> [options]`,
    ...renderPairs([[self, COMMANDS.home.summary] as const], columns),
    "",
    ...renderPairs(
      commands.map(([name, { summary }]) => [name, summary] as const),
      columns,
    ),
    "",
    ...renderPairs(
      [["--help, -h", `also of one command: ${self} up --help`] as const, ["--version, -v", "this version"] as const],
      columns,
    ),
    "",
    style.dim(EXIT_CODES),
  ].flatMap((line) => fold(line, columns));
}

/** `moth <command> --help`. */
export function commandHelp(
  about: { name: string; summary: string; command: Command },
  self: string,
  columns: number | undefined,
  style: Style,
): string[] {
  const { name, summary, command } = about;
  const flags = Object.entries(command.args)
    .filter(([, def]) => def.type !== "positional")
    .map(([flag, def]) => {
      const value = def.type === "boolean" ? "" : ` ${hint(def)}`;
      return [`${spellings(flag, def).join(", ")}${value}`, runnable(def.description ?? "", self)] as const;
    });
  const operands = command.operands ? ` ${command.operands}` : "";
  return [
    `${style.lamp(`moth ${name}`)}: ${summary}`,
    "",
    `  ${self} ${name}${operands}${flags.length > 0 ? " [options]" : ""}`,
    "",
    ...renderPairs([...flags, ["--help, -h", "this help"] as const], columns),
    ...(command.notes.length > 0 ? ["", ...command.notes.map((note) => runnable(note, self))] : []),
    "",
    style.dim(EXIT_CODES),
  ].flatMap((line) => fold(line, columns));
}

function fold(line: string, columns: number | undefined): string[] {
  // Lines that are laid out already keep their layout.
  return columns === undefined || line.startsWith(" ") ? [line] : wrap(line, columns);
}
