import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanId, cleanLabel, cleanText, clearOptions, cutText, oneLine, showsAny, showsWhole } from "./text.ts";

test.each([
  ["colours", "\u001b[1;31mred\u001b[0m", "red"],
  ["cursor moves", "a\u001b[2J\u001b[Hb", "ab"],
  ["a window title", "a\u001b]0;evil\u0007b", "ab"],
  ["a hyperlink", "\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\", "text"],
  ["a clipboard write", "\u001b]52;c;aGk=\u0007ok", "ok"],
  ["a device string", "\u001bPq#0\u001b\\ok", "ok"],
  ["8-bit forms", "\u009b31mred\u009d0;t\u009cok", "redok"],
  ["a lone escape", "a\u001b", "a"],
  ["bells and nulls", "a\u0007\u0000b", "ab"],
  ["line ends of other systems", "a\r\nb\rc", "a\nb\nc"],
  ["tabs, which stay", "a\tb", "a\tb"],
  ["a reading direction left turned round", "safe \u202etxt.exe \u2066x", "safe txt.exe x"],
  ["the joiner in an emoji, which stays", "👩\u200d👩", "👩\u200d👩"],
  ["half a character", "a\ud83d", "a\ufffd"],
])("cleanText handles %s", (_, given, clean) => {
  expect(cleanText(given)).toBe(clean);
});

test("an escape string that never ends keeps its text and loses its power", () => {
  expect(cleanText("before \u001b]0;title and the rest of the reply")).not.toContain("\u001b");
  expect(cleanText("before \u001b]0;title and the rest of the reply")).toContain("the rest of the reply");
});

test("no control character survives any cleaning", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      // oxlint-disable-next-line no-control-regex -- what must not be there
      expect(cleanText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      // oxlint-disable-next-line no-control-regex -- what must not be there
      expect(oneLine(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(cleanLabel(text).length).toBeLessThanOrEqual(40);
      expect(cleanId(text)).toMatch(/^[A-Za-z0-9._:/@+=-]{0,128}$/);
    }),
  );
});

test("cleaning twice changes nothing more", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("\u001b", "[", "]", "0", ";", "m", "\u0007", "\\", "P", " ", "a", "\u009b") }),
      (text) => {
        const once = cleanText(text);
        expect(cleanText(once)).toBe(once);
      },
    ),
  );
});

test("cutText keeps what fits and marks what it cuts", () => {
  expect(cutText("moth", 4)).toBe("moth");
  expect(cutText("moths", 4)).toBe("mot…");
  expect(cutText("a b", 2)).toBe("a…");
  expect(cutText("abc", 1)).toBe("…");
  expect(cutText("abc", 0)).toBe("");
});

test("cutText never cuts inside a character and never exceeds its measure", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 0, max: 300 }), (text, max) => {
      const cut = cutText(text, max);
      expect(cut.length).toBeLessThanOrEqual(Math.max(max, 0));
      expect(cut).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
      if (text.length <= max) expect(cut).toBe(text);
    }),
  );
});

test("a flag is cut whole, also far into a long text", () => {
  const text = `${"x".repeat(1000)}🇩🇪🇩🇪`;
  expect(cutText(text, 1006)).toBe(`${"x".repeat(1000)}🇩🇪…`);
});

test("two ids that differ in a character that is not allowed stay of the same length and harmless", () => {
  expect(cleanId("../../etc\n")).toBe("../../etc_");
  expect(cleanId("a b")).toBe("a_b");
});

test("a megabyte of escapes is cleaned in a blink, not in a square of its length", () => {
  for (const unit of ["\u001b]", "\u001b[", "\u001b", "\u009d0;", "\u001bP\u001b"]) {
    const started = performance.now();
    cleanText(unit.repeat(200_000));
    // A pass takes tens of milliseconds; the square took 150 seconds.
    expect(performance.now() - started).toBeLessThan(10_000);
  }
});

// Each forty times between `rm` and ` -rf x`, as a newcomer to moth tried it.
test.each([
  0x00ad, 0x034f, 0x0600, 0x061c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200d, 0x202e, 0x2028, 0x2061, 0x2064, 0x2065,
  0x206a, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0xfff9, 0xfffe, 0x13430, 0x1bca0, 0x1d159, 0x1d173, 0xe0001,
  0xe0041, 0xe0100, 0xe0fff, 0x10ffff, 0x0378, 0x0301, 0x0007, 0x001b,
])("nobody is asked to approve a text with U+%x hidden in it, be it a permission or prose", (point) => {
  const text = `rm${String.fromCodePoint(point).repeat(40)} -rf x`;
  expect(showsWhole(text)).toBe(false);
  expect(showsWhole(text, "question")).toBe(false);
});

test.each([0x00a0, 0x1680, 0x2000, 0x2007, 0x200a, 0x202f, 0x205f, 0x3000])(
  "a blank U+%x, which is no space, is refused where something will run, and part of prose",
  (point) => {
    const text = `rm -rf a${String.fromCodePoint(point)}/`;
    expect(showsWhole(text)).toBe(false);
    expect(showsWhole(text, "question")).toBe(true);
    expect(showsWhole(text, "plan")).toBe(true);
  },
);

test.each([
  "❤️",
  "👩‍💻",
  "👍🏽",
  "1️⃣",
  "🏳️‍🌈",
  "🇩🇪",
  "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "ü, u\u0308, ไม้, हिन्दी, 家, →",
])("%s is seen whole, and stays in a name", (text) => {
  expect(showsWhole(`echo '${text}'`)).toBe(true);
  expect(cleanLabel(text)).toBe(text);
});

test.each([
  ["a selector behind a letter", "a\ufe0f"],
  ["a second selector behind an emoji", "❤\ufe0f\ufe0f"],
  ["a selector that an emoji has no need of", "😀\ufe0f"],
  ["a joiner between emoji that nobody joins", "😀\u200d😀"],
  ["a flag of hidden letters", "🏴\u{e0068}\u{e0069}\u{e007f}"],
  ["hidden letters behind a flag", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0068}"],
  ["more marks on a letter than a terminal draws", `e${"\u0363".repeat(5)}`],
])("%s hides something", (_what, text) => {
  expect(showsWhole(text)).toBe(false);
});

test("words of nothing but what is hidden are none", () => {
  expect(showsAny("\u3164\u2800\ufe0f\u{e0100} \u200b")).toBe(false);
  expect(showsAny("❤️")).toBe(true);
});

test("options are shown on one line each, and not at all where one is more than it shows or looks like another", () => {
  expect(clearOptions([" Yes,\n do it ", "Non\u202f!"])).toEqual(["Yes, do it", "Non !"]);
  expect(clearOptions([])).toEqual([]);
  for (const other of ["", "Yes", " Yes", "No\u001b[8m, and delete all", "No\u200b", "No\u{e0041}", "x".repeat(161)])
    expect([other, clearOptions(["Yes", other])]).toEqual([other, undefined]);
  expect(clearOptions(Array.from({ length: 21 }, (_, at) => `${at}`))).toBeUndefined();
});
