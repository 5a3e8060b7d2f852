import { describe, expect, it } from "vitest";
import { PlanError } from "./plan-error.ts";
import { parseToml, restoreTopKey, setTopKey } from "./toml-edit.ts";

const FILE = "/home/ada/.codex/config.toml";
const set = (text: string): ReturnType<typeof setTopKey> =>
  setTopKey(FILE, text, "notify", ["/home/ada/.moth/bin/moth-hook", "it's"]);
const line = `notify = ["/home/ada/.moth/bin/moth-hook", "it's"]`;

describe("a key at the top of a TOML file", () => {
  it.each([
    ["an empty file", "", `${line}\n`],
    ["a comment alone", "# mine\n", `${line}\n# mine\n`],
    ["keys, then tables", 'model = "x" # c\n\n[tui]\na = 1\n', `model = "x" # c\n${line}\n\n[tui]\na = 1\n`],
    ["tables alone", "# of the table\n[tui]\na = 1\n", `${line}\n# of the table\n[tui]\na = 1\n`],
    [
      "arrays of tables",
      '[[hooks.Stop]]\n  [[hooks.Stop.hooks]]\n  type = "command"\n',
      `${line}\n[[hooks.Stop]]\n  [[hooks.Stop.hooks]]\n  type = "command"\n`,
    ],
    ["Windows line ends", "a = 1\r\n[t]\r\nb = 2\r\n", `a = 1\r\n${line}\r\n[t]\r\nb = 2\r\n`],
    ["mixed line ends", "a = 1\r\nb = 2\n[t]\n", `a = 1\r\nb = 2\n${line}\r\n[t]\n`],
    ["no end of the last line", "a = 1", `a = 1\n${line}`],
    ["no end of the last line, in a table", "a = 1\n[t]\nb = 2", `a = 1\n${line}\n[t]\nb = 2`],
    [
      "texts over several lines",
      'a = """\n[t]\nnotify = 1\n"""\nb = [\n  1, # one\n  2,\n]\n',
      `a = """\n[t]\nnotify = 1\n"""\nb = [\n  1, # one\n  2,\n]\n${line}\n`,
    ],
    ["dotted keys and inline tables", 'a.b = { c = "]" }\na."d.e" = 1\n', `a.b = { c = "]" }\na."d.e" = 1\n${line}\n`],
    ["letters outside ASCII", 'a = "😀é" # ü\n[t]\n', `a = "😀é" # ü\n${line}\n[t]\n`],
    ["the key in a table of its own", "[t]\nnotify = 1\n", `${line}\n[t]\nnotify = 1\n`],
    [
      "dates and big numbers",
      "a = 1979-05-27T07:32:00Z\nb = 9223372036854775807\n",
      `a = 1979-05-27T07:32:00Z\nb = 9223372036854775807\n${line}\n`,
    ],
  ])("is put in and taken out again: %s", (_what, text, expected) => {
    const edited = set(text);
    expect(edited).toEqual({ text: expected, before: null });
    expect(restoreTopKey(FILE, edited.text, "notify", edited.before)).toBe(text);
  });

  it.each([
    ["a list", 'notify = ["beep"]\n', `${line}\n`],
    ["a list over lines, with comments", 'a = 1\nnotify = [ # beeps\n  "beep",\n] # mine\n[t]\n', `a = 1\n${line} # mine\n[t]\n`],
    ["a quoted key", `"notify"='x'\r\n`, `"notify"=["/home/ada/.moth/bin/moth-hook", "it's"]\r\n`],
    ["no end of the line", "notify = []", line],
  ])("takes the place of what is there and gives it back: %s", (_what, text, expected) => {
    const edited = set(text);
    expect(edited.text).toBe(expected);
    expect(restoreTopKey(FILE, edited.text, "notify", edited.before)).toBe(text);
  });

  it("goes although the person has changed the file meanwhile", () => {
    const { text, before } = set("a = 1\n[t]\n");
    expect(restoreTopKey(FILE, `# new\n${text.replace("a = 1", "a = 2 # two")}b = 3\n`, "notify", before)).toBe(
      "# new\na = 2 # two\n[t]\nb = 3\n",
    );
  });

  it("is escaped as TOML wants it", () => {
    const words = ['C:\\Program Files\\node "x".exe', "tab\t, bell \u0007, del \u007F, 😀"];
    expect(parseToml(FILE, setTopKey(FILE, "", "notify", words).text)).toEqual({ notify: words });
  });

  it.each([
    ["a table", "a = 1\n[notify]\nb = 1\n", 2],
    ["dotted keys", "notify.a = 1\n", 1],
    ["a list of tables", "[[notify]]\n", 1],
  ])("is left alone, with its place, when it is %s", (_what, text, at) => {
    expect(() => set(text)).toThrow(expect.objectContaining({ code: "UNEXPECTED", line: at }) as PlanError);
  });
});

describe("a file that is no TOML", () => {
  it.each([
    ["a = \n", `${FILE}:1:1 is not TOML (Expected value`, 1],
    ['a = 1\nb = "x\nc = 2\n', `${FILE}:2:7 is not TOML (Newline`, 2],
    ["a = 1\na = 2\n", `${FILE}:2:1 is not TOML (Value already defined for a)`, 2],
    ["[a]\n[b\n", `${FILE}:2`, 2],
  ])("is left alone, with its place: %j", (text, message, at) => {
    expect(() => set(text)).toThrow(message);
    expect(() => set(text)).toThrow(expect.objectContaining({ code: "UNPARSABLE", line: at }) as PlanError);
    expect(() => restoreTopKey(FILE, text, "notify", null)).toThrow(PlanError);
  });
});
