// Stands in for the harness: loads the built plugin as a harness would, gives it events, ends it, and writes down how that went.
// Run as a process of its own, so that what it prints, throws and leaves running shows.
import { readFileSync, writeFileSync } from "node:fs";

const { plugin, events, result, infos = {}, hostile = false, between } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const module = await import(plugin);
const client = {
  session: {
    get: ({ path }) => (infos[path.id] ? Promise.resolve({ data: infos[path.id] }) : Promise.reject(new Error("not found"))),
  },
};
const hooks = await module.default({ client, directory: "/home/me/code/elsewhere", worktree: "/", project: {} });
const thrower = new Proxy(
  {},
  {
    get: () => {
      throw new Error("nobody may look");
    },
  },
);
const foreign = hostile
  ? [undefined, null, 1, "x", [], {}, { event: null }, { event: thrower }, { event: { type: thrower } }]
  : [];

let rejected = 0;
const took = [];
const inputs = [...foreign, ...events.map((event) => ({ event }))];
for (const [at, input] of inputs.entries()) {
  // In the middle, a file is written anew.
  if (between && at === inputs.length >> 1) writeFileSync(between.file, between.text);
  const began = performance.now();
  let promise;
  try {
    promise = hooks.event(input);
  } finally {
    took.push(performance.now() - began);
  }
  await promise?.catch?.(() => rejected++);
}
const disposing = performance.now();
await hooks.dispose();
const disposed = performance.now() - disposing;
const sorted = took.toSorted((a, b) => a - b);
writeFileSync(
  result,
  JSON.stringify({
    exports: Object.keys(module),
    hooks: Object.keys(hooks),
    rejected,
    disposed,
    median: sorted[sorted.length >> 1],
  }),
);
