/** Characters that show as nothing, or as something else than they are. By Unicode's own properties, so that a newer Node knows newer ones. */

// What Unicode has programs ignore where they cannot show it (DI: joiners, fillers, variation selectors, tags), what only formats (Cf), what
// is no character at all, and two blanks that are no white space: a braille cell without dots and a note without a head.
const HIDDEN_CLASS = String.raw`[\p{DI}\p{Cf}\p{NChar}\u2800\u{1d159}]`;
const HIDDEN = /* @__PURE__ */ new RegExp(HIDDEN_CLASS, "u");
// Not known yet, so that a terminal may leave it out; ends of a line that are none; and more marks on one letter than a terminal draws.
const UNSEEN = /[\p{Cn}\p{Zl}\p{Zp}]|\p{M}{5}/u;
// White space that a person takes for a space or for nothing, and a shell for a letter.
const BLANKS = /[^\P{Zs} ]/u;

/** Without what is hidden. An emoji stays whole: one that Unicode recommends, whose joiners and selectors make it what is seen. */
export function withoutHidden(text: string): string {
  return HIDDEN.test(text) ? text.replace((pattern ??= hiddenBesideEmoji()), "$1") : text;
}

/** Whether a text has nothing in it that is not seen, or is seen as something else; spaces of other widths aside. */
export function hidesNothing(text: string): boolean {
  return !UNSEEN.test(text) && withoutHidden(text) === text;
}

/** Whether a text has white space in it that looks like a space and is none. */
export function hasOddBlanks(text: string): boolean {
  return BLANKS.test(text);
}

let pattern: RegExp | undefined;

// Made when it is first needed: few texts have an emoji of several characters.
function hiddenBesideEmoji(): RegExp {
  try {
    return new RegExp(String.raw`(\p{RGI_Emoji})|${HIDDEN_CLASS}`, "gv");
  } catch {
    // Node 18 knows no emoji of several characters: there none stays whole.
    return new RegExp(`()${HIDDEN_CLASS}`, "gu");
  }
}
