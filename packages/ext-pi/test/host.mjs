// Stands in for the harness: loads the built extension as a harness would, gives it events, and writes down how that went. Run as a
// process of its own, so that what it prints, throws and leaves running shows.
import { readFileSync, writeFileSync } from "node:fs";

const { extension, omp, events, result, hostile = false } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const module = await import(extension);
const thrower = new Proxy(
  {},
  {
    get: () => {
      throw new Error("nobody may look");
    },
  },
);

/** Both harnesses call the extension for each agent. */
const agents = new Map();
function agent(number) {
  const known = agents.get(number);
  if (known) return known;
  const made = { handlers: new Map(), tools: [] };
  agents.set(number, made);
  const api = {
    on: (event, handler) => made.handlers.set(event, [...(made.handlers.get(event) ?? []), handler]),
    getActiveTools: () => made.tools,
    ...(omp && { pi: module }),
  };
  made.returned = module.default(api);
  return made;
}

let returned = 0;
let rejected = 0;
let shutdown = 0;
const took = [];
async function emit(number, event, payload, context) {
  for (const handler of agent(number).handlers.get(event) ?? []) {
    const began = performance.now();
    try {
      if ((await handler(payload, context)) !== undefined) returned++;
    } catch {
      rejected++;
    }
    if (event === "session_shutdown") shutdown = Math.max(shutdown, performance.now() - began);
    else took.push(performance.now() - began);
  }
}

if (hostile) {
  for (const event of agent(1).handlers.keys()) {
    for (const one of [undefined, null, 1, "x", [], {}, thrower]) {
      await emit(1, event, one, one);
      await emit(1, event, one, { sessionManager: { getSessionId: () => "s-0" }, hasUI: true });
    }
  }
}
for (const { agent: number, event, payload, context } of events) {
  const { session, cwd, hasUI, jobs, tools } = context;
  if (tools) agent(number).tools = tools;
  const sessionManager = { getSessionId: () => session };
  await emit(number, event, payload, { sessionManager, cwd, hasUI, getAsyncJobSnapshot: () => jobs ?? null });
}
const sorted = took.toSorted((a, b) => a - b);
const facts = {
  exports: Object.keys(module),
  hooks: [...agent(1).handlers.keys()],
  factory: agent(1).returned ?? null,
  returned,
  rejected,
  shutdown,
  median: sorted[sorted.length >> 1],
  mark: process.env.MOTH_AGENT_PID ?? null,
  pid: process.pid,
};
writeFileSync(result, JSON.stringify(facts));
