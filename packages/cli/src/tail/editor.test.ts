import { expect, test } from "vitest";
import { width } from "../width.ts";
import { Editor, type Key, layOut } from "./editor.ts";

/** Presses keys: single characters are typed, words are key names, `^x` is ctrl-x, `M-x` is alt-x. */
function press(editor: Editor, ...keys: string[]): ReturnType<Editor["press"]> {
  let wish: ReturnType<Editor["press"]>;
  for (const key of keys) {
    if (key.startsWith("^")) wish = editor.press(undefined, { name: key.slice(1), ctrl: true });
    else if (key.startsWith("M-")) wish = editor.press(undefined, { name: key.slice(2), meta: true });
    else if (key.length > 1 && /^[a-z-]+$/.test(key)) wish = editor.press(undefined, { name: key } satisfies Key);
    else for (const char of key) wish = editor.press(char, { name: char });
  }
  return wish;
}
const shown = (editor: Editor): string => `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`;

test.each<[string[], string]>([
  [["H i"], "H i|"],
  [["A b", "left", "X"], "A X|b"],
  [["A b", "home", "X"], "X|A b"],
  [["A b", "^a", "delete"], "| b"],
  [["A b", "^a", "right", "backspace", "^e"], " b|"],
  [["One two three", "^w"], "One two |"],
  [["One two ", "^w"], "One |"],
  [["One two three", "M-b", "^k"], "One two |"],
  [["One two three", "M-b", "^u"], "|three"],
  [["One two three", "^a", "M-f", "M-d"], "One| three"],
  [["A👩‍🚀灯", "left", "backspace"], "A|灯"],
  [["Ae\u0301", "backspace"], "A|"],
  [["left", "backspace", "right", "delete", "^w", "^k", "^u", "up", "down"], "|"],
])("%j gives %s", (keys, expected) => {
  const editor = new Editor();
  press(editor, ...keys);
  expect(shown(editor)).toBe(expected);
});

test("return sends what was typed and begins anew", () => {
  const editor = new Editor();
  expect(press(editor, "  Hello moth ", "return")).toEqual({ do: "send", text: "Hello moth" });
  expect(shown(editor)).toBe("|");
  expect(press(editor, "   ", "return")).toBeUndefined();
});

test("up and down walk through what was sent, and come back to the half-typed line", () => {
  const editor = new Editor();
  press(editor, "First 1", "return", "Second 2", "return", "Half 3");
  press(editor, "up");
  expect(shown(editor)).toBe("Second 2|");
  press(editor, "up", "up");
  expect(shown(editor)).toBe("First 1|");
  press(editor, "down", "down", "down");
  expect(shown(editor)).toBe("Half 3|");
});

test("a pasted text of several lines is one line and is not sent", () => {
  const editor = new Editor();
  expect(press(editor, "paste-start", "One", "return", "T", "enter", "x", "paste-end")).toBeUndefined();
  expect(shown(editor)).toBe("One T x|");
});

test.each(["\u001b", "\u0007", "\u009b", "\u0000"])("the control character %j is not taken in", (char) => {
  const editor = new Editor();
  editor.press(`a${char}`, {});
  editor.press(char, {});
  expect(editor.text).toBe("");
});

test("ctrl-c leaves; ctrl-d only on an empty line; ctrl-z suspends; ctrl-l draws anew", () => {
  const editor = new Editor();
  expect(press(editor, "^d")).toEqual({ do: "leave" });
  press(editor, "A B", "^a");
  expect(press(editor, "^d")).toBeUndefined();
  expect(shown(editor)).toBe("| B");
  expect(press(editor, "^c")).toEqual({ do: "leave" });
  expect(press(editor, "^z")).toEqual({ do: "suspend" });
  expect(press(editor, "^l")).toEqual({ do: "redraw" });
});

test("a line that could not be sent comes back, unless another was begun", () => {
  const editor = new Editor();
  editor.restore("Hello 1");
  expect(shown(editor)).toBe("Hello 1|");
  editor.restore("Hello 2");
  expect(shown(editor)).toBe("Hello 1|");
});

test.each<[string, number, number, ReturnType<typeof layOut>]>([
  ["abc", 3, 20, { rows: ["you> abc"], row: 0, column: 8 }],
  ["abc", 1, 20, { rows: ["you> abc"], row: 0, column: 6 }],
  ["abc", 3, 8, { rows: ["you> abc", ""], row: 1, column: 0 }],
  ["abc", 2, 8, { rows: ["you> abc"], row: 0, column: 7 }],
  ["abcdef", 3, 8, { rows: ["you> abc", "def"], row: 1, column: 0 }],
  ["ab灯x", 4, 8, { rows: ["you> ab", "灯x"], row: 1, column: 3 }],
  ["ab灯x", 2, 8, { rows: ["you> ab", "灯x"], row: 1, column: 0 }],
  ["", 0, 8, { rows: ["you> "], row: 0, column: 5 }],
])("%j with the cursor at %i in %i columns", (text, cursor, columns, layout) => {
  expect(layOut("you> ", text, cursor, columns)).toEqual(layout);
});

test("no row is wider than the terminal, and nothing is lost", () => {
  const text = "灯a👩‍🚀bc e\u0301 ".repeat(40);
  for (let columns = 2; columns < 30; columns++) {
    const { rows } = layOut("you> ", text, 0, columns);
    expect(rows.join("")).toBe(`you> ${text}`);
    expect(rows.filter((row) => width(row) > columns)).toEqual([]);
  }
});

test("a text whose end found no place is not sent until the person has made it shorter or begun anew", () => {
  const editor = new Editor();
  press(editor, "X".repeat(16_000), "return");
  expect(editor.text).toBe("");
  press(editor, "X".repeat(16_001));
  expect(press(editor, "return")).toBeUndefined();
  expect(editor.problem).toContain("its end is missing");
  expect(editor.text).toHaveLength(16_000);
  // Nothing is put behind the gap.
  press(editor, "left", "Y");
  expect(editor.text).not.toContain("Y");
  press(editor, "end", "backspace");
  expect(editor.problem).toBeUndefined();
  expect(press(editor, "return")).toMatchObject({ do: "send" });
  press(editor, "X".repeat(16_001), "^u", "Short", "return");
  expect(editor.text).toBe("");
});
