import type { Hand } from "./driver.ts";
import { type Key, squash, type Terminal } from "./terminal.ts";
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

/** The line or field where a prompt is typed. */
interface Composer {
  /** Whether it takes a prompt. */
  ready: (screen: string) => boolean;
  /** What stands in it. */
  text: (screen: string) => string;
  /** Enter too close behind the text is taken for a line break of a pasted text: it is pressed until it counts. */
  insists?: true;
  /** What is typed can be lost, and nothing on the screen tells when: it is typed again. This key empties the composer before. */
  empties?: Key;
}

/** Types a prompt, sees it stand in the composer, and sends it. @param typed the keys, where they are not the prompt alone */
export async function write(terminal: Terminal, prompt: string, composer: Composer, typed: string = prompt): Promise<void> {
  await terminal.waitForScreen("its composer", composer.ready);
  const end = squash(prompt).slice(-12);
  const holds = (screen: string): boolean => squash(composer.text(screen)).includes(end);
  const stands = (within?: number): Promise<void> => terminal.waitForScreen(`the typed prompt, …${end}`, holds, within);
  const isSent = (within?: number): Promise<void> =>
    terminal.waitForScreen("that the prompt is sent", (screen) => !holds(screen), within);
  const { empties } = composer;
  const type = (): void => {
    if (empties) terminal.press(empties);
    terminal.type(typed);
  };
  if (empties) {
    await insist(type, stands, PATIENCE / 4);
  } else {
    type();
    await stands();
  }
  if (composer.insists) return insist(() => terminal.press("enter"), isSent);
  terminal.press("enter");
  await isSent();
}

/** Presses Escape until nothing runs. */
export function escape(ready: (screen: string) => boolean): Hand {
  return (terminal) =>
    insist(
      () => terminal.press("escape"),
      (within) => terminal.waitForScreen("that nothing runs", ready, within),
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
