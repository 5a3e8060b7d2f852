/** Which part of a long list is in the page. It follows the newest, or stands still where the person reads. Pure. */

/** How many items show at first, and come with each press of "older". */
export const STEP = 60;
/** How many are in the page at most. */
export const MAX_SHOWN = 240;

/** `size` newest; or those with ids from `first` to `last`. */
export type Window = { at: "end"; size: number } | { at: "place"; first: number; last: number };

export const NEWEST: Window = { at: "end", size: STEP };

type Items = readonly { id: number }[];

export interface Part<T> {
  shown: readonly T[];
  older: number;
  newer: number;
}

/** @param items in ascending order of their ids */
export function partOf<T extends { id: number }>(items: readonly T[], window: Window): Part<T> {
  if (window.at === "end") {
    const from = Math.max(0, items.length - window.size);
    return { shown: items.slice(from), older: from, newer: 0 };
  }
  const from = indexOf(items, window.first);
  const to = indexOf(items, window.last + 1);
  return { shown: items.slice(from, to), older: from, newer: items.length - to };
}

/** Stops following: what shows now stays. */
export function hold(items: Items, window: Window): Window {
  const { shown } = partOf(items, window);
  const [first, last] = [shown[0], shown.at(-1)];
  return first && last ? { at: "place", first: first.id, last: last.id } : window;
}

/** A step back. When it gets too much, the newest that show go. */
export function older(items: Items, window: Window): Window {
  const { shown, older: before } = partOf(items, window);
  const from = Math.max(0, before - STEP);
  const to = Math.min(before + shown.length, from + MAX_SHOWN);
  return between(items, from, to) ?? window;
}

/** A step forward; at the end it follows again. */
export function newer(items: Items, window: Window): Window {
  const { shown, older: before, newer: after } = partOf(items, window);
  if (after === 0) return NEWEST;
  const to = Math.min(items.length, before + shown.length + STEP);
  return between(items, Math.max(before, to - MAX_SHOWN), to) ?? window;
}

function between(items: Items, from: number, to: number): Window | undefined {
  const [first, last] = [items[from], items[to - 1]];
  return first && last ? { at: "place", first: first.id, last: last.id } : undefined;
}

/** The first place whose id is not below `id`. */
function indexOf(items: Items, id: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
