// Stands in for the harness: loads the built extension as a harness would, gives it events, and writes down how that went.
import { call, end, pass, task, thrower } from "../../core/test/host-kit.mjs";

const { extension, omp, events, hostile } = task;
const module = await import(extension);

/** Both harnesses call the extension for each agent. */
const agents = new Map();
const commands = [];
/** What stood above the editor, in turn. */
const drawn = [];
const ui = { setWidget: (_key, lines) => drawn.push(lines ?? []) };
function agent(number) {
  const known = agents.get(number);
  if (known) return known;
  const made = { handlers: new Map(), tools: [] };
  agents.set(number, made);
  const api = {
    on: (event, handler) => made.handlers.set(event, [...(made.handlers.get(event) ?? []), handler]),
    getActiveTools: () => made.tools,
    getCommands: () => commands.map((name) => ({ name })),
    registerCommand: (name) => commands.push(name),
    ...(omp && { pi: module }),
  };
  made.returned = module.default(api);
  return made;
}

/** What awaits the end of a session is not counted among the calls. */
const ends = [];
async function give(number, event, ...args) {
  for (const handler of agent(number).handlers.get(event) ?? []) {
    if (event !== "session_shutdown") await call(handler, ...args);
    else {
      const began = performance.now();
      await handler(...args);
      ends.push(performance.now() - began);
    }
  }
}

if (hostile) {
  for (const event of agent(1).handlers.keys()) {
    for (const one of [undefined, null, 1, "x", [], {}, thrower]) {
      await give(1, event, one, one);
      await give(1, event, one, { sessionManager: { getSessionId: () => "s-0" }, hasUI: true });
    }
  }
}
for (const given of events) {
  if (!given.event) {
    await pass(given);
    continue;
  }
  const { agent: number, event, payload, context } = given;
  const { session, cwd, hasUI, jobs, tools } = context;
  if (tools) agent(number).tools = tools;
  const sessionManager = { getSessionId: () => session };
  const mode = hasUI ? "tui" : "print";
  await give(number, event, payload, { sessionManager, cwd, hasUI, mode, ui, getAsyncJobSnapshot: () => jobs ?? null });
}
await end(() => {}, {
  exports: Object.keys(module),
  hooks: [...agent(1).handlers.keys()],
  commands,
  drawn,
  factory: agent(1).returned ?? null,
  mark: process.env.MOTH_AGENT_PID ?? null,
  ...(ends.length > 0 && { shutdown: Math.max(...ends) }),
});
