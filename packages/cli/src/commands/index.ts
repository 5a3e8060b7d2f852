import type { Command } from "../command.ts";

interface Entry {
  /** One line, for help and shell completion. */
  summary: string;
  /** Reads the command's file only when it is called: `moth ps` must not pay for the server. */
  load: () => Promise<Command>;
}

export type CommandName =
  | "home"
  | "setup"
  | "up"
  | "stop"
  | "status"
  | "open"
  | "tail"
  | "ps"
  | "next"
  | "answer"
  | "say"
  | "abort"
  | "start"
  | "resume"
  | "fork"
  | "wait"
  | "last"
  | "notify"
  | "mute"
  | "unmute"
  | "hooks"
  | "hook"
  | "unhook"
  | "config"
  | "autostart"
  | "forget"
  | "doctor"
  | "update"
  | "completion";

/** Every command, in the order help shows them. `home` is `moth` alone. */
export const COMMANDS: Readonly<Record<CommandName, Entry>> = {
  home: { summary: "what moth is doing, and the next step", load: async () => (await import("./home.ts")).home },
  setup: {
    summary: "the first run: hook moth into what is here, and start it",
    load: async () => (await import("./setup.ts")).setup,
  },
  up: { summary: "start moth (here, or in the background with -d)", load: async () => (await import("./up.ts")).up },
  stop: { summary: "stop moth", load: async () => (await import("./stop.ts")).stop },
  status: { summary: "is it running, where, since when", load: async () => (await import("./status.ts")).status },
  open: { summary: "moth's page in your browser", load: async () => (await import("./open.ts")).open },
  tail: { summary: "follow what agents say and moth's lines; talk to moth", load: async () => (await import("./tail.ts")).tail },
  ps: { summary: "every session: working, waiting or idle", load: async () => (await import("./ps.ts")).ps },
  next: { summary: "which session wants you most", load: async () => (await import("./next.ts")).next },
  answer: {
    summary: "answer what a session asks you, from here",
    load: async () => (await import("./answer.ts")).answer,
  },
  say: { summary: "send a session your next message, from here", load: async () => (await import("./say.ts")).say },
  abort: { summary: "end the turn that a session runs", load: async () => (await import("./abort.ts")).abort },
  start: { summary: "start a harness in this terminal, with a prompt", load: async () => (await import("./start.ts")).start },
  resume: {
    summary: "take a session up again in this terminal",
    load: async () => (await import("./resume.ts")).resume,
  },
  fork: {
    summary: "go on with a copy of a session, in this terminal",
    load: async () => (await import("./fork.ts")).fork,
  },
  wait: { summary: "wait for a session, in a script", load: async () => (await import("./wait.ts")).wait },
  last: { summary: "the last reply of a session", load: async () => (await import("./last.ts")).last },
  notify: { summary: "tell you when a session waits, fails or finishes", load: async () => (await import("./notify.ts")).notify },
  mute: { summary: "be silent about a session, or about all, for a time", load: async () => (await import("./mute.ts")).mute },
  unmute: { summary: "tell again", load: async () => (await import("./unmute.ts")).unmute },
  hooks: { summary: "the harnesses here, and how moth's hooks are doing", load: async () => (await import("./hooks.ts")).hooks },
  hook: { summary: "hook moth into a harness", load: async () => (await import("./hook.ts")).hook },
  unhook: { summary: "take moth out of a harness again", load: async () => (await import("./unhook.ts")).unhook },
  config: { summary: "show or change a setting", load: async () => (await import("./config.ts")).config },
  autostart: {
    summary: "have moth started at each login, or no longer",
    load: async () => (await import("./autostart.ts")).autostart,
  },
  forget: { summary: "wipe what moth remembers", load: async () => (await import("./forget.ts")).forget },
  doctor: { summary: "look for what goes wrong in practice", load: async () => (await import("./doctor.ts")).doctor },
  update: { summary: "whether there is a newer moth, and have it", load: async () => (await import("./update.ts")).update },
  completion: {
    summary: "print a completion script for your shell",
    load: async () => (await import("./completion.ts")).completion,
  },
};

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word) && word !== "home";
}
