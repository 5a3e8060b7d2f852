/** What the person should look at, and how they are told: happenings → unread and notifier → log and back-ends. */
import type { AnswerRequest, NotifyAnswer, Session, Want } from "@moth-companion/core/protocol";
import type { Env } from "@moth-companion/core/paths";
import { type Clock, createAlarm } from "../clock.ts";
import type { Log } from "../log.ts";
import type { StateChange } from "../sessions.ts";
import { askedBy } from "./ask.ts";
import type { Answered } from "./backend.ts";
import { createDelivery } from "./delivery.ts";
import { createHappenings } from "./happenings.ts";
import { createNotifier, type Notice, type NotifyAction, type Whom } from "./notifier.ts";
import { NOTIFY_OFF, type NotifySettings } from "./pick.ts";
import { localMinute } from "./quiet.ts";
import { createUnread } from "./unread.ts";

export interface Attention {
  hear(change: StateChange): void;
  unread(source: string, session: string): Want | undefined;
  seen(whom: Whom): void;
  /** @param seconds undefined: until `unmute` */
  mute(whom: Whom, seconds: number | undefined): NotifyAnswer;
  unmute(whom: Whom): NotifyAnswer;
  status(): NotifyAnswer;
  /** Shows one notice by every back-end, whatever is muted. @returns with the back-ends that showed it as `by` */
  test(): Promise<NotifyAnswer>;
  /** What a later moth has to know of a session. */
  kept(source: string, session: string): Kept;
  /** Goes on where an earlier moth was, and tells nobody. */
  restore(row: Pick<Session, "source" | "session" | "state" | "since">, kept: Kept): void;
  clear(): void;
  stop(): void;
}

interface Kept {
  unread?: Want | undefined;
  /** Milliseconds it had worked on its turn when it entered its state. */
  worked?: number | undefined;
}

export interface AttentionParts {
  clock: Clock;
  log: Log;
  env?: Env;
  /** Asked at most once a second, and only when there is something to tell. Off unless given. */
  settings?: () => NotifySettings;
  /** How the person calls a harness; by its id unless given. */
  nameOf?: (source: string) => string;
  minuteOf?: (now: number) => number;
  /** The terminal pane a session runs in. */
  paneOf?: (source: string, session: string) => string | undefined;
  /** Shows moth's page to the person. */
  openPage?: () => void;
  /** Hands an answer over. @returns why it was not taken; undefined: it was */
  answer?: (request: AnswerRequest) => Promise<string | undefined>;
  platform?: NodeJS.Platform;
}

const FRESH_MS = 1000;

export function createAttention(parts: AttentionParts): Attention {
  const { clock, log, env = {}, minuteOf = localMinute, platform = process.platform } = parts;
  const {
    settings: read = () => NOTIFY_OFF,
    nameOf = (source: string) => source,
    paneOf = () => undefined,
    openPage,
    answer,
  } = parts;
  let known: { settings: NotifySettings; at: number } | undefined;

  function settings(): NotifySettings {
    const now = clock.now();
    if (!known || now - known.at >= FRESH_MS || now < known.at) known = { settings: read(), at: now };
    return known.settings;
  }

  const happenings = createHappenings();
  const unread = createUnread();
  const notifier = createNotifier({ rules: settings, minuteOf, nameOf });
  const delivery = createDelivery(env, platform, answered);
  const alarm = createAlarm(clock, () => act(notifier.wake(clock.now())));

  /** Notices that wait for whether the person sees their session anyway, and those that were not shown because of it. */
  const unshown = new Set<string>();

  function act(actions: readonly NotifyAction[]): void {
    for (const action of actions) {
      if (action.do === "show") void showUnlessSeen(action.notice);
      else if (!unshown.delete(action.key)) {
        log.append({ kind: "withdrawn", notice: action.key }, clock.now());
        delivery.withdraw(action.key);
      }
    }
    alarm.set(notifier.wakeAt);
  }

  async function showUnlessSeen(notice: Notice): Promise<void> {
    const { key, source, session } = notice;
    const pane = source === undefined ? undefined : paneOf(source, session ?? "");
    if (pane !== undefined) {
      unshown.add(key);
      // Loaded with the first pane.
      const { isInSight } = await import("../panes/sight.ts");
      if ((await isInSight(pane, env, clock.now())) || !unshown.delete(key)) return;
    }
    await show(notice);
  }

  async function show(notice: Notice): Promise<void> {
    const { by } = settings();
    const picked = delivery.pick(settings()).by;
    // A desktop's bus is also there where no desktop is, as over SSH: then the terminal is told as well.
    const isWithout = (): boolean => by === "auto" && picked.includes("desktop") && delivery.hasFailed("desktop");
    const known = isWithout();
    note(notice, known ? [...picked, "terminal"] : picked);
    const asked = settings().answers ? askedBy(notice.wait) : undefined;
    await delivery.show(asked ? { ...notice, asked } : notice, settings());
    if (!known && isWithout()) note(notice, ["terminal"]);
  }

  function note(notice: Notice, by: string[]): void {
    const { key, about, title, body, source, session, label } = notice;
    const whose = source === undefined ? {} : { source, session: session ?? "", label: label ?? "" };
    log.append({ kind: "notice", notice: key, about, title, body, by, ...whose }, clock.now());
  }

  function seen(whom: Whom): void {
    if (unread.seen(whom)) log.append({ kind: "seen", ...whom }, clock.now());
    act(notifier.seen(whom, clock.now()));
  }

  /** A notice that was put away or clicked was seen; a click leads to its session, where the terminal allows, else to the page. */
  async function answered(did: Answered): Promise<string | undefined> {
    if (did.how === "answered") return await answerTo(did.notice, did.choice);
    const about = notifier.about(did.key);
    for (const whom of about) seen(whom);
    if (did.how === "opened") await open(about);
    return undefined;
  }

  async function answerTo({ source, session, wait }: Notice, choice: string): Promise<string | undefined> {
    if (!answer || source === undefined || !wait) return "It can be answered in its own window alone.";
    return await answer({ source, session: session ?? "", wait: wait.id, choice, by: "notification" });
  }

  async function open(about: readonly NonNullable<Whom>[]): Promise<void> {
    const [one] = about;
    const pane = one && about.length === 1 ? paneOf(one.source, one.session) : undefined;
    const { jumpTo } = await import("../panes/jump.ts");
    // The person sits where they clicked, not where moth was started.
    if (!pane || !(await jumpTo(pane, { ...env, TMUX: undefined, TMUX_PANE: undefined })).jumped) openPage?.();
  }

  function status(): NotifyAnswer {
    const now = clock.now();
    known = undefined;
    const { by, problems } = delivery.pick(settings());
    const muted = notifier.muted(now).map(({ whom, until }) => ({ ...whom, until: until ?? null }));
    return { on: settings().on, by, problems: [...problems, ...delivery.problems()], silent: notifier.isSilent(now), muted };
  }

  return {
    hear(change) {
      const now = clock.now();
      const happening = happenings.hear(change, now);
      if (!happening) return;
      unread.hear(happening);
      act(notifier.hear(happening, now));
    },
    unread: (source, session) => unread.of(source, session),
    seen,
    mute(whom, seconds) {
      const now = clock.now();
      act(notifier.mute(whom, seconds === undefined ? undefined : now + seconds * 1000, now));
      return status();
    },
    unmute(whom) {
      notifier.unmute(whom);
      act(notifier.wake(clock.now()));
      return status();
    },
    status,
    async test() {
      known = undefined;
      await show({ key: "test", about: "test", title: "moth can reach you", body: "this is how a notice looks" });
      const answer = status();
      return { ...answer, by: answer.by.filter((name) => !delivery.hasFailed(name)) };
    },
    kept: (source, session) => ({ unread: unread.of(source, session), worked: happenings.worked(source, session) }),
    restore({ state, since, ...who }, kept) {
      happenings.restore(who, { state, since, worked: kept.worked ?? 0 });
      if (kept.unread !== undefined) unread.restore(who, kept.unread);
    },
    clear() {
      happenings.clear();
      unread.clear();
      act(notifier.clear());
      unshown.clear();
    },
    stop() {
      alarm.set(undefined);
      delivery.stop();
    },
  };
}
