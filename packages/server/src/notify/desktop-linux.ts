/** org.freedesktop.Notifications 1.2, spoken to the session's D-Bus. */
import type { Env } from "@moth-companion/core/paths";
import type { Answered, Backend } from "./backend.ts";
import { type Bus, openBus } from "./dbus/bus.ts";
import type { Call, Message, Writer } from "./dbus/wire.ts";
import type { Notice } from "./notifier.ts";

const NOTIFICATIONS = "org.freedesktop.Notifications";
const SERVICE = { destination: NOTIFICATIONS, path: "/org/freedesktop/Notifications", interface: NOTIFICATIONS };
/** The `NotificationClosed` reason for: the person has closed it. */
const DISMISSED = 2;
const MAX_SHOWN = 200;

/** Connected only as long as something is shown: then the desktop tells what the person does with it. */
export function createDbusBackend(env: Env, withSound: boolean, onAnswer: (answered: Answered) => void): Backend {
  /** Our names, by the desktop's numbers. */
  const shown = new Map<number, string>();
  let opening: Promise<Bus> | undefined;
  /** Notices on their way. */
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
    const key = typeof number === "number" ? shown.get(number) : undefined;
    if (key === undefined) return;
    if (member === "ActionInvoked") onAnswer({ key, how: "opened" });
    if (member !== "NotificationClosed") return;
    forget(Number(number));
    if (what === DISMISSED) onAnswer({ key, how: "dismissed" });
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
    async show(notice) {
      underway += 1;
      try {
        const [number] = await (
          await bus()
        ).call({ ...SERVICE, member: "Notify", signature: "susssasa{sv}i", body: notify(notice, withSound) });
        shown.set(Number(number), notice.key);
        if (shown.size > MAX_SHOWN) shown.delete(shown.keys().next().value ?? 0);
      } finally {
        underway -= 1;
        hangUpIfDone();
      }
    },
    async withdraw({ key }) {
      const [number] = [...shown].find(([, name]) => name === key) ?? [];
      if (number === undefined) return;
      const close: Call = { ...SERVICE, member: "CloseNotification", signature: "u", body: (writer) => writer.uint32(number) };
      // A desktop may refuse when the person has closed it already.
      await (await bus()).call(close).catch(() => undefined);
      forget(number);
    },
    stop() {
      shown.clear();
      hangUpIfDone();
    },
  };
}

/** app, replaces, icon, title, body, actions, hints, time. A click on the notification itself is the action `default`. */
function notify(notice: Notice, withSound: boolean): Call["body"] {
  return (writer) => {
    writer.string("moth");
    writer.uint32(0);
    writer.string("");
    writer.string(notice.title);
    writer.string(markup(notice.body));
    writer.array(4, () => {
      writer.string("default");
      writer.string("open");
    });
    // 2 stays until it is withdrawn or closed; 1 goes by itself.
    writer.array(8, () => {
      hint(writer, "urgency", "y", () => writer.byte(notice.about === "waits" ? 2 : 1));
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

/** A body may hold markup; a folder's name must not become any. */
function markup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
