import type { ArgDef, ArgsDef } from "citty";
import { Failure } from "./errors.ts";
import { operandWords } from "./shell-word.ts";
import { suggest } from "./suggest.ts";

/** What a command takes. */
interface Takes {
  args: ArgsDef;
  maxOperands: number;
  /** How it is called; empty for moth alone. */
  name?: string | undefined;
  /** Its last operand is the person's own words, which want quotes. */
  endsInWords?: boolean;
}

/**
 * Behind a `--` stand operands, as many as the command takes, whatever they look like; behind those, flags again: nothing else could.
 * Refuses what citty would let pass: unknown flags, flags without their value, values nobody asked for, operands too many.
 * @returns the same with every operand behind a `--`: a negative number is one, and citty would take it for a flag
 */
export function checkArgs(rawArgs: readonly string[], { args, maxOperands, name = "", endsInWords = false }: Takes): string[] {
  const help = `See moth ${name === "" ? "" : `${name} `}--help`;
  const flags: string[] = [];
  const operands: string[] = [];
  let isPlain = false;
  for (let i = 0; i < rawArgs.length; i++) {
    const arg = rawArgs[i] ?? "";
    if (isPlain && operands.length < maxOperands) {
      operands.push(arg);
      continue;
    }
    if (arg === "--" && !isPlain) {
      isPlain = true;
      continue;
    }
    if (!arg.startsWith("-") || arg === "-" || arg === "--" || /^-\.?\d/.test(arg)) {
      operands.push(arg);
      continue;
    }
    const [flag, value] = splitFlag(arg);
    const def = findFlag(flag, args);
    if (!def) throw unknownFlag(flag, args, help);
    if (def.type === "boolean") {
      if (value !== undefined) throw new Failure("USAGE", `${flag} takes no value`, `Write just ${flag}`);
      flags.push(arg);
      continue;
    }
    if (value === undefined) i++;
    const given = value ?? rawArgs[i];
    if (given === undefined || given === "" || (value === undefined && /^--?[a-z]/i.test(given))) {
      throw new Failure("USAGE", `${flag} needs a value`, `Write ${flag} ${hint(def)}`);
    }
    flags.push(...(value === undefined ? [arg, given] : [arg]));
  }
  if (operands.length > maxOperands) {
    if (endsInWords) {
      const words = operands.slice(maxOperands - 1).join(" ");
      const typed = operandWords(...operands.slice(0, maxOperands - 1), words);
      throw new Failure("USAGE", "the text is several words", `Put it in quotes: moth ${name} ${typed}`);
    }
    throw new Failure("USAGE", `do not know what to do with "${operands[maxOperands]}"`, help);
  }
  return [...flags, "--", ...operands];
}

/** Whether `--help` or `-h` is asked for. */
export function wantsHelp(rawArgs: readonly string[]): boolean {
  const end = rawArgs.indexOf("--");
  return (end < 0 ? rawArgs : rawArgs.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
}

/** What a flag's value stands for: `N`, `DIR`. */
export function hint(def: ArgDef): string {
  return def.valueHint ?? "VALUE";
}

/** All spellings of a flag: `--detach`, `-d`. */
export function spellings(name: string, def: ArgDef): string[] {
  const alias = "alias" in def ? (def.alias ?? []) : [];
  return [`--${name}`, ...(typeof alias === "string" ? [alias] : alias).map((short) => `-${short}`)];
}

function splitFlag(arg: string): [string, string | undefined] {
  const equals = arg.indexOf("=");
  return equals < 0 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

function findFlag(flag: string, args: ArgsDef): ArgDef | undefined {
  return Object.entries(args).find(([name, def]) => spellings(name, def).includes(flag))?.[1];
}

function unknownFlag(flag: string, args: ArgsDef, help: string): Failure {
  const known = Object.keys(args).map((name) => `--${name}`);
  const near = suggest(flag, [...known, "--help"]);
  return new Failure("USAGE", `unknown flag ${flag}`, near ? `Did you mean ${near}?` : help);
}
