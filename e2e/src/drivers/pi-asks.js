// An extension for the suite. Pi asks nobody anything by itself: this lets it ask before it runs a command (with --ask), and gives the
// model a tool to ask a question with.
export default function asks(pi) {
  pi.registerFlag("ask", { type: "boolean", default: false, description: "Ask before a command runs" });
  pi.on("tool_call", async (event, ctx) => {
    if (event.toolName !== "bash" || !ctx.hasUI || !pi.getFlag("ask")) return undefined;
    const choice = await ctx.ui.select(`May it run this command? ${event.input.command}`, ["Yes", "No, go on without it"]);
    if (choice === undefined) ctx.abort();
    return choice === "Yes" ? undefined : { block: true, reason: "The person said no." };
  });
  pi.registerTool({
    name: "ask_person",
    label: "Ask the person",
    description: "Asks the person a question",
    parameters: {
      type: "object",
      properties: { question: { type: "string" }, options: { type: "array", items: { type: "string" } } },
      required: ["question", "options"],
    },
    async execute(_id, { question, options }, _signal, _onUpdate, ctx) {
      const choice = await ctx.ui.select(`The model asks: ${question}`, options);
      if (choice === undefined) ctx.abort();
      return { content: [{ type: "text", text: choice ?? "No answer" }], details: {} };
    },
  });
}
