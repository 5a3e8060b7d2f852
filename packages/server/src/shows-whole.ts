/** Nobody is to approve more than they see, or to choose between options that look alike: the window, which hides nothing, is there for that. */
import type { WaitKind } from "@moth-companion/core/protocol";
import { cutText, oneLine, showsWhole } from "@moth-companion/core/text";

/** Characters of what a wait asks, at most. */
export const MAX_WAIT_TEXT = 4000;
export const MAX_OPTIONS = 20;
const MAX_OPTION = 160;

/** What an agent asks, before it is cleaned. */
interface Asked {
  kind: WaitKind;
  text?: string | null | undefined;
  options?: readonly string[] | null | undefined;
}

/** An option as displays show it. */
export function cleanOption(option: string): string {
  return cutText(oneLine(option), MAX_OPTION);
}

/** Why what is asked cannot be shown whole, a sentence for the person; undefined: it can. */
export function whyNotWhole({ kind, text, options }: Asked): string | undefined {
  if (text && text.length > MAX_WAIT_TEXT)
    return `It is longer than moth shows (${MAX_WAIT_TEXT.toLocaleString("en")} characters).`;
  if (text && !showsWhole(text, "question")) return "It holds characters that do not show.";
  if (text && !showsWhole(text, kind)) return "It holds blanks that look like spaces and are none.";
  if (!options) return undefined;
  if (options.length > MAX_OPTIONS) return `It has more options than moth shows (${MAX_OPTIONS}).`;
  if (!options.every((one) => showsWhole(one))) return "An option of it holds characters that do not show.";
  if (options.some((one) => one !== cleanOption(one))) return "An option of it is longer than moth shows, or has several lines.";
  const told = new Set(options.map((option) => option.toLowerCase()));
  return told.size === options.length ? undefined : "Its options look alike.";
}
