/** What of a wait can be answered where its notice is shown. */
import { CHOICES, type Wait } from "@moth-companion/core/protocol";
import { oneLine } from "@moth-companion/core/text";

export interface Asked {
  text: string;
  choices: readonly string[];
}

/** Characters that every desktop shows of a notification, in one line or two. */
const MAX_TEXT = 120;
/** Buttons that every desktop shows. */
const MAX_CHOICES = 3;
/** A button's words, free of what a desktop may take for a mark. */
const BUTTON = /^[\p{L}\p{N}][\p{L}\p{N} .,'?!+-]{0,23}$/u;

/** Undefined: it is answered elsewhere. */
export function askedBy(wait: Wait | undefined): Asked | undefined {
  if (!wait?.answerable || wait.text === undefined) return undefined;
  return { text: wait.text, choices: wait.options ?? CHOICES[wait.kind] };
}

/** Whether a notification shows all of it, letter by letter: nobody is to approve what they do not see. */
export function fitsNotification({ text, choices }: Asked): boolean {
  const isShown = text.length <= MAX_TEXT && oneLine(text) === text;
  return isShown && choices.length > 0 && choices.length <= MAX_CHOICES && choices.every((choice) => BUTTON.test(choice));
}

/** What stands on a choice's button. */
export function buttonOf(choice: string): string {
  return choice.slice(0, 1).toUpperCase() + choice.slice(1);
}
