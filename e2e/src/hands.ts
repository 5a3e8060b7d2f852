import type { Hand } from "./driver.ts";
import type { Key, Terminal } from "./terminal.ts";
import { PATIENCE } from "./wait.ts";

/**
 * Answers a dialog. One that has just opened ignores keys for a moment, so a key is pressed again while the dialog stays.
 * @param about what of the screen tells one dialog from the next; without it, the hand presses until no dialog is left
 */
export function hand(key: string, dialog: string, about: (screen: string) => string = () => ""): Hand {
  return (terminal) => {
    const asked = about(terminal.screen());
    const answered = (screen: string): boolean => !screen.includes(dialog) || about(screen) !== asked;
    return insist(
      () => terminal.type(key),
      (within) => terminal.waitForScreen("the dialog answered", answered, within),
    );
  };
}

export function pressUntil(terminal: Terminal, key: Key, shown: string): Promise<void> {
  return insist(
    () => terminal.press(key),
    (within) => terminal.waitForText(shown, within),
  );
}

/** Does something again and again until it has had its effect. `each`: milliseconds it may take; longer, where twice would be too much. */
export async function insist(act: () => void, done: (within: number) => Promise<void>, each = 1000): Promise<void> {
  for (let attempt = 1; attempt < 8; attempt++) {
    act();
    try {
      return await done(each);
    } catch {
      // Once more.
    }
  }
  act();
  await done(PATIENCE);
}
