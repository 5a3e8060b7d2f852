/** For harnesses that give a hook's command to a shell: program and arguments as one line, and back. */
import type { HookCommand } from "./launcher.ts";

export type Shell = "posix" | "powershell" | "cmd";

/**
 * The line by which a shell runs a program as it is named, and nothing around it. In a POSIX shell the program takes the shell's place,
 * so that its parent is the harness.
 */
export function shellLine(program: HookCommand, shell: Shell): string {
  return [...(PREFIX[shell] ? [PREFIX[shell]] : []), plainLine(program, shell)].join(" ");
}

/** The same in words that a program without a shell may part at blanks as well, as long as there are none in the paths. */
export function plainLine({ command, args }: HookCommand, shell: Shell): string {
  return [command, ...args].map((word) => quote(word, shell)).join(" ");
}

/** The program and arguments of a line as {@link shellLine} writes it, or as a person might have mended it. */
export function readShellLine(line: unknown): HookCommand | undefined {
  if (typeof line !== "string") return undefined;
  const words = [...line.matchAll(WORD)].map(([word]) => unquote(word));
  const [command, ...args] = words[0] === "exec" || words[0] === "&" ? words.slice(1) : words;
  return command === undefined ? undefined : { command, args };
}

/** A word of a command for the person to copy. */
export function shellWord(word: string): string {
  return quote(word, process.platform === "win32" ? "powershell" : "posix");
}

const PREFIX: Readonly<Record<Shell, string>> = { posix: "exec", powershell: "&", cmd: "" };

const WORD = /(?:'(?:[^']|'')*'|"[^"]*"|\\'|[^\s'"])+/g;

function quote(word: string, shell: Shell): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (shell === "cmd") return `"${word}"`;
  return `'${word.replaceAll("'", shell === "powershell" ? "''" : `'\\''`)}'`;
}

function unquote(word: string): string {
  return word.replace(/'((?:[^']|'')*)'|"([^"]*)"|\\'/g, (whole, single?: string, double?: string) =>
    whole === "\\'" ? "'" : (single?.replaceAll("''", "'") ?? double ?? ""),
  );
}
