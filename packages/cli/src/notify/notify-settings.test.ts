import { expect, test } from "vitest";
import { commandText, notifySettings, parseBackends, parseCommand, parseQuiet } from "./notify-settings.ts";

test.each<[string, object | undefined]>([
  ["22:00-08:00", { from: 1320, to: 480 }],
  ["22-8", { from: 1320, to: 480 }],
  [" 9:30 – 12 ", { from: 570, to: 720 }],
  ["20 to 24", { from: 1200, to: 0 }],
  ["0-0", undefined],
  ["22:00", undefined],
  ["25-8", undefined],
  ["22:60-8", undefined],
  ["", undefined],
])("quiet hours %j are %j", (text, hours) => {
  expect(parseQuiet(text)).toEqual(hours);
});

test.each<[unknown, string[] | undefined]>([
  ["ntfy publish moth", ["ntfy", "publish", "moth"]],
  ["  tell  ", ["tell"]],
  ['["tell", "two words"]', ["tell", "two words"]],
  [
    ["tell", ""],
    ["tell", ""],
  ],
  ["tell 'two words'", undefined],
  ["tell a\\ b", undefined],
  ["[1]", undefined],
  ["[", undefined],
  ["[]", undefined],
  [["a\0b"], undefined],
  ["", undefined],
  [7, undefined],
])("the command %j is %j", (given, words) => {
  expect(parseCommand(given)).toEqual(words);
  if (words) expect(parseCommand(commandText(given))).toEqual(words);
});

test("a word between spaces is data, whatever a shell would make of it", () => {
  expect(parseCommand("tell $HOME;rm *|x")).toEqual(["tell", "$HOME;rm", "*|x"]);
});

test.each([
  ["desktop", ["desktop"]],
  ["command , terminal", ["terminal", "command"]],
  ["smoke", []],
])("by %j is %j", (text, names) => {
  expect(parseBackends(text)).toEqual(names);
});

test("the server gets what the settings say", () => {
  const values = {
    notify: true,
    "notify.finished_after": 60,
    "notify.by": "desktop,command",
    "notify.command": "tell me",
    "notify.quiet": "22-8",
    "notify.sound": false,
    "notify.answers": true,
  };
  expect(notifySettings(values)).toEqual({
    on: true,
    finishedAfter: 60,
    quiet: { from: 1320, to: 480 },
    by: ["desktop", "command"],
    command: ["tell", "me"],
    sound: false,
    answers: true,
  });
  const none = notifySettings({ ...values, "notify.by": "auto", "notify.command": "", "notify.quiet": "" });
  expect(none).toMatchObject({ by: "auto", command: [], quiet: undefined });
});
