/** org.freedesktop.Notifications 1.2, by `gdbus` (glib), or by `notify-send` (libnotify), which cannot withdraw. */
import type { Env } from "@moth-companion/core/paths";
import type { Backend } from "./backend.ts";
import type { Notice } from "./notifier.ts";
import { runProgram } from "../run-program.ts";

const GDBUS = [
  "gdbus",
  "call",
  "--session",
  "--timeout=5",
  "--dest=org.freedesktop.Notifications",
  "--object-path=/org/freedesktop/Notifications",
];
const MAX_SHOWN = 200;

export function createGdbusBackend(env: Env, withSound: boolean): Backend {
  /** The desktop's own numbers, by ours. */
  const numbers = new Map<string, string>();
  return {
    async show(notice) {
      const printed = await runProgram(
        [...GDBUS, "--method=org.freedesktop.Notifications.Notify", "--", ...notifyArgs(notice, withSound)],
        env,
      );
      const number = /uint32 (\d+)/.exec(printed)?.[1];
      if (number !== undefined) numbers.set(notice.key, number);
      if (numbers.size > MAX_SHOWN) numbers.delete(numbers.keys().next().value ?? "");
    },
    async withdraw({ key }) {
      const number = numbers.get(key);
      if (number === undefined) return;
      numbers.delete(key);
      // A desktop may refuse when the person has closed it already.
      await runProgram([...GDBUS, "--method=org.freedesktop.Notifications.CloseNotification", number], env).catch(
        () => undefined,
      );
    },
  };
}

export function createNotifySendBackend(env: Env): Backend {
  return {
    async show(notice) {
      const urgency = isUrgent(notice) ? "critical" : "normal";
      await runProgram(["notify-send", "--app-name=moth", `--urgency=${urgency}`, "--", notice.title, markup(notice.body)], env);
    },
    withdraw: () => Promise.resolve(),
  };
}

/** app, replaces, icon, title, body, actions, hints, time: as GVariant texts. */
function notifyArgs(notice: Notice, withSound: boolean): string[] {
  const sound = withSound ? "'sound-name': <'message-new-instant'>" : "'suppress-sound': <true>";
  // 2 stays until it is withdrawn or closed; 1 goes by itself.
  const hints = `{'urgency': <byte ${isUrgent(notice) ? 2 : 1}>, 'category': <'im.received'>, ${sound}}`;
  return [gvariant("moth"), "0", gvariant(""), gvariant(notice.title), gvariant(markup(notice.body)), "[]", hints, "-1"];
}

function isUrgent({ about }: Notice): boolean {
  return about === "waits";
}

/** A string as GVariant writes it, in ASCII alone: the locale of gdbus may know nothing else. */
function gvariant(text: string): string {
  const escaped = Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (char === "'" || char === "\\") return `\\${char}`;
    if (code >= 0x20 && code < 0x7f) return char;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return `'${escaped.join("")}'`;
}

/** A body may hold markup; a folder's name must not become any. */
function markup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
