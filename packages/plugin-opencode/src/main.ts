/**
 * moth's server plugin for OpenCode and Kilo. Seen on OpenCode 1.18.33 and Kilo 7.7.7; `docs/harness/opencode.md` tells what was seen.
 *
 * The plugin function is the only export: OpenCode calls every exported function as a plugin, and one that is none breaks every prompt.
 */
import { isMainThread } from "node:worker_threads";
import { createOutbox } from "@moth-companion/core/outbox";
import type { Hooks, Plugin } from "@opencode-ai/plugin";
import { readEvent, readInfo } from "./event.ts";
import { createListener } from "./listener.ts";
import { sourceOf } from "./source.ts";

const moth: Plugin = ({ client, directory }) => {
  const outbox = createOutbox();
  const listener = createListener({
    source: sourceOf(process.env, process.pid),
    pid: process.pid,
    folder: directory,
    // In a terminal the plugin runs in a worker beside the screen; a server with many windows runs it in the main thread.
    oneWindow: !isMainThread,
    reports: outbox,
    lookUp: async (id) => readInfo((await client.session.get({ path: { id } })).data),
  });
  const hooks: Hooks = {
    // What is thrown here would end the turn, and a rejection would be printed.
    event(input) {
      try {
        const heard = readEvent(input.event);
        if (heard) listener.hear(heard);
      } catch {
        // moth misses an event; the agent must not.
      }
      return Promise.resolve();
    },
    // Awaited by the harness, without a limit of its own; the outbox has one.
    async dispose() {
      try {
        listener.close();
        await outbox.flush();
      } catch {
        // The harness ends as it would without moth.
      }
    },
  };
  return Promise.resolve(hooks);
};

export default moth;
