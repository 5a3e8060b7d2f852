import { type Command, command } from "../command.ts";
import { renderCompletion, SHELLS } from "../completion/shells.ts";
import { completionWords } from "../completion/words.ts";
import { EXIT, Failure } from "../errors.ts";

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
    io.stdout.write(renderCompletion(shell, await completionWords()));
    return EXIT.ok;
  },
});
