// Stands in for dsh: loads the built plugin as dsh would, gives it events, and writes down how that went. Run as a process of its own,
// so that what it prints, throws and leaves running shows.
import { readFileSync, writeFileSync } from "node:fs";

const { plugin, events, result, hostile = false, broken = false } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const module = await import(plugin);
const thrower = new Proxy(
  {},
  {
    get: () => {
      throw new Error("nobody may look");
    },
  },
);

const listeners = new Map();
const disposers = [];
const context = {
  on(event, listener) {
    if (broken) throw new Error("no such event here");
    listeners.set(event, [...(listeners.get(event) ?? []), listener]);
  },
  effect: (start) => disposers.push(start()),
};
let thrown = 0;
let returned = module.apply(context, {}) === undefined ? 0 : 1;
const took = [];
function emit(event, ...args) {
  for (const listener of listeners.get(event) ?? []) {
    const began = performance.now();
    try {
      if (listener(...args) !== undefined) returned++;
    } catch {
      thrown++;
    }
    took.push(performance.now() - began);
  }
}

if (hostile) {
  const odd = [undefined, null, 1, "x", [], {}, thrower, { id: 1, header: 2 }, { id: "session-odd", header: thrower }];
  for (const one of odd)
    for (const other of [...odd, { type: "turn/end" }, { type: "assistant/message", data: thrower }])
      for (const event of listeners.keys()) emit(event, one, other);
}
for (const { on, session, event, wait } of events) {
  if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
  else emit(on, session, event);
}
const began = performance.now();
await Promise.all(disposers.map((dispose) => dispose()));
const sorted = took.toSorted((a, b) => a - b);
const facts = {
  exports: Object.keys(module),
  hooks: [...listeners.keys()],
  returned,
  thrown,
  shutdown: performance.now() - began,
  median: sorted[sorted.length >> 1] ?? 0,
  pid: process.pid,
};
writeFileSync(result, JSON.stringify(facts));
