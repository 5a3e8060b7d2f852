/** What moth answers, read once at the door: behind it nothing looks at raw JSON, and nothing a terminal would obey is left in it. */
import type {
  HealthAnswer,
  LogAnswer,
  MothEvent,
  NotifyAnswer,
  Reply,
  Session,
  SessionsAnswer,
  Wait,
} from "@moth-companion/core/protocol";
import { ORDER_KINDS, OUTCOMES, STATES, WAIT_KINDS } from "@moth-companion/core/protocol";
import { cleanFolder, cleanText, oneLine } from "@moth-companion/core/text";

type Fields = Readonly<Record<string, unknown>>;

export function readHealth(json: unknown): HealthAnswer | undefined {
  if (!isObject(json) || json["name"] !== "moth") return undefined;
  const { version, protocol, pid } = json;
  return {
    name: "moth",
    version: typeof version === "string" ? oneLine(version).slice(0, 40) : "unknown",
    protocol: typeof protocol === "number" ? protocol : 0,
    pid: Number.isSafeInteger(pid) ? Number(pid) : 0,
  };
}

export function readRefusal(json: unknown): { code: string; message: string } | undefined {
  const error = isObject(json) ? json["error"] : undefined;
  if (!isObject(error) || typeof error["code"] !== "string") return undefined;
  return { code: oneLine(error["code"]), message: oneLine(textOf(error["message"])) };
}

export function readSessions(json: unknown): SessionsAnswer | undefined {
  if (!isObject(json) || !Array.isArray(json["sessions"])) return undefined;
  const sessions = json["sessions"].map(readSession).filter((session) => session !== undefined);
  const next = typeof json["next"] === "number" ? json["next"] : 0;
  return { epoch: textOf(json["epoch"]), next, sessions, ...(json["away"] === true && { away: true }) };
}

/** Events of a kind this version does not know are left out: an older display must live with a newer server. */
export function readLog(json: unknown): LogAnswer | undefined {
  if (!isObject(json) || !Array.isArray(json["events"]) || typeof json["next"] !== "number") return undefined;
  const events = json["events"].map(readEvent).filter((event) => event !== undefined);
  return { epoch: textOf(json["epoch"]), next: json["next"], events };
}

/** @returns null when no reply was heard; undefined: this is no such answer */
export function readLast(json: unknown): Reply | null | undefined {
  const reply = isObject(json) ? json["reply"] : undefined;
  if (reply === null) return null;
  if (!isObject(reply) || typeof reply["text"] !== "string" || !isOneOf(reply["outcome"], OUTCOMES)) return undefined;
  const { text, chars, outcome, time } = reply;
  return { text: cleanText(text), ...(typeof chars === "number" && { chars }), outcome, time: Number(time) };
}

/** A link to moth's page. It is handed to a program that opens it, so it must lead to this very moth. */
export function readLink(json: unknown, url: string): string | undefined {
  const link = isObject(json) ? textOf(json["url"]) : "";
  return link.startsWith(`${url}/open?key=`) && /^[\w-]+$/.test(link.slice(url.length + 10)) ? link : undefined;
}

export function readNotify(json: unknown): NotifyAnswer | undefined {
  if (!isObject(json) || typeof json["on"] !== "boolean") return undefined;
  const { on, by, problems, silent, muted } = json;
  return {
    on,
    by: textsOf(by),
    problems: textsOf(problems),
    silent: silent === true,
    muted: Array.isArray(muted) ? muted.map(readMute) : [],
  };
}

function readMute(json: unknown): NotifyAnswer["muted"][number] {
  const { source, session, until } = isObject(json) ? cleaned(json) : {};
  const whose = typeof source === "string" ? { source, session: textOf(session) } : {};
  return { ...whose, until: typeof until === "number" ? until : null };
}

function readSession(json: unknown): Session | undefined {
  if (!isObject(json) || !isOneOf(json["state"], STATES) || typeof json["source"] !== "string") return undefined;
  const clean = cleaned(json);
  if (json["state"] !== "waiting") return clean as unknown as Session;
  return { ...clean, wait: readWait(json["wait"]) } as unknown as Session;
}

function readEvent(json: unknown): MothEvent | undefined {
  if (!isObject(json) || typeof json["id"] !== "number") return undefined;
  const clean = cleaned(json);
  switch (json["kind"]) {
    case "card":
    case "say":
    case "chat":
    case "tool":
      return typeof json["text"] === "string" ? (clean as unknown as MothEvent) : undefined;
    case "notice": {
      const { notice, title, body, by } = clean;
      if (typeof notice !== "string" || typeof title !== "string") return undefined;
      return { ...clean, body: textOf(body), by: textsOf(by) } as unknown as MothEvent;
    }
    case "withdrawn":
      return typeof json["notice"] === "string" ? (clean as unknown as MothEvent) : undefined;
    case "order":
      return isOneOf(json["do"], ORDER_KINDS) ? (clean as unknown as MothEvent) : undefined;
    case "answer":
    case "seen":
    case "skip":
      return clean as unknown as MothEvent;
    case "state": {
      if (!isOneOf(json["state"], STATES)) return undefined;
      return (json["state"] === "waiting" ? { ...clean, wait: readWait(json["wait"]) } : clean) as unknown as MothEvent;
    }
    default:
      return undefined;
  }
}

function readWait(json: unknown): Wait {
  const clean = isObject(json) ? cleaned(json) : {};
  const kind = isOneOf(clean["kind"], WAIT_KINDS) ? clean["kind"] : "permission";
  const options = Array.isArray(clean["options"]) ? { options: textsOf(clean["options"]) } : {};
  return { ...clean, answerable: clean["answerable"] === true, id: textOf(clean["id"]), kind, ...options };
}

/** Its texts made fit for a terminal: a reply keeps its lines, everything else has one; a folder that is none is empty. */
function cleaned(json: Fields): Fields {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, typeof value === "string" ? fit(key, value) : value]),
  );
}

function fit(key: string, value: string): string {
  if (key === "text") return cleanText(value);
  // As it stands, or not at all: with a character less it is another folder.
  return key === "cwd" ? cleanFolder(value) : oneLine(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOneOf<T extends string>(value: unknown, words: readonly T[]): value is T {
  return words.some((word) => word === value);
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").map(oneLine) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
