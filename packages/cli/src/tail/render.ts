/** moth's events as lines of text. */
import type {
  AnswerEvent,
  CardEvent,
  MothEvent,
  OrderEvent,
  SayEvent,
  StateEvent,
  ToolEvent,
  Wait,
} from "@moth-companion/core/protocol";
import { oneLine, replyText } from "@moth-companion/core/text";
import { waitWords } from "../ps/roster.ts";
import type { Style } from "../style.ts";
import { fit, wrap } from "../width.ts";

export interface View {
  /** undefined: no terminal, so nothing is wrapped. */
  columns: number | undefined;
  style: Style;
  /** A harness's short name by its id. */
  short(source: string): string;
  /** Only this session's turns and states: its label, with or without the suffix. moth's own lines always show. */
  session?: string;
}

/** A part of the tail, as it is kept to be drawn anew. */
export type Entry = MothEvent | { kind: "note"; text: string };

/** Without a terminal a reply's one line ends here. */
const PLAIN_WIDTH = 200;
const MOTH = "moth> ";
const YOU = "you> ";

/** Whether an event shows in the tail at all. */
export function isShown(event: MothEvent, session: string | undefined): boolean {
  switch (event.kind) {
    case "say":
    case "chat":
    case "tool":
      return true;
    case "card":
    case "answer":
    case "order":
      return isOf(event.label, session);
    case "state":
      return isOf(event.label, session) && stateWords(event) !== undefined;
    default:
      return false;
  }
}

/** Lines of entries in their order. A say names its session when the turn it speaks of is not right above it. */
export function createRenderer(): { lines(entry: Entry, view: View): string[] } {
  let above: { card: number; text: string } | undefined;
  /** What each session was last said to wait for. That it can be answered from here may become known a moment later, and is not said again. */
  const waits = new Map<string, Wait | undefined>();
  const isRepeat = ({ source, session, wait }: StateEvent): boolean => {
    const key = `${source} ${session}`;
    const last = waits.get(key);
    waits.set(key, wait);
    return wait !== undefined && wait.id === last?.id && wait.answerable && !last.answerable;
  };
  return {
    lines(entry, view) {
      switch (entry.kind) {
        case "card": {
          const text = cardLine(entry, view);
          above = { card: entry.id, text };
          return [view.style.dim(text)];
        }
        case "say": {
          const known = above?.card === entry.card ? above?.text : undefined;
          return sayLines(entry, known, view);
        }
        case "chat":
          above = undefined;
          return hang(YOU, entry.text, view, view.style.dim);
        case "state":
          if (isRepeat(entry)) return [];
          above = undefined;
          return stateLines(entry, view);
        case "answer":
          above = undefined;
          return [view.style.dim(answerLine(entry, view))];
        case "order":
          above = undefined;
          return [view.style.dim(orderLine(entry, view))];
        case "tool":
          return [view.style.dim(toolLine(entry, view))];
        case "note":
          return cut(entry.text, view).map(view.style.dim);
        default:
          return [];
      }
    },
  };
}

function cardLine(card: CardEvent, view: View): string {
  const verb = { done: "said", failed: "failed", interrupted: "was interrupted", limit: "hit its limit" }[card.outcome] ?? "said";
  return fit(`${caption(card, view)} ${verb}: ${plainText(replyText(card))}`, view.columns ?? PLAIN_WIDTH);
}

/** Who answered, and what: another display may have. */
function answerLine(answer: AnswerEvent, view: View): string {
  const said = [answer.choice, answer.text && `"${plainText(answer.text)}"`].filter(Boolean).join(" ");
  return fit(`${caption(answer, view)} was answered: ${said} (${answer.by})`, view.columns ?? PLAIN_WIDTH);
}

/** What a session was told to do, from here or elsewhere. */
function orderLine(order: OrderEvent, view: View): string {
  const told = order.do === "abort" ? "was told to stop" : `was told: "${plainText(order.text ?? "")}"`;
  return fit(`${caption(order, view)} ${told} (${order.by})`, view.columns ?? PLAIN_WIDTH);
}

function sayLines(say: SayEvent, above: string | undefined, view: View): string[] {
  const { style } = view;
  const whose = say.card !== undefined && above === undefined && say.source ? ` ${style.dim(`(${caption(say, view)})`)}` : "";
  const quote = say.quote && !above?.includes(say.quote) ? cut(`“${say.quote}”`, view, MOTH.length) : [];
  return [...hang(MOTH, say.text + whose, view, style.lamp), ...quote.map((line) => " ".repeat(MOTH.length) + style.dim(line))];
}

/** What moth did in its home, as one would type it. */
function toolLine({ text, error }: ToolEvent, view: View): string {
  return fit(`$ ${text}${error === undefined ? "" : ` (${error})`}`, view.columns ?? PLAIN_WIDTH);
}

function stateLines(event: StateEvent, view: View): string[] {
  const text = `${caption(event, view)} ${stateWords(event) ?? event.state}`;
  // A session that waits wants the person, so nothing of it is cut; what merely ended does not.
  return event.state === "waiting" ? cut(text, view) : [view.style.dim(fit(text, view.columns ?? PLAIN_WIDTH))];
}

function stateWords(event: StateEvent): string | undefined {
  if (event.state === "waiting") {
    if (!event.wait) return "waits for you";
    const { why } = event.wait;
    return `waits for ${waitWords(event.wait)}${why === undefined ? "" : `, in its own window. ${why}`}`;
  }
  if (event.state === "working") return undefined;
  if (event.outcome === "interrupted") return "was interrupted";
  if (event.outcome === "failed") return "failed";
  return event.outcome === "limit" ? "hit its limit" : undefined;
}

/** How a session is called. */
export function caption(about: { source?: string; label?: string }, view: Pick<View, "short">): string {
  const parts = [about.source ? view.short(about.source) : "", about.label ?? ""].filter((part) => part !== "");
  return parts.join(" · ");
}

/** The text after its speaker, further lines below its beginning. */
function hang(speaker: string, text: string, view: View, paint: (text: string) => string): string[] {
  return cut(text, view, speaker.length).map(
    (line, index) => (index === 0 ? paint(speaker.trimEnd()) + " " : " ".repeat(speaker.length)) + line,
  );
}

function cut(text: string, view: View, indent = 0): string[] {
  return view.columns === undefined ? text.split("\n") : wrap(text, view.columns - indent);
}

/** A reply's beginning on one line, without code and without the marks of Markdown that only matter when it is laid out. */
function plainText(text: string): string {
  const head = text.slice(0, 4000);
  const prose = head
    .replace(/^\s*```[^]*?(?:^\s*```|$(?![^]))/gm, "")
    .replace(/^\s*#{1,6}\s+(.*?)[.:]?\s*$/gm, "$1:")
    .replace(/^\s*(?:>|[-*+])\s+/gm, "");
  return oneLine(prose.replace(/\*\*|__|`/g, "")) || oneLine(head);
}

/** Whether it is the session that is wanted: by its label, with or without the end of its id. */
export function isOf(label: string, session: string | undefined): boolean {
  if (session === undefined) return true;
  const wanted = session.toLowerCase();
  const given = label.toLowerCase();
  return given === wanted || given.replace(/ \([^()]*\)$/, "") === wanted;
}
