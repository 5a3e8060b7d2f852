import { type Command, command } from "../command.ts";
import { renderCompletion, SHELLS } from "../completion/shells.ts";
import { completionWords } from "../completion/words.ts";
import { EXIT, Failure } from "../errors.ts";
import { runnable } from "../runnable.ts";
import { commandName } from "../self.ts";

export const completion: Command = command({
  operands: `<${SHELLS.join("|")}>`,
  maxOperands: 1,
  args: {},
  notes: ["The script says in its first lines where to put it."],
  operandChoices: async () => SHELLS,
  async run(args, io) {
    const shell = SHELLS.find((one) => one === args._[0]);
    if (!shell)
      throw new Failure("USAGE", `which shell? One of: ${SHELLS.join(", ")}`, "For example: source <(moth completion bash)");
    const self = commandName(io.env);
    const script = renderCompletion(shell, await completionWords(), self === "moth" ? undefined : self);
    // Its comments are moth's own words; its code completes the bare name.
    io.stdout.write(script.replace(/^#.*$/gm, (line) => runnable(line, self)));
    return EXIT.ok;
  },
});
