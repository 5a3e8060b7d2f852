/**
 * moth in the window of OpenCode and Kilo: its line below the prompt, and `/moth`, which opens a field to talk to it. Seen on OpenCode
 * 1.18.33 and Kilo 7.7.7; `docs/harness/opencode.md` tells what was seen.
 */
import { createElement, insert, setProp } from "@opentui/solid";
import { createSignal } from "solid-js";
import { readEvent } from "../event.ts";
import { announceWindow } from "../halves.ts";
import { sourceOf } from "../source.ts";
import { createDisplay, NOWHERE } from "./display.ts";
import type { Host, Module } from "./host.ts";

/** Milliseconds that a reply stands where it does not stay. */
const NOTICE_MS = 12_000;

function open(host: Host): void {
  const [version, setVersion] = createSignal(0);
  const display = createDisplay({
    source: sourceOf(process.env, process.pid),
    changed: () => setVersion((before) => before + 1),
    notice: (message, variant) => host.ui.toast({ title: "moth", message, variant, duration: NOTICE_MS }),
  });

  host.event.on("session.status", (event) => {
    try {
      const heard = readEvent(event);
      // A subagent speaks to its parent, and moth hears nothing of it.
      if (!heard || host.state.session.get(heard.session)?.parentID !== undefined) return;
      if (heard.what === "busy") display.busy(heard.session);
      else if (heard.what === "idle") display.idle(heard.session);
    } catch {
      // moth misses a line; the harness must not.
    }
  });

  host.slots.register({
    slots: {
      app_bottom() {
        const text = createElement("text");
        setProp(text, "fg", host.theme.current.textMuted);
        setProp(text, "wrapMode", "word");
        const lines = (): readonly string[] => (version(), display.lines(openSession(host)));
        insert(text, () => lines().join("\n"));
        const box = createElement("box");
        setProp(box, "flexShrink", 0);
        setProp(box, "paddingLeft", 2);
        setProp(box, "paddingRight", 2);
        insert(box, () => (lines().length > 0 ? text : undefined));
        return box;
      },
    },
  });

  host.keymap.registerLayer({
    commands: [
      {
        name: "moth.talk",
        title: "Talk to moth",
        category: "moth",
        namespace: "palette",
        slashName: "moth",
        run: () => ask(host, (words) => display.say(words, openSession(host))),
      },
    ],
    bindings: [],
  });

  const leave = announceWindow();
  host.lifecycle.onDispose(() => {
    leave();
    display.close();
  });
}

/** The field. What is typed in it goes to moth; what is typed behind the command in the composer would go to the agent. */
function ask(host: Host, say: (words: string) => void): void {
  host.ui.dialog.replace(() =>
    host.ui.DialogPrompt({
      title: "Talk to moth",
      description() {
        const text = createElement("text");
        setProp(text, "fg", host.theme.current.textMuted);
        setProp(text, "wrapMode", "word");
        insert(text, "Only moth reads this. What stands behind /moth instead goes to the agent.");
        return text;
      },
      placeholder: "who waits for me?",
      onConfirm(words) {
        host.ui.dialog.clear();
        say(words);
      },
    }),
  );
}

function openSession({ route }: Host): string {
  const { name, params } = route.current;
  return name === "session" && typeof params?.sessionID === "string" ? params.sessionID : NOWHERE;
}

const moth: Module = {
  id: "moth",
  tui(host) {
    try {
      open(host);
    } catch {
      // Another version of the harness may give other things; it starts all the same.
    }
    return Promise.resolve();
  },
};

export default moth;
