/** A version as published: `1.2.3`, `1.2.3-next.1`. Nothing else is taken for one. */
export const VERSION: RegExp = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?$/;

/** Whether `one` comes after `other`, as semver orders them. What is no version comes after none. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [VERSION.exec(one), VERSION.exec(other)];
  if (!a || !b) return false;
  for (const part of [1, 2, 3]) {
    const difference = Number(a[part]) - Number(b[part]);
    if (difference !== 0) return difference > 0;
  }
  return comparePrereleases(a[4], b[4]) > 0;
}

/** A release comes after what led to it. */
function comparePrereleases(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  const [a, b] = [one.split("."), other.split(".")];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [left, right] = [a[at], b[at]];
    if (left === right) continue;
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    const numbers = [left, right].map((part) => (/^\d+$/.test(part) ? Number(part) : undefined));
    const [x, y] = numbers;
    if (x !== undefined && y !== undefined) return x - y;
    if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return 0;
}
