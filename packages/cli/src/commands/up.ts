import { type Command, command } from "../command.ts";
import { Failure } from "../errors.ts";
import { requireAddress } from "../client.ts";
import { type Io, warn } from "../io.ts";
import { readSettings, type SettingKey, SETTINGS, type Settings, type SettingValue } from "../settings.ts";
import { startDetached } from "../up/detached.ts";
import { otherMoths, tellOthers } from "../up/others.ts";
import { reachedAt } from "../up/running.ts";
import { runForeground } from "../up/foreground.ts";

const FLAGS = {
  port: "port",
  host: "host",
  "react-every": "react_every",
  "quiet-after": "quiet_after",
  "batch-window": "batch_window",
} as const satisfies Record<string, SettingKey>;

export const up: Command = command({
  args: {
    detach: { type: "boolean", alias: "d", description: "run in the background; moth stop ends it" },
    port: { type: "string", valueHint: "N", description: "listen on this port (4747)" },
    host: { type: "string", valueHint: "HOST", description: "listen on this interface (127.0.0.1)" },
    "react-every": { type: "string", valueHint: "SECONDS", description: "at most one reaction in this time (120)" },
    "quiet-after": { type: "string", valueHint: "SECONDS", description: "hold reactions after you spoke to moth (60)" },
    "batch-window": { type: "string", valueHint: "SECONDS", description: "wait for other sessions to finish too (4)" },
  },
  notes: [
    "Without the flags moth config holds. Urgent turns (failures, apologies, very long replies) pass --react-every.",
    "--batch-window 0: no waiting. --react-every 0 --quiet-after 0: a reaction to every turn at once.",
  ],
  async run(args, io) {
    const flags: Partial<Record<SettingKey, SettingValue>> = {};
    for (const [flag, key] of Object.entries(FLAGS)) {
      const given = args[flag];
      if (typeof given === "string") flags[key] = flagValue(flag, key, given);
    }
    // Says so when MOTH_URL is none, unless flags make up for it.
    if (flags["port"] === undefined || flags["host"] === undefined) requireAddress(io.env);
    const settings = readSettings(io.env, flags);
    warnOf(settings, io);
    for (const line of tellOthers(await otherMoths(io.env, reachedAt(settings)), io.env)) warn(io, `moth: ${line}`);
    return args.detach ? startDetached(settings, io) : runForeground(settings, io);
  },
});

function flagValue(flag: string, key: SettingKey, given: string): SettingValue {
  const value = SETTINGS[key].parse(given);
  if (value !== undefined) return value;
  throw new Failure(
    "USAGE",
    `--${flag} is "${given}", which is not ${SETTINGS[key].expects}`,
    `For example: moth up --${flag} ${SETTINGS[key].default}`,
  );
}

function warnOf(settings: Settings, io: Io): void {
  for (const problem of settings.problems)
    warn(io, `moth: ${problem}.`, "      moth goes on without it. See what holds: moth config");
  const { host, voice } = settings.values;
  if (voice === "openai" && !settings.values["voice.url"])
    warn(
      io,
      "moth: voice is openai, but there is no voice.url, so the built-in voice speaks.",
      "      Give one: moth config voice.url http://127.0.0.1:11434",
    );
  if (!/^(127\.|::1$|localhost$)/.test(host)) {
    warn(
      io,
      `moth: listening on ${host} lets other machines reach moth. Without the token they read only moth's own lines,`,
      "      but the token and every reply travel unencrypted.",
    );
  }
}
