import { MAX_ID_LENGTH } from "@moth-companion/core/protocol";

/** How many first characters tell these ids apart, 8 at least: those that begin with the time are alike for minutes. */
export function idLength(ids: readonly string[]): number {
  const all = new Set(ids);
  for (let length = 8; length < MAX_ID_LENGTH; length++) {
    if (new Set([...all].map((id) => id.slice(0, length))).size === all.size) return length;
  }
  return MAX_ID_LENGTH;
}
