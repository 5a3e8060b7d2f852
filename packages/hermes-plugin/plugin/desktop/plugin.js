// moth's half for Hermes Desktop: moth's line about the session in front, in the status bar, and in the pet's bubble where there is a pet.
// Hermes keeps it off until the person switches it on (Capabilities, Plugins). It reads moth's own lines and nothing else, and tells moth
// and Hermes nothing. Not verified in the app itself: docs/harness/hermes.md says what was.
import { host } from "@hermes/plugin-sdk";
import { useEffect, useState } from "react";
import { jsx } from "react/jsx-runtime";

/** A moth elsewhere than at this address is not found: the app gives a plugin no settings of moth's. */
const MOTH = "http://127.0.0.1:4747";
const EVERY_MS = 2500;
/** The longest a bubble may stay. */
const BUBBLE_MS = 30_000;

/** Follows the session in front: one question at a time, and what was said before the plugin was switched on is not asked for. */
function follow({ pet }) {
  const since = Date.now();
  const listeners = new Set();
  let session;
  let line = "";
  /** Where to read on. */
  let place = "";
  let asking = false;

  function show(text) {
    if (text === line) return;
    line = text;
    for (const listener of listeners) listener(line);
  }

  async function look() {
    // The id under which the agent's half reports the session. Older builds have no such value: then nothing shows.
    const front = host.state?.focusedStoredSessionId?.get?.() || undefined;
    if (front !== session) {
      session = front;
      place = "";
      show("");
    }
    if (front === undefined || asking || document.hidden) return;
    asking = true;
    try {
      const of = `source=hermes&session=${encodeURIComponent(front)}&after=${since}`;
      const answer = await (await fetch(`${MOTH}/api/says?${of}${place}`)).json();
      if (front !== session) return;
      const fresh = place !== "";
      place = `&since=${answer.next}&epoch=${encodeURIComponent(answer.epoch)}`;
      const said = answer.says.at(-1)?.text;
      if (typeof said !== "string") return;
      show(said);
      // Not when the person comes back to a session: that line has had its time.
      if (fresh) pet?.say?.(said, { id: "line", ttlMs: BUBBLE_MS });
    } catch {
      // moth is asleep. What it says when it wakes is new.
      place = "";
      show("");
    } finally {
      asking = false;
    }
  }

  return {
    look,
    get line() {
      return line;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function Line({ moth }) {
  const [line, show] = useState(moth.line);
  useEffect(() => {
    show(moth.line);
    return moth.listen(show);
  }, [moth]);
  if (line === "") return null;
  const style = { maxWidth: "60ch", overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" };
  return jsx("span", { role: "status", title: line, style, children: `moth> ${line}` });
}

export default {
  id: "moth",
  name: "moth",
  description: "Shows moth's line about the session in front. Needs a moth on this machine.",
  defaultEnabled: false,
  register(ctx) {
    const moth = follow(ctx);
    ctx.register({ id: "line", area: "statusBar.right", order: 140, render: () => jsx(Line, { moth }) });
    const timer = setInterval(() => void moth.look(), EVERY_MS);
    ctx.onDispose?.(() => clearInterval(timer));
    void moth.look();
  },
};
