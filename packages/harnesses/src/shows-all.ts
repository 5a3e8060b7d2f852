import type { WaitKind } from "@moth-companion/core/protocol";
import { showsWhole } from "@moth-companion/core/text";

/** Characters of what is asked, at most: moth cuts what is longer, and nobody is to answer what they see half of. */
const MAX_TEXT = 4000;

/** Whether moth shows a text as it is; if not, it is asked where it is seen. */
export function showsAll(text: string, kind?: WaitKind): boolean {
  return text.length <= MAX_TEXT && showsWhole(text, kind);
}
