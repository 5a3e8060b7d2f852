/** org.freedesktop.Notifications 1.2, spoken to the session's D-Bus. */
import type { Env } from "@moth-companion/core/paths";
import { buttonOf, fitsNotification } from "./ask.ts";
import type { Backend, OnAnswer } from "./backend.ts";
import { type Bus, openBus } from "./dbus/bus.ts";
import type { Call, Message, Writer } from "./dbus/wire.ts";
import type { Notice } from "./notifier.ts";

const NOTIFICATIONS = "org.freedesktop.Notifications";
const SERVICE = { destination: NOTIFICATIONS, path: "/org/freedesktop/Notifications", interface: NOTIFICATIONS };
/** The `NotificationClosed` reason for: the person has closed it. */
const DISMISSED = 2;
const MAX_SHOWN = 200;
/** Names the button of the choice with the number that follows. */
const CHOICE = "choice-";

/** A notification on the desktop. */
interface Shown {
  notice: Notice;
  /** What its buttons answer. */
  choices: readonly string[];
  /** An answer is on its way: whatever the desktop does with the notification then is not the person's doing. */
  isAnswering: boolean;
}

/** What is written into a notification. */
interface Words {
  title: string;
  body: string;
  choices: readonly string[];
  /** It stays until it is withdrawn or closed. */
  stays: boolean;
  withSound: boolean;
}

/** Connected only as long as something is shown: then the desktop tells what the person does with it. */
export function createDbusBackend(env: Env, withSound: boolean, onAnswer: OnAnswer): Backend {
  /** By the desktop's numbers. */
  const shown = new Map<number, Shown>();
  let opening: Promise<Bus> | undefined;
  /** Notices and answers on their way. */
  let underway = 0;

  async function bus(): Promise<Bus> {
    opening ??= openBus(env, { interface: NOTIFICATIONS, onSignal, onClose: lose });
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw new Error(`the desktop cannot be told: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }

  function onSignal({ member, values: [number, what] }: Message): void {
    const one = typeof number === "number" ? shown.get(number) : undefined;
    if (one === undefined) return;
    const { key } = one.notice;
    if (member === "ActionInvoked") {
      const choice = String(what).startsWith(CHOICE) ? one.choices[Number(String(what).slice(CHOICE.length))] : undefined;
      if (choice !== undefined) void answer(Number(number), one, choice);
      else if (what === "default") void onAnswer({ key, how: "opened" });
    }
    if (member !== "NotificationClosed") return;
    forget(Number(number));
    if (what === DISMISSED && !one.isAnswering) void onAnswer({ key, how: "dismissed" });
  }

  /** Hands the person's answer over. One that is not taken is told in the place of the question. */
  async function answer(number: number, one: Shown, choice: string): Promise<void> {
    if (one.isAnswering) return;
    one.isAnswering = true;
    await held(async () => {
      const problem = await onAnswer({ notice: one.notice, how: "answered", choice });
      const place = shown.has(number) ? number : 0;
      shown.delete(number);
      if (problem === undefined) return place > 0 ? await close(number) : undefined;
      const title = `${one.notice.label ?? "moth"} was not answered`;
      const words: Words = { title, body: problem, choices: [], stays: false, withSound: false };
      await put(one.notice, () => words, place);
      // A desktop that has gone meanwhile shows nothing any more.
    }).catch(() => undefined);
  }

  /** @param words by what the desktop can do @param place the number of the notification it takes the place of; 0: none */
  async function put(notice: Notice, words: (can: ReadonlySet<unknown>) => Words, place = 0): Promise<void> {
    const open = await bus();
    const told = words(await capabilities(open));
    const body = notify(told, place);
    const [number] = await open.call({ ...SERVICE, member: "Notify", signature: "susssasa{sv}i", body });
    shown.set(Number(number), { notice, choices: told.choices, isAnswering: false });
    if (shown.size > MAX_SHOWN) shown.delete(shown.keys().next().value ?? 0);
  }

  async function close(number: number): Promise<void> {
    const call: Call = { ...SERVICE, member: "CloseNotification", signature: "u", body: (writer) => writer.uint32(number) };
    // A desktop may refuse when the person has closed it already.
    await (await bus()).call(call).catch(() => undefined);
  }

  /** The connection is kept meanwhile. */
  async function held(act: () => Promise<void>): Promise<void> {
    underway += 1;
    try {
      await act();
    } finally {
      underway -= 1;
      hangUpIfDone();
    }
  }

  function forget(number: number): void {
    shown.delete(number);
    hangUpIfDone();
  }

  function lose(): void {
    shown.clear();
    opening = undefined;
  }

  function hangUpIfDone(): void {
    if (shown.size > 0 || underway > 0) return;
    void opening?.then((open) => open.close()).catch(() => undefined);
    opening = undefined;
  }

  return {
    show: (notice) => held(() => put(notice, (can) => wordsOf(notice, can, withSound))),
    async withdraw({ key }) {
      const [number] = [...shown].find(([, { notice }]) => notice.key === key) ?? [];
      if (number === undefined) return;
      await close(number);
      forget(number);
    },
    stop() {
      shown.clear();
      hangUpIfDone();
    },
  };
}

/** What the desktop says it can do. */
async function capabilities(bus: Bus): Promise<ReadonlySet<unknown>> {
  const call: Call = { ...SERVICE, member: "GetCapabilities", signature: "", body: () => undefined };
  return new Set<unknown>(await bus.call(call).catch(() => []));
}

function wordsOf({ title, body, about, asked }: Notice, can: ReadonlySet<unknown>, withSound: boolean): Words {
  const stays = about === "waits";
  const hasButtons = can.has("actions") && can.has("body");
  // One that does not say that it reads markup may read it all the same (dunst 1.9 without a setting for it), or show what is escaped.
  const isExact = can.has("body-markup") || !/[<>&]/.test(asked?.text ?? "");
  if (!asked || !hasButtons || !isExact || !fitsNotification(asked)) return { title, body, choices: [], stays, withSound };
  // What is asked goes first: what a desktop leaves out is the end.
  return { title, body: `${asked.text}\n${body}`, choices: asked.choices, stays, withSound };
}

/** app, replaces, icon, title, body, actions, hints, time. A click on the notification itself is the action `default`. */
function notify({ title, body, choices, stays, withSound }: Words, place: number): Call["body"] {
  return (writer) => {
    writer.string("moth");
    writer.uint32(place);
    writer.string("");
    writer.string(title);
    writer.string(markup(body));
    writer.array(4, () => {
      const actions = [["default", "open"], ...choices.map((choice, at) => [`${CHOICE}${at}`, buttonOf(choice)])];
      for (const word of actions.flat()) writer.string(word);
    });
    // 2 stays until it is withdrawn or closed; 1 goes by itself.
    writer.array(8, () => {
      hint(writer, "urgency", "y", () => writer.byte(stays ? 2 : 1));
      hint(writer, "category", "s", () => writer.string("im.received"));
      if (withSound) hint(writer, "sound-name", "s", () => writer.string("message-new-instant"));
      else hint(writer, "suppress-sound", "b", () => writer.uint32(1));
    });
    writer.uint32(-1);
  };
}

function hint(writer: Writer, name: string, type: string, value: () => void): void {
  writer.align(8);
  writer.string(name);
  writer.variant(type, value);
}

/** A body may hold markup; what others wrote must not become any. */
function markup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
