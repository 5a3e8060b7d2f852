// Stands in for dsh: loads the built plugin as dsh would, gives it events, ends it, and writes down how that went.
import { call, end, pass, task, thrower } from "../../core/test/host-kit.mjs";

const { plugin, events, hostile, broken, page } = task;
const module = await import(plugin);
const listeners = new Map();
const disposers = [];
const seats = new Set();
/** Something of dsh's web server, until it is given back. */
function seat(what) {
  seats.add(what);
  return () => seats.delete(what);
}
/** dsh's stream of events, with one dialog that is open. */
async function* stream(_request, signal) {
  const leave = seat("stream");
  try {
    yield { rpcId: "r-1", payload: { type: "approval/requested", sessionId: "session-1", approvalId: "a-1" } };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  } finally {
    leave();
  }
}
const context = {
  on(event, listener) {
    if (broken) throw new Error("no such event here");
    listeners.set(event, [...(listeners.get(event) ?? []), listener]);
  },
  effect: (start) => disposers.push(start()),
  inject(services, begin) {
    const there = {
      webServer: { register: ({ path }) => seat(path), tapIndex: () => seat("index") },
      commands: { register: ({ name }) => seat(`/${name}`) },
      apiProxy: { events: { mux: stream } },
    };
    if (page && services.every((service) => service in there)) begin({ ...context, ...there });
  },
};
await call(() => module.apply(context, {}));

async function emit(event, ...args) {
  for (const listener of listeners.get(event) ?? []) await call(listener, ...args);
}

if (hostile) {
  const odd = [undefined, null, 1, "x", [], {}, thrower, { id: 1, header: 2 }, { id: "session-odd", header: thrower }];
  for (const one of odd)
    for (const other of [...odd, { type: "turn/end" }, { type: "assistant/message", data: thrower }])
      for (const event of listeners.keys()) await emit(event, one, other);
}
for (const given of events) await (given.on ? emit(given.on, given.session, given.event) : pass(given));
const taken = [...seats];
await end(() => Promise.all(disposers.map((dispose) => dispose())), {
  taken,
  get left() {
    return [...seats];
  },
  exports: Object.keys(module),
  hooks: [...listeners.keys()],
});
