/** What the harness gives to a plugin in its window by these names, as far as moth uses it (OpenCode 1.18.33, Kilo 7.7.7). */
declare module "@opentui/solid" {
  interface Element {
    readonly id: string;
  }
  export function createElement(tag: "box" | "text"): Element;
  export function setProp(element: Element, name: string, value: unknown): void;
  /** Fills an element; a function is asked again whenever what it read has changed. */
  export function insert(element: Element, content: string | (() => string | Element | undefined)): void;
}
declare module "solid-js" {
  export function createSignal<T>(value: T): [get: () => T, set: (value: (before: T) => T) => void];
}
