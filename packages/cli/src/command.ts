import { type ArgsDef, type ParsedArgs, parseArgs } from "citty";
import { checkArgs } from "./args.ts";
import type { Io } from "./io.ts";

/** One command of `moth`, as the dispatcher, the help and the shell completion see it. */
export interface Command {
  /** What stands after the name, as help shows it: `<harness>...`. */
  operands: string;
  /** Most operands it takes. */
  maxOperands: number;
  args: ArgsDef;
  /** Lines below the options: what the person should know. */
  notes: readonly string[];
  /** What an operand can be, for shell completion. */
  operandChoices: () => Promise<readonly string[]>;
  /** Its first operand is a session. */
  takesSession: boolean;
  /** @param name how it was called, for what it says of its command line @returns the exit code */
  run(rawArgs: readonly string[], io: Io, name?: string): Promise<number>;
}

interface Definition<T extends ArgsDef> {
  operands?: string;
  maxOperands?: number;
  /** The last operand is the person's own words, which want quotes. */
  endsInWords?: boolean;
  args: T;
  notes?: readonly string[];
  operandChoices?: () => Promise<readonly string[]>;
  run(args: ParsedArgs<T>, io: Io): Promise<number>;
}

/** Makes a command whose arguments are checked before it runs: an unknown flag never passes in silence. */
export function command<const T extends ArgsDef>(definition: Definition<T>): Command {
  const { operands = "", maxOperands = 0, endsInWords = false, args, notes = [], operandChoices = async () => [] } = definition;
  return {
    operands,
    maxOperands,
    args,
    notes,
    operandChoices,
    takesSession: /^[<[]session/.test(operands),
    async run(rawArgs, io, name) {
      return definition.run(parseArgs<T>(checkArgs(rawArgs, { args, maxOperands, name, endsInWords }), args), io);
    },
  };
}
