import type { WaitKind } from "@moth-companion/core/protocol";
import type { Answering } from "./answering.ts";
import { readDialog } from "./asks.ts";
import { readSaid } from "./door.ts";
import { field, text } from "@moth-companion/core/fields";
import { type Host, listen, listenForPrompts } from "./host.ts";
import type { Listener } from "./listener.ts";

/** Tools of Pi's own: a dialog while one of them is about to run asks whether it may (Pi 1.6.0). */
const OWN_TOOLS = new Set(["bash", "edit", "find", "grep", "ls", "read", "write"]);

/** Hears Pi (1.6.0). It says itself when a turn is over, retries and queued prompts included. */
export function hearPi(host: Host, listener: Listener, answering: Answering, now: number = Date.now()): void {
  const tools = new Map<string, { name: string; dialogs: number }>();
  let dialogs = 0;
  let dialog = "";

  listen(host, "agent_start", (_event, place) => listener.began(place));
  listenForPrompts(host, (place) => listener.prompted(place));
  listen(host, "turn_end", (event, place) => {
    const said = readSaid(field(event, "message"));
    if (said) listener.said(place, said);
  });
  listen(host, "agent_settled", (event, place) => {
    tools.clear();
    answering.settled();
    listener.settled(place, field(event, "aborted") === true ? "interrupted" : undefined);
  });

  // Pi asks nothing by itself; extensions do, and the dialog does not say on whose behalf.
  listen(host, "tool_execution_start", (event) => {
    const id = text(event, "toolCallId");
    if (id !== undefined) tools.set(id, { name: text(event, "toolName") ?? "", dialogs: 0 });
  });
  listen(host, "tool_execution_end", (event) => void tools.delete(text(event, "toolCallId") ?? ""));
  listen(host, "ui_prompt_start", (event, place) => {
    // Calls of one answer begin one after the other, each with the dialogs about it.
    const [id, call] = [...tools].at(-1) ?? [];
    // A late answer to one must not reach another, also when the session goes on in another process.
    if (id === undefined || !call) dialog = `dialog-${now.toString(36)}-${++dialogs}`;
    else dialog = ++call.dialogs === 1 ? id : `${id}-${call.dialogs}`;
    const shown = text(event, "kind");
    const kind = kindOf(shown, call?.name);
    const wait = { id: dialog, kind, ...(call?.name && { tool: call.name }) };
    answering.asked(place, wait, readDialog(shown, text(event, "title"), kind));
  });
  listen(host, "ui_prompt_end", (_event, place) => answering.answered(place, dialog));
}

function kindOf(dialog: string | undefined, tool: string | undefined): WaitKind {
  return dialog === "confirm" || (tool !== undefined && OWN_TOOLS.has(tool)) ? "permission" : "question";
}
