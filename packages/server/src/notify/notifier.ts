/** Decides what the person is told, when, and when it is over. Owns no timer and no clock. */
import type { NoticeEvent, Wait } from "@moth-companion/core/protocol";
import type { Asked } from "./ask.ts";
import { type Happening, keyOf } from "./happenings.ts";
import { type QuietHours, quietFor } from "./quiet.ts";
import { bodyOf, digest, several, titleOf, type Wanting } from "./words.ts";

/** What the person wants to be told. */
export interface NotifyRules {
  on: boolean;
  /** Seconds a turn must have worked for its end to be told. */
  finishedAfter: number;
  quiet?: QuietHours | undefined;
}

/** So long after a notice the next ones are gathered, and told in one. */
const BURST_MS = 2000;
/** Things that are kept for one digest, at most. */
const MAX_AWAY = 500;

export interface Notice {
  key: string;
  about: NoticeEvent["about"];
  title: string;
  body: string;
  source?: string;
  session?: string;
  label?: string;
  wait?: Wait;
  /** Milliseconds. */
  worked?: number;
  /** What it asks, where the person wants to see and answer that in notices. */
  asked?: Asked;
}

export type NotifyAction = { do: "show"; notice: Notice } | { do: "withdraw"; key: string };

/** One session, or everything. */
export type Whom = { source: string; session: string } | undefined;

export interface Notifier {
  hear(happening: Happening, now: number): NotifyAction[];
  /** The person has looked. */
  seen(whom: Whom, now: number): NotifyAction[];
  /** @param until milliseconds since 1970; undefined: until `unmute` */
  mute(whom: Whom, until: number | undefined, now: number): NotifyAction[];
  /** Without `whom` every mute ends. The person is there, so what was missed is not told. */
  unmute(whom: Whom): void;
  muted(now: number): { whom: Whom; until: number | undefined }[];
  isSilent(now: number): boolean;
  /** The sessions a shown notice is still about. */
  about(notice: string): NonNullable<Whom>[];
  /** To be called at `wakeAt`; too early or too often does no harm. */
  wake(now: number): NotifyAction[];
  readonly wakeAt: number | undefined;
  /** The log is forgotten: what is shown goes. */
  clear(): NotifyAction[];
}

interface Parts {
  rules: () => NotifyRules;
  /** Minutes since midnight where the person is. */
  minuteOf: (now: number) => number;
  /** How the person calls a harness. */
  nameOf: (source: string) => string;
}

export function createNotifier({ rules, minuteOf, nameOf }: Parts): Notifier {
  /** The sessions each shown notice is about. */
  const shown = new Map<string, Set<string>>();
  const held = new Map<string, Happening>();
  const away = new Map<string, Happening>();
  /** When each mute ends; the empty key is everything. */
  const mutes = new Map<string, number>();
  let count = 0;
  let toldAt = -Infinity;
  let wakeAt: number | undefined;

  function silentFor(now: number): number {
    const { quiet } = rules();
    return Math.max((mutes.get("") ?? now) - now, quiet ? quietFor(quiet, minuteOf(now)) : 0);
  }

  function isMuted(key: string, now: number): boolean {
    return (mutes.get(key) ?? now) > now;
  }

  /** A session's notices are over. */
  function drop(key: string): NotifyAction[] {
    held.delete(key);
    away.delete(key);
    const actions: NotifyAction[] = [];
    for (const [notice, about] of shown) {
      if (!about.delete(key) || about.size > 0) continue;
      shown.delete(notice);
      actions.push({ do: "withdraw", key: notice });
    }
    return actions;
  }

  function show(about: readonly [string, Happening][], notice: Omit<Notice, "key">, now: number): NotifyAction {
    const key = `n${++count}`;
    shown.set(key, new Set(about.map(([session]) => session)));
    toldAt = now;
    return { do: "show", notice: { key, ...notice } };
  }

  /** What is due now, and when there is more to do. */
  function settle(now: number): NotifyAction[] {
    const actions: NotifyAction[] = [];
    // A clock that jumped back must not silence moth.
    toldAt = Math.min(toldAt, now);
    for (const [key, until] of mutes) if (until <= now) mutes.delete(key);
    if (!rules().on) for (const store of [held, away]) store.clear();
    const silence = silentFor(now);
    if (silence > 0) {
      for (const [key, one] of held) away.set(key, one);
      held.clear();
    } else if (away.size > 0) {
      const all = [...away];
      away.clear();
      actions.push(show(all, { about: "digest", ...digest(all.map(([, one]) => one as Wanting)) }, now));
    }
    if (held.size > 0 && now >= toldAt + BURST_MS) {
      const all = [...held];
      held.clear();
      actions.push(show(all, noticeOf(all.map(([, one]) => one)), now));
    }
    for (const key of away.keys()) if (away.size > MAX_AWAY) away.delete(key);
    wakeAt = held.size > 0 ? toldAt + BURST_MS : away.size > 0 && silence < Infinity ? now + silence : undefined;
    return actions;
  }

  function noticeOf(all: readonly Happening[]): Omit<Notice, "key"> {
    const [one] = all;
    if (!one || all.length > 1) return { about: "several", ...several(all as readonly Wanting[]) };
    const { what, source, session, label, wait, worked } = one as Happening & Wanting;
    const who = { source, session, label, ...(wait ? { wait } : {}), ...(worked === undefined ? {} : { worked }) };
    return { about: what, title: titleOf({ what, label, wait }), body: bodyOf({ what, label, worked }, nameOf(source)), ...who };
  }

  function isWorthIt({ what, worked = 0 }: Happening): boolean {
    if (what === "on") return false;
    const { on, finishedAfter } = rules();
    return on && (what !== "finished" || worked >= finishedAfter * 1000);
  }

  return {
    hear(happening, now) {
      const isWorth = isWorthIt(happening);
      // Nearly every report: nothing to tell, and nothing told that could be over.
      if (!isWorth && shown.size === 0 && held.size === 0 && away.size === 0) return [];
      const key = keyOf(happening.source, happening.session);
      const actions = drop(key);
      if (isWorth && !isMuted(key, now)) held.set(key, happening);
      return [...actions, ...settle(now)];
    },
    seen(whom, now) {
      const keys = whom
        ? [keyOf(whom.source, whom.session)]
        : [...shown.values(), held.keys(), away.keys()].flatMap((one) => [...one]);
      return [...keys.flatMap(drop), ...settle(now)];
    },
    mute(whom, until = Infinity, now) {
      const key = whom ? keyOf(whom.source, whom.session) : "";
      mutes.set(key, until);
      return [...(whom ? drop(key) : []), ...settle(now)];
    },
    unmute(whom) {
      if (!whom && mutes.has("")) away.clear();
      if (whom) mutes.delete(keyOf(whom.source, whom.session));
      else mutes.clear();
    },
    muted: (now) =>
      [...mutes]
        .filter(([, until]) => until > now)
        .map(([key, until]) => ({ whom: whomOf(key), until: until === Infinity ? undefined : until })),
    isSilent: (now) => silentFor(now) > 0,
    about: (notice) => [...(shown.get(notice) ?? [])].flatMap((key) => whomOf(key) ?? []),
    wake: settle,
    get wakeAt() {
      return wakeAt;
    },
    clear() {
      const actions = [...shown.keys()].map((key): NotifyAction => ({ do: "withdraw", key }));
      for (const store of [shown, held, away, mutes]) store.clear();
      wakeAt = undefined;
      return actions;
    },
  };
}

function whomOf(key: string): Whom {
  if (key === "") return undefined;
  const [source = "", session = ""] = key.split("\n");
  return { source, session };
}
