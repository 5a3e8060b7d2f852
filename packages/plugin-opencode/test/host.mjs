// Stands in for the harness: loads the built plugin as a harness would, gives it events, ends it, and writes down how that went.
import { call, end, pass, task, thrower } from "../../core/test/host-kit.mjs";

const { plugin, events, infos, hostile } = task;
const module = await import(plugin);
const client = {
  session: {
    get: ({ path }) => (infos[path.id] ? Promise.resolve({ data: infos[path.id] }) : Promise.reject(new Error("not found"))),
    // The newest message, as far as its tool is concerned.
    message: () =>
      Promise.resolve({
        data: { parts: [{ callID: "c-1", state: { status: "running", input: { command: "touch made.txt" } } }] },
      }),
  },
  _client: { post: () => Promise.resolve({ data: true }) },
};
const hooks = await module.default({ client, directory: "/home/me/code/elsewhere", worktree: "/", project: {} });
const foreign = [undefined, null, 1, "x", [], {}, { event: null }, { event: thrower }, { event: { type: thrower } }];

for (const one of hostile ? foreign : []) await call(hooks.event, one);
for (const event of events) await (event.type ? call(hooks.event, { event }) : pass(event));
await end(() => hooks.dispose(), { exports: Object.keys(module), hooks: Object.keys(hooks) });
