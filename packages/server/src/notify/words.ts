/** What a notice says. Titles name the session; nothing an agent wrote is in them. */
import type { Wait, Want } from "@moth-companion/core/protocol";
import { cutText } from "@moth-companion/core/text";
import { inWords, spokenTime } from "../voice/numbers.ts";

/** Characters of a list of names. */
const MAX_NAMES = 120;

/** One session that wants the person. */
export interface Wanting {
  what: Want;
  label: string;
  wait?: Wait | undefined;
  worked?: number | undefined;
}

export function titleOf({ what, label, wait }: Wanting): string {
  if (what === "waits") return `${label} waits for ${waitWords(wait)}`;
  return `${label} ${{ failed: "failed", limit: "hit its limit", finished: "finished" }[what]}`;
}

/** @param harness how the person calls it */
export function bodyOf({ worked }: Wanting, harness: string): string {
  return worked === undefined || worked < 1000 ? harness : `${harness} · after ${spokenTime(worked)}`;
}

/** Several in one: `three sessions want you`, `api waits, web and docs finished`. */
export function several(wanting: readonly Wanting[]): { title: string; body: string } {
  const waits = wanting.filter(({ what }) => what === "waits").length;
  const count = inWords(wanting.length);
  const title = waits === wanting.length ? `${count} sessions wait for you` : `${count} sessions have news`;
  return { title, body: byName(wanting) };
}

/** `three finished, one failed, one waits`, and who. */
export function digest(wanting: readonly Wanting[]): { title: string; body: string } {
  const groups = ORDER.map((what) => ({
    what,
    labels: wanting.filter((one) => one.what === what).map(({ label }) => label),
  })).filter(({ labels }) => labels.length > 0);
  const counts = groups.map(({ what, labels }) => `${inWords(labels.length)} ${labels.length === 1 ? ONE[what] : MANY[what]}`);
  // In the order of the counts, so that they can be matched.
  return { title: "while you were away", body: `${counts.join(", ")}: ${names(groups.flatMap(({ labels }) => labels))}` };
}

const ORDER: readonly Want[] = ["finished", "failed", "limit", "waits"];
const ONE: Record<Want, string> = { finished: "finished", failed: "failed", limit: "hit its limit", waits: "waits" };
const MANY: Record<Want, string> = { finished: "finished", failed: "failed", limit: "hit their limit", waits: "wait" };

function byName(wanting: readonly Wanting[]): string {
  return ORDER.toReversed()
    .map((what) => ({ what, labels: wanting.filter((one) => one.what === what).map(({ label }) => label) }))
    .filter(({ labels }) => labels.length > 0)
    .map(({ what, labels }) => `${names(labels)} ${labels.length === 1 ? ONE[what] : MANY[what]}`)
    .join(", ");
}

function names(labels: readonly string[]): string {
  const unique = [...new Set(labels)];
  const last = unique.at(-1) ?? "";
  return cutText(unique.length < 2 ? last : `${unique.slice(0, -1).join(", ")} and ${last}`, MAX_NAMES);
}

function waitWords(wait: Wait | undefined): string {
  if (wait?.kind === "question") return "an answer";
  if (wait?.kind === "plan") return "a yes to its plan";
  return `a permission${wait?.tool ? ` (${wait.tool})` : ""}`;
}
