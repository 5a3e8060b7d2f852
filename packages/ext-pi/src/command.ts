import { oneLine } from "@moth-companion/core/text";
import type { Display } from "./display.ts";
import { field, list } from "@moth-companion/core/fields";
import type { Host } from "./host.ts";
import { readScreen, type Screen } from "./screen.ts";

/**
 * Brings in `/moth <text>`. Both harnesses run a command before anything becomes a message, also while the agent works, so its text stays
 * out of the conversation (Pi 1.6.0, omp 18.2.3).
 */
export function bringCommand(host: Host, display: Display): void {
  host.registerCommand?.("moth", {
    description: "Say something to moth; the agent does not hear it",
    // It returns at once: the harness takes no prompt while a command runs.
    handler: async (words, context) => {
      try {
        const screen = readScreen(context);
        if (screen) obey(oneLine(words), screen, display);
      } catch {
        // Whatever it is, it is none of the harness's.
      }
    },
  });
}

/** Whether the command is there, from another copy of this file. Can be asked only once a session has started. */
export function hasCommand(host: Host): boolean {
  return list(host.getCommands?.()).some((command) => field(command, "name") === "moth");
}

function obey(words: string, screen: Screen, display: Display): void {
  if (words !== "") return display.say(words, screen);
  const own = display.isOn()
    ? "Its remarks on this session show above the editor; to turn that off: moth config show_in_harness off"
    : "To see its remarks on this session here, too: moth config show_in_harness on";
  screen.notice(`/moth <text> says something to moth. The agent does not hear it, nor moth's answer. ${own}`, "info");
}
