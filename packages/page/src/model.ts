/** The log as the page shows it: a card with the line that answers it, and the talk with moth. Pure, and bounded. */
import type {
  AnswerEvent,
  CardEvent,
  ChatEvent,
  MothEvent,
  OrderEvent,
  SayEvent,
  SkipEvent,
  ToolEvent,
} from "@moth-companion/core/protocol";

export interface Card {
  kind: "card";
  /** Of the event it came with; larger is newer. */
  id: number;
  card: CardEvent;
  /** moth's line about it. */
  say?: SayEvent;
  /** What moth did in its home on the way to that line. */
  tools?: readonly ToolEvent[];
  /** Why moth let it pass. */
  skip?: SkipEvent["reason"];
}

/** Whatever is shown as one piece. Never changed in place: what is the same object looks the same. */
export type Item =
  | Card
  | { kind: "chat"; id: number; chat: ChatEvent }
  | { kind: "say"; id: number; say: SayEvent }
  | { kind: "tool"; id: number; tool: ToolEvent }
  | { kind: "answer"; id: number; answer: AnswerEvent }
  | { kind: "order"; id: number; order: OrderEvent };

export interface Model {
  /** Another number after every change. */
  readonly version: number;
  readonly items: readonly Item[];
  /** Cards moth let pass, of those still here. */
  readonly skipped: number;
  add(event: MothEvent): void;
  clear(): void;
}

export interface ModelLimits {
  items: number;
  /** Characters of all cards together. */
  text: number;
}

const LIMITS: ModelLimits = { items: 12_000, text: 16 * 1024 * 1024 };

export function createModel(limits: ModelLimits = LIMITS): Model {
  let items: Item[] = [];
  /** How many items fell out in front, so that a card's place stays known. */
  let dropped = 0;
  let text = 0;
  let skipped = 0;
  let version = 0;
  const places = new Map<number, number>();

  function push(item: Item): void {
    if (item.kind === "card") places.set(item.id, dropped + items.length);
    items.push(item);
    text += sizeOf(item);
    if (items.length > limits.items || text > limits.text) shrink();
  }

  /** Lets a tenth go at once: cheaper than one each time. */
  function shrink(): void {
    let count = 0;
    while (count < items.length - 1 && (items.length - count > limits.items * 0.9 || text > limits.text * 0.9)) {
      const item = items[count++]!;
      text -= sizeOf(item);
      if (item.kind !== "card") continue;
      places.delete(item.id);
      if (item.skip) skipped--;
    }
    items = items.slice(count);
    dropped += count;
  }

  /** Replaces a card by itself with something more. Its being gone is no mistake. */
  function extend(id: number, more: (card: Card) => Pick<Card, "say" | "skip" | "tools">): void {
    const place = places.get(id);
    const old = place === undefined ? undefined : items[place - dropped];
    if (place === undefined || old?.kind !== "card") return;
    const grown = { ...old, ...more(old) };
    items[place - dropped] = grown;
    if (grown.skip && !old.skip) skipped++;
  }

  return {
    get version() {
      return version;
    },
    get items() {
      return items;
    },
    get skipped() {
      return skipped;
    },
    add(event) {
      version++;
      if (event.kind === "card") push({ kind: "card", id: event.id, card: event });
      else if (event.kind === "chat") push({ kind: "chat", id: event.id, chat: event });
      else if (event.kind === "skip") extend(event.card, () => ({ skip: event.reason }));
      else if (event.kind === "say" && event.card !== undefined && places.has(event.card))
        extend(event.card, () => ({ say: event }));
      else if (event.kind === "say") push({ kind: "say", id: event.id, say: event });
      else if (event.kind === "tool" && event.card !== undefined && places.has(event.card))
        extend(event.card, ({ tools = [] }) => ({ tools: [...tools, event] }));
      else if (event.kind === "tool") push({ kind: "tool", id: event.id, tool: event });
      else if (event.kind === "answer") push({ kind: "answer", id: event.id, answer: event });
      else if (event.kind === "order") push({ kind: "order", id: event.id, order: event });
    },
    clear() {
      version++;
      items = [];
      places.clear();
      dropped = text = skipped = 0;
    },
  };
}

/** Which session a filter names. */
export interface Filter {
  source: string;
  session: string;
}

/** The items a filter leaves: that session's cards and what it was told, and all that moth and the person said to each other. */
export function filtered(items: readonly Item[], filter: Filter | undefined): readonly Item[] {
  if (!filter) return items;
  return items.filter((item) => {
    const about = aboutOf(item);
    return !about || (about.source === filter.source && about.session === filter.session);
  });
}

/** Whose it is; undefined: moth's and the person's own. */
function aboutOf(item: Item): CardEvent | AnswerEvent | OrderEvent | undefined {
  switch (item.kind) {
    case "card":
      return item.card;
    case "answer":
      return item.answer;
    case "order":
      return item.order;
    default:
      return undefined;
  }
}

function sizeOf(item: Item): number {
  if (item.kind === "order") return 200 + (item.order.text?.length ?? 0);
  if (item.kind === "answer") return 200 + (item.answer.text?.length ?? 0);
  return item.kind === "card" ? item.card.text.length : 200;
}
