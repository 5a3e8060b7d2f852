/**
 * What this page asks moth with, beside the cookie that the browser adds. Browsers hand a cookie to every port of its host; what is stored
 * here only pages of this very address and port can read.
 */
import { type EnterAnswer, PAGE_HEADER } from "@moth-companion/core/protocol";

const NAME = "moth-page-key";
/** Where nothing can be stored, this tab alone has it, and until it is loaded anew. */
let unstored: string | undefined;

/** Swaps the key of a link for this browser's own. @returns false when the link is good no more */
export async function enter(key: string): Promise<boolean> {
  const answer = await fetch("/api/enter", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key }),
  });
  if (!answer.ok) return false;
  const { pageKey } = (await answer.json()) as EnterAnswer;
  try {
    localStorage.setItem(NAME, pageKey);
    unstored = undefined;
  } catch {
    unstored = pageKey;
  }
  return true;
}

/** The header that every request carries. Read anew each time: another tab may have come in by another link. */
export function pageHeaders(): Record<string, string> {
  const key = unstored ?? stored();
  return key === null ? {} : { [PAGE_HEADER]: key };
}

function stored(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
