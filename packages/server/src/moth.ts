/** A report's way through the server: sessions → triage → batch → voice → log. */
import type {
  LastAnswer,
  Session,
  SessionsAnswer,
  StateReport,
  ToolEvent,
  TurnReport,
  Wait,
} from "@moth-companion/core/protocol";
import { cutText, oneLine } from "@moth-companion/core/text";
import { type BatchAction, type BatchSettings, createBatch } from "./batch.ts";
import { type Clock, createAlarm } from "./clock.ts";
import { createDedupe } from "./dedupe.ts";
import { createInbox } from "./inbox.ts";
import type { Log } from "./log.ts";
import { type Attention, createAttention } from "./notify/attention.ts";
import { createLegacy, type Legacy } from "./legacy.ts";
import { createReplies } from "./replies.ts";
import { tellsAsked, withoutAsked } from "./session.ts";
import { createSessions, type Sessions, type StateChange } from "./sessions.ts";
import { triage, triageLength } from "./triage.ts";
import type { Deed, Remark, Turn, Voice } from "./voice/voice.ts";

/** How long a voice may think. */
export const VOICE_MS = 8000;
/** How often moth looks whether the sessions' processes still run. */
export const REAP_EVERY_MS = 2000;
const MAX_REMARK = 400;

export interface Moth extends Legacy {
  readonly log: Log;
  readonly sessions: Sessions;
  readonly attention: Attention;
  /** Takes a turn report; false: it was heard before. */
  turn(report: TurnReport): boolean;
  state(report: StateReport): void;
  /** The person says something to moth. The reply comes through the log, as the line that answers the event of this id. */
  chat(text: string): { chat: number; epoch: string };
  /** Forgets the log and the chat; with `everything`, the sessions and moth's last lines too. */
  reset(everything: boolean): void;
  roster(): SessionsAnswer;
  /** The last reply of a session, from the moment its turn is over; undefined: there is no such session. */
  last(source: string, session: string): LastAnswer | undefined;
  stop(): void;
}

export interface MothParts {
  clock: Clock;
  batch: BatchSettings;
  voice: Voice;
  log: Log;
  /** Tells nobody anything unless given. */
  attention?: Attention;
  isAlive: (pid: number) => boolean;
  /** Whether the person wants to answer through moth, and so to see what is asked. Not, unless given. */
  answersOn?: () => boolean;
  /** Whether the person lets moth hear what agents write. They do, unless given. */
  contentOn?: () => boolean;
  /** Why what a harness asks is answered in its own window, where its reports do not say. */
  inWindow?: (source: string) => string | undefined;
  /** Called at everything that is heard; `at once`: everything was forgotten. */
  changed?: (when: "soon" | "at once") => void;
}

/** A turn that batch has not decided on yet. */
interface Pending {
  turn: Turn;
  card: number | undefined;
}

export function createMoth(parts: MothParts): Moth {
  const {
    clock,
    batch: settings,
    voice,
    log,
    attention = createAttention({ clock, log }),
    isAlive,
    answersOn = () => false,
    contentOn = () => true,
    inWindow = () => undefined,
    changed = () => undefined,
  } = parts;
  const sessions = createSessions();
  const dedupe = createDedupe();
  const replies = createReplies();
  const batch = createBatch(settings);
  const inbox = createInbox(clock);
  const pending = new Map<number, Pending>();
  let lastKey = 0;
  let isStopped = false;
  /** Something of what an agent asks may be held. */
  let hasAsked = false;

  let isContentOn = contentOn();

  const batchAlarm = createAlarm(clock, () => act(batch.wake(clock.now())));
  const settleAlarm = createAlarm(clock, () => show(sessions.settle(clock.now())));
  let cancelReap = clock.after(REAP_EVERY_MS, reap);

  /** Answers were turned off: then what was asked is not shown any more either. */
  function hideAsked(): void {
    if (!hasAsked || answersOn()) return;
    hasAsked = false;
    log.hideAsked();
    show(sessions.hideAsked(clock.now()));
  }

  /** Content was turned off: then what agents wrote before is not kept either. */
  function forgetContent(): void {
    const wasOn = isContentOn;
    isContentOn = contentOn();
    if (!wasOn || isContentOn) return;
    dedupe.clear();
    reset(false);
  }

  function reap(): void {
    forgetContent();
    hideAsked();
    show(sessions.reap(isAlive, clock.now()));
    cancelReap = clock.after(REAP_EVERY_MS, reap);
  }

  function show(changes: readonly StateChange[]): void {
    for (const change of changes) {
      log.append(change, clock.now());
      attention.hear(change);
    }
    settleAlarm.set(sessions.settleAt);
  }

  function act(actions: readonly BatchAction[]): void {
    for (const action of actions) {
      const held = pending.get(action.key);
      if (!held) continue;
      if (action.do === "show") {
        held.card = showCard(held.turn);
        continue;
      }
      pending.delete(action.key);
      if (held.card === undefined) continue;
      if (action.do === "skip") log.append({ kind: "skip", card: held.card, reason: action.reason }, clock.now());
      else void react(held.turn, held.card);
    }
    batchAlarm.set(batch.wakeAt);
  }

  function showCard(turn: Turn): number {
    const { source, session, text, chars, outcome, class: found, took } = turn;
    // By now another session of the same name may have come, or gone.
    turn.label = sessions.label(source, session, clock.now());
    const card = { kind: "card" as const, source, session, label: turn.label, text, outcome, class: found };
    return log.append({ ...card, ...(chars !== undefined && { chars }), ...(took !== undefined && { took }) }, clock.now()).id;
  }

  async function react(turn: Turn, card: number): Promise<void> {
    const { epoch } = log;
    const { source, session, label } = turn;
    const did = (deed: Deed): void => showDeed(deed, epoch, { card, source, session, label });
    const remark = await think(() => voice.react(turn, did));
    if (log.epoch !== epoch || isStopped) return;
    if (remark) log.append({ kind: "say", ...remark, card, source, session, label }, clock.now());
    else log.append({ kind: "skip", card, reason: "voice" }, clock.now());
  }

  async function reply(text: string, chat: number): Promise<void> {
    const { epoch } = log;
    const active = sessions.list(clock.now()).filter((session) => session.active);
    const roster = active.map((session) => {
      const { label, state } = session;
      return session.state === "waiting" ? { label, state, wait: session.wait.kind } : { label, state };
    });
    const remark = await think(() => voice.chat(text, roster, (deed) => showDeed(deed, epoch, {})));
    if (remark && log.epoch === epoch && !isStopped) log.append({ kind: "say", ...remark, chat }, clock.now());
  }

  function showDeed({ text, error }: Deed, epoch: string, about: Pick<ToolEvent, "card" | "source" | "session" | "label">): void {
    if (log.epoch !== epoch || isStopped) return;
    const why = error === undefined ? {} : { error: oneLine(error) };
    log.append({ ...about, kind: "tool", text: cutText(oneLine(text), MAX_REMARK), ...why }, clock.now());
  }

  /** Whatever a voice does, throwing and never answering included, moth goes on. */
  async function think(ask: () => Promise<Remark | undefined>): Promise<Remark | undefined> {
    let cancel: (() => void) | undefined;
    const tooLate = new Promise<undefined>((resolve) => {
      cancel = clock.after(VOICE_MS, () => resolve(undefined));
    });
    try {
      return clean(await Promise.race([ask(), tooLate]));
    } catch {
      return undefined;
    } finally {
      cancel?.();
    }
  }

  function withUnread(session: Session): Session {
    const unread = attention.unread(session.source, session.session);
    return unread === undefined ? session : { ...session, unread };
  }

  /** A turn whose sender has its answer. */
  function hear({ source, session = "", text, chars, outcome = "done" }: TurnReport, took: number | undefined): void {
    const found = text === "" ? triageLength(chars ?? 0, outcome) : triage(text, outcome);
    const label = sessions.label(source, session, clock.now());
    const turn: Turn = { source, session, label, class: found.class, outcome, quote: found.quote, text };
    if (chars !== undefined) turn.chars = chars;
    pending.set(++lastKey, { turn: took === undefined ? turn : { ...turn, took }, card: undefined });
    act(batch.turn({ key: lastKey, class: found.class }, clock.now()));
  }

  function reset(everything: boolean): void {
    inbox.clear();
    pending.clear();
    replies.clear();
    batch.reset();
    batchAlarm.set(undefined);
    voice.reset(everything);
    if (everything) {
      sessions.clear();
      settleAlarm.set(undefined);
      dedupe.clear();
      attention.clear();
    }
    log.reset();
    if (everything) changed("at once");
  }

  // What is seen, what goes and what is seen to go are events.
  log.listen(() => changed("soon"));

  return {
    log,
    sessions,
    attention,
    turn(told) {
      const now = clock.now();
      // An adapter that is older than the setting tells it all the same.
      const report = isContentOn || told.text === "" ? told : { ...told, text: "", chars: told.chars ?? told.text.length };
      if (dedupe.isRepeat(report, now)) return false;
      const { changes, took } = sessions.turn(report, now);
      changed("soon");
      if (report.text !== "") replies.put(report, now);
      show(changes);
      inbox.put(report.text.length, () => hear(report, took));
      return true;
    },
    state(report) {
      changed("soon");
      const wait = report.wait && explained(report.wait, inWindow(report.source));
      if (!wait || !tellsAsked(wait)) return show(sessions.state(report, clock.now()));
      // What an agent asks is the person's own affair until they turn answers on, whatever an adapter tells.
      const isOn = answersOn();
      hasAsked ||= isOn;
      show(sessions.state({ ...report, wait: isOn ? wait : withoutAsked(wait) }, clock.now()));
    },
    chat(text) {
      inbox.flush();
      const { epoch } = log;
      const chat = log.append({ kind: "chat", text }, clock.now()).id;
      act(batch.chat(clock.now()));
      void reply(text, chat);
      return { chat, epoch };
    },
    reset,
    roster: () => ({ epoch: log.epoch, next: log.next, sessions: sessions.list(clock.now()).map(withUnread) }),
    ...createLegacy({ sessions, attention, dedupe, now: () => clock.now() }),
    last(source, session) {
      if (!sessions.waits(source, session)) return undefined;
      return { reply: replies.get(source, session) ?? null };
    },
    stop() {
      isStopped = true;
      attention.stop();
      inbox.clear();
      cancelReap();
      batchAlarm.set(undefined);
      settleAlarm.set(undefined);
    },
  };
}

/** A line fit to show, or none. */
function clean(remark: Remark | undefined): Remark | undefined {
  const text = cutText(oneLine(remark?.text ?? ""), MAX_REMARK);
  const quote = cutText(oneLine(remark?.quote ?? ""), MAX_REMARK);
  if (text === "") return undefined;
  const names = remark?.names;
  return { text, ...(quote === "" ? {} : { quote }), ...(names ? { names } : {}) };
}

/** A wait that nobody can answer here, with the reason its harness gives for all that it does not tell. */
function explained(wait: Wait, why: string | undefined): Wait {
  return wait.answerable || wait.why !== undefined || why === undefined ? wait : { ...wait, why };
}
