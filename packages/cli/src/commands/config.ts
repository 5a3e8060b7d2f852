import { answersOffBy } from "@moth-companion/core/config";
import type { Env } from "@moth-companion/core/paths";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { columnsOf, print, printJson, say, styleOf, warn } from "../io.ts";
import { formatValue, readSettings, type Setting, SETTING_KEYS, type SettingKey, SETTINGS } from "../settings.ts";
import { writeSetting } from "../settings-file.ts";
import { suggest } from "../suggest.ts";
import { renderTable } from "../table.ts";

export const config: Command = command({
  operands: "[key] [value]",
  maxOperands: 2,
  args: {
    unset: { type: "boolean", description: "back to the default" },
    json: { type: "boolean", description: "print as JSON" },
  },
  notes: SETTING_KEYS.map((key) => `  ${key.padEnd(22)} ${SETTINGS[key].about}`),
  operandChoices: async () => SETTING_KEYS,
  async run(args, io) {
    const [key, value] = args._;
    if (args.unset) {
      if (key === undefined || value !== undefined)
        throw new Failure("USAGE", "--unset needs one setting", "For example: moth config --unset react_every");
      const known = knownKey(key);
      writeSetting(io.env, known, undefined);
      print(io, describe(settingOf(known, io.env)));
      return EXIT.ok;
    }
    if (key === undefined) {
      const { all, problems } = readSettings(io.env);
      for (const problem of problems) warn(io, `moth: ${problem}.`);
      if (args.json) printJson(io, all);
      else print(io, ...renderTable(COLUMNS, all.map(row), columnsOf(io), styleOf(io)));
      return EXIT.ok;
    }
    const known = knownKey(key);
    if (value !== undefined) {
      const parsed = SETTINGS[known].parse(value);
      if (parsed === undefined) throw new Failure("USAGE", `${known} cannot be "${value}": it is ${SETTINGS[known].expects}`);
      if (known === "away" && parsed === true) mustBeAnswerable(io.env);
      writeSetting(io.env, known, parsed);
    }
    const setting = settingOf(known, io.env);
    if (args.json) printJson(io, setting);
    else if (value === undefined) print(io, formatValue(setting.value));
    else {
      print(io, describe(setting));
      say(io, ...afterwards(setting, formatValue(SETTINGS[known].parse(value) ?? ""), io.env));
    }
    return EXIT.ok;
  },
});

/** A value that is cut would be worth nothing. */
const COLUMNS = [{ title: "SETTING" }, { title: "VALUE" }, { title: "FROM", shrinkTo: 8, dispensable: 1 }];

function row(setting: Setting): string[] {
  const from = setting.from === "env" ? (setting.where ?? "") : setting.from === "file" ? (setting.where ?? "") : setting.from;
  return [setting.key, formatValue(setting.value) || "-", from];
}

function describe(setting: Setting): string {
  return `${setting.key} is ${formatValue(setting.value) || "not set"} (${row(setting)[2]})`;
}

/** When what was written comes into force. */
function afterwards(setting: Setting, written: string, env: Env): string[] {
  if (setting.from === "env") return [`${written} is written down, but ${setting.where} beats it as long as it is set.`];
  if (setting.key.startsWith("notify")) return ["A moth that is running takes it up within a second."];
  if (setting.key === "show_in_harness") return ["Harnesses take it up from their next turn."];
  if (setting.key === "answers" && setting.value === true && answersOffBy(env) === "content")
    return ["Nothing is asked or answered through moth while content is off. Turn it on with: moth config content on"];
  if (setting.key === "answers") {
    return setting.value === true
      ? [
          "From the next question on you can answer: moth answer. To send a message: moth say. What agents ask is then shown in moth, and kept in memory alone.",
        ]
      : ["From now on nothing is answered through moth, and what agents ask is not shown."];
  }
  if (setting.key === "away") {
    return setting.value === true
      ? [
          "From the next permission on, a harness that only a hook can answer shows no dialog: it asks through moth, until you answer or say: moth config away off",
          "Whether yours can: moth hooks",
        ]
      : ["What was held is asked in its window again, within a second."];
  }
  if (setting.key === "content") {
    return setting.value === true
      ? ["From the next turn on moth hears what agents write."]
      : [
          "From the next turn on nothing that an agent writes reaches moth, and what it heard before is forgotten. Nothing can be answered through it.",
        ];
  }
  return ["A moth that is running takes it up at its next start: moth stop, then moth up -d"];
}

/** What is held without answers could be answered nowhere. */
function mustBeAnswerable(env: Env): void {
  const off = answersOffBy(env);
  if (off === undefined) return;
  throw new Failure(
    "USAGE",
    `away needs ${off} to be on: what is held is answered through moth`,
    `Turn it on first: moth config ${off} on`,
  );
}

function settingOf(key: SettingKey, env: Env): Setting {
  const setting = readSettings(env).all.find((one) => one.key === key);
  return setting ?? { key, value: SETTINGS[key].default, from: "default" };
}

function knownKey(word: string): SettingKey {
  const spelt = word.replaceAll("-", "_");
  const known = SETTING_KEYS.find((key) => key === spelt);
  if (known) return known;
  const near = suggest(spelt, SETTING_KEYS);
  throw new Failure(
    "USAGE",
    `there is no setting "${word}"`,
    near ? `Did you mean ${near}?` : `There are: ${SETTING_KEYS.join(", ")}`,
  );
}
