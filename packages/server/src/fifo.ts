/** A list that is filled at one end and emptied at the other. Unlike an array's, its `shift` costs the same however long it is. */
export interface Fifo<T> {
  readonly size: number;
  push(item: T): void;
  /** Takes the oldest out. */
  shift(): T | undefined;
  /** The items from a position on; 0 is the oldest. */
  from(position: number): T[];
  clear(): void;
}

export function createFifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = [];
  let start = 0;
  return {
    get size() {
      return items.length - start;
    },
    push: (item) => void items.push(item),
    shift() {
      if (start === items.length) return undefined;
      const item = items[start];
      // Gone from here at once, though its place is only given back with many others.
      items[start++] = undefined;
      if (start * 2 > items.length + 64) {
        items = items.slice(start);
        start = 0;
      }
      return item;
    },
    from: (position) => items.slice(start + position) as T[],
    clear() {
      items = [];
      start = 0;
    },
  };
}
