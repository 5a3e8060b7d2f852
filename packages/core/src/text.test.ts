import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanId, cleanLabel, cleanText, cutText, oneLine } from "./text.ts";

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
