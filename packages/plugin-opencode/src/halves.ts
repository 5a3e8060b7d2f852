/**
 * The two halves of moth in one terminal: the plugin beside the agent, in a worker, and the one that draws in the window. The one that
 * draws says that it is there, so that the other need not show the same line in a toast.
 */
import { BroadcastChannel } from "node:worker_threads";

/** Of this process alone. */
const CHANNEL = "moth.window";

/** Says that the half in the window is there. @returns says that it is gone */
export function announceWindow(): () => void {
  const channel = open((said) => said === "who" && channel.say("here"));
  channel.say("here");
  return () => {
    channel.say("gone");
    channel.close();
  };
}

export interface OtherHalf {
  isThere(): boolean;
  close(): void;
}

/** Learns whether a half in the window is there. */
export function findWindow(): OtherHalf {
  let there = false;
  const channel = open((said) => {
    if (said === "here" || said === "gone") there = said === "here";
  });
  channel.say("who");
  return { isThere: () => there, close: () => channel.close() };
}

interface Channel {
  say(what: "who" | "here" | "gone"): void;
  close(): void;
}

function open(hear: (said: unknown) => void): Channel {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- Node 20's types know no other way
  channel.onmessage = (event: unknown) => hear((event as { data?: unknown }).data);
  // It must not keep the harness from ending.
  channel.unref();
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel takes none
    say: (what) => channel.postMessage(what),
    close: () => channel.close(),
  };
}
