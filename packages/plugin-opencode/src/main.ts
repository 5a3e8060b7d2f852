/**
 * moth's server plugin for OpenCode and Kilo. Seen on OpenCode 1.18.33 and Kilo 7.7.7; `docs/harness/opencode.md` tells what was seen.
 *
 * The plugin function is the only export: OpenCode calls every exported function as a plugin, and one that is none breaks every prompt.
 */
import { isMainThread } from "node:worker_threads";
import { createOutbox } from "@moth-companion/core/outbox";
import { createSessionOrders } from "@moth-companion/core/session-orders";
import type { Hooks, Plugin } from "@opencode-ai/plugin";
import { createAnswering } from "./answering.ts";
import { openDoor } from "./door.ts";
import { readEvent, readInfo } from "./event.ts";
import { findWindow } from "./halves.ts";
import { createListener } from "./listener.ts";
import { sourceOf } from "./source.ts";
import { createToast } from "./toast.ts";

/** Milliseconds that moth's line stands. */
const TOAST_MS = 8000;

const moth: Plugin = ({ client, directory }) => {
  const outbox = createOutbox();
  const source = sourceOf(process.env, process.pid);
  // In a terminal the plugin runs in a worker beside the screen; a server with many windows, and a run without one, in the main thread.
  const oneWindow = !isMainThread;
  const window = oneWindow ? findWindow() : undefined;
  const toast =
    window &&
    createToast({
      source,
      isDrawn: () => window.isThere(),
      show: (message) => client.tui.showToast({ body: { title: "moth", message, variant: "info", duration: TOAST_MS } }),
    });
  const door = openDoor(client);
  const listener = createListener({
    source,
    pid: process.pid,
    folder: directory,
    oneWindow,
    reports: {
      ...outbox,
      turn(report) {
        const now = Date.now();
        outbox.turn(report);
        if (report.session !== undefined) toast?.turned(report.session, now);
      },
    },
    lookUp: async (id) => readInfo((await client.session.get({ path: { id } })).data),
    asked: createAnswering(source, door),
    // A run without a window ends with its turn. A prompt that comes in the middle of one joins it, so none is given then.
    orders: door && oneWindow ? createSessionOrders(source, door) : undefined,
  });
  const hooks: Hooks = {
    // What is thrown here would end the turn, and a rejection would be printed.
    event(input) {
      try {
        const heard = readEvent(input.event);
        if (heard?.what === "busy" || heard?.what === "idle") toast?.[heard.what]();
        if (heard) listener.hear(heard);
      } catch {
        // moth misses an event; the agent must not.
      }
      return Promise.resolve();
    },
    // Awaited by the harness, without a limit of its own; the outbox has one.
    async dispose() {
      try {
        window?.close();
        toast?.close();
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
