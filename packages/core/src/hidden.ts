/** Characters that show as nothing, or as something else than they are. By Unicode's own properties, so that a newer Node knows newer ones. */

// What Unicode has programs ignore where they cannot show it (DI: joiners, fillers, variation selectors, tags), what only formats (Cf), what
// is no character at all, and two blanks that are no white space: a braille cell without dots and a note without a head.
const HIDDEN = String.raw`[\p{DI}\p{Cf}\p{NChar}\u2800\u{1d159}]`;
// Not known yet, so that a terminal may leave it out; ends of a line that are none; and more marks on one letter than a terminal draws.
const UNSEEN = String.raw`[\p{Cn}\p{Zl}\p{Zp}]|\p{M}{5}`;
// White space that a person takes for a space or for nothing, and a shell for a letter.
const BLANKS = String.raw`[^\P{Zs} ]`;

/** Without what is hidden. An emoji stays whole: one that Unicode recommends, whose joiners and selectors make it what is seen. */
export function withoutHidden(text: string): string {
  return pattern(HIDDEN, "u").test(text) ? text.replace(hiddenBesideEmoji(), "$1") : text;
}

/** Whether a text has nothing in it that is not seen, or is seen as something else; spaces of other widths aside. */
export function hidesNothing(text: string): boolean {
  return !pattern(UNSEEN, "u").test(text) && withoutHidden(text) === text;
}

/** Whether a text has white space in it that looks like a space and is none. */
export function hasOddBlanks(text: string): boolean {
  return pattern(BLANKS, "u").test(text);
}

function hiddenBesideEmoji(): RegExp {
  try {
    return pattern(String.raw`(\p{RGI_Emoji})|${HIDDEN}`, "gv");
  } catch {
    // Node 18 knows no emoji of several characters: there none stays whole.
    return pattern(`()${HIDDEN}`, "gu");
  }
}

const patterns = new Map<string, RegExp>();

/** Made when it is first needed: a property's characters take Node up to a millisecond, which is much for a hook that meets none of them. */
function pattern(source: string, flags: string): RegExp {
  let made = patterns.get(source);
  if (!made) patterns.set(source, (made = new RegExp(source, flags)));
  return made;
}
