/** Bytes that a terminal draws in one go: it shows nothing of them before the last. One that does not know of it ignores this. */
export function frame(content: string): string {
  return `\u001b[?2026h${content}\u001b[?2026l`;
}

/**
 * Content whose lines the terminal does not break: where it draws a character wider than we take it for, the row is cut at its end, and
 * stays one row.
 */
export function unbroken(content: string): string {
  return `\u001b[?7l${content}\u001b[?7h`;
}
