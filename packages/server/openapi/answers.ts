/** What the server answers, as schemas. Each is of just the type in `core`, or the types do not pass; a running server's answers are tried against them. */
import type {
  AnswerEvent,
  CardEvent,
  ChatAnswer,
  ChatEvent,
  EnterAnswer,
  FetchedAnswer,
  FetchedOrder,
  HealthAnswer,
  LastAnswer,
  LogAnswer,
  MothEvent,
  NoticeEvent,
  NotifyAnswer,
  OkAnswer,
  OpenAnswer,
  OrderEvent,
  Reply,
  SayEvent,
  SaysAnswer,
  SeenEvent,
  Session,
  SessionsAnswer,
  SkipEvent,
  StateEvent,
  StreamEpoch,
  TakenAnswer,
  ToolEvent,
  TurnAnswer,
  Wait,
  WithdrawnEvent,
} from "@moth-companion/core/protocol";
import { ORDER_KINDS, OUTCOMES, STATES, TURN_CLASSES, WAIT_KINDS, WANTS } from "@moth-companion/core/protocol";
import * as z from "zod/mini";

/** The schemas that have a name in the document: that of their type in `core`. */
export const named: z.core.$ZodRegistry<{ id: string }> = z.registry<{ id: string }>();

type Flat<T> = T extends readonly (infer E)[] ? Flat<E>[] : T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- two types are the same to the letter when this cannot tell them apart
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Exactly<T, S extends z.ZodMiniType> = Same<Flat<z.output<S>>, Flat<T>> extends true ? unknown : "not of the type in core";

function name<T>(id: string): <S extends z.ZodMiniType>(schema: S & Exactly<T, S>) => S {
  return (schema) => {
    named.add(schema, { id });
    return schema;
  };
}

function words<const T extends readonly string[]>(id: string, list: T): z.ZodMiniEnum<{ [W in T[number]]: W }> {
  return name<T[number]>(id)(z.enum(list) as never);
}

const text = z.string();
const maybe = z.exactOptional(text);
const count = z.int().check(z.nonnegative());
const state = words("State", STATES);
const outcome = words("Outcome", OUTCOMES);
const turnClass = words("TurnClass", TURN_CLASSES);
const waitKind = words("WaitKind", WAIT_KINDS);
const orderKind = words("OrderKind", ORDER_KINDS);
const want = words("Want", WANTS);

const wait = name<Wait>("Wait")(
  z.object({
    id: text,
    kind: waitKind,
    tool: maybe,
    text: maybe,
    options: z.exactOptional(z.array(text)),
    answerable: z.boolean(),
    why: maybe,
    expires: z.exactOptional(z.number()),
  }),
);

const row = {
  source: text,
  session: text,
  label: text,
  since: z.number(),
  heard: z.number(),
  active: z.boolean(),
  pid: z.exactOptional(count),
  pane: maybe,
  cwd: maybe,
  takes: z.exactOptional(z.array(orderKind)),
  unread: z.exactOptional(want),
};
const session = name<Session>("Session")(
  z.discriminatedUnion("state", [
    name<Extract<Session, { state: "waiting" }>>("WaitingSession")(z.object({ ...row, state: z.literal("waiting"), wait })),
    name<Extract<Session, { state: "working" }>>("WorkingSession")(z.object({ ...row, state: z.literal("working") })),
    name<Extract<Session, { state: "idle" | "gone" }>>("RestingSession")(
      z.object({ ...row, state: z.enum(["idle", "gone"]), outcome: z.exactOptional(outcome) }),
    ),
  ]),
);

const base = { id: count, time: z.number() };
const whose = { source: text, session: text, label: text };
const maybeWhose = { source: maybe, session: maybe, label: maybe };
const event = name<MothEvent>("MothEvent")(
  z.discriminatedUnion("kind", [
    name<CardEvent>("CardEvent")(
      z.object({
        ...base,
        kind: z.literal("card"),
        ...whose,
        text,
        chars: z.exactOptional(count),
        outcome,
        class: turnClass,
        took: z.exactOptional(z.number()),
      }),
    ),
    name<SayEvent>("SayEvent")(
      z.object({
        ...base,
        kind: z.literal("say"),
        text,
        quote: maybe,
        names: z.exactOptional(z.array(text)),
        card: z.exactOptional(count),
        chat: z.exactOptional(count),
        ...maybeWhose,
      }),
    ),
    name<SkipEvent>("SkipEvent")(
      z.object({ ...base, kind: z.literal("skip"), card: count, reason: z.enum(["batch", "rate", "voice"]) }),
    ),
    name<ChatEvent>("ChatEvent")(z.object({ ...base, kind: z.literal("chat"), text })),
    name<ToolEvent>("ToolEvent")(
      z.object({ ...base, kind: z.literal("tool"), text, error: maybe, card: z.exactOptional(count), ...maybeWhose }),
    ),
    name<StateEvent>("StateEvent")(
      z.object({
        ...base,
        kind: z.literal("state"),
        ...whose,
        state,
        wait: z.exactOptional(wait),
        outcome: z.exactOptional(outcome),
      }),
    ),
    name<NoticeEvent>("NoticeEvent")(
      z.object({
        ...base,
        kind: z.literal("notice"),
        notice: text,
        about: z.enum([...WANTS, "several", "digest", "test"]),
        title: text,
        body: text,
        by: z.array(text),
        ...maybeWhose,
      }),
    ),
    name<WithdrawnEvent>("WithdrawnEvent")(z.object({ ...base, kind: z.literal("withdrawn"), notice: text })),
    name<SeenEvent>("SeenEvent")(z.object({ ...base, kind: z.literal("seen"), source: maybe, session: maybe })),
    name<AnswerEvent>("AnswerEvent")(
      z.object({
        ...base,
        kind: z.literal("answer"),
        ...whose,
        wait: text,
        about: waitKind,
        choice: maybe,
        text: maybe,
        by: text,
      }),
    ),
    name<OrderEvent>("OrderEvent")(
      z.object({ ...base, kind: z.literal("order"), ...whose, do: orderKind, text: maybe, by: text }),
    ),
  ]),
);

const place = { epoch: text, next: count };
const ok = { ok: z.literal(true) };
const reply = name<Reply>("Reply")(z.object({ text, chars: z.exactOptional(count), outcome, time: z.number() }));

name<OkAnswer>("OkAnswer")(z.object(ok));
name<TurnAnswer>("TurnAnswer")(z.object({ ...ok, duplicate: z.exactOptional(z.literal(true)) }));
name<ChatAnswer>("ChatAnswer")(z.object({ ...ok, chat: count, epoch: text }));
name<TakenAnswer>("TakenAnswer")(z.object({ ok: z.boolean() }));
name<OpenAnswer>("OpenAnswer")(z.object({ url: text }));
name<EnterAnswer>("EnterAnswer")(z.object({ pageKey: text }));
name<HealthAnswer>("HealthAnswer")(z.object({ name: z.literal("moth"), version: text, protocol: count, pid: count }));
name<SaysAnswer>("SaysAnswer")(z.object({ ...place, says: z.array(z.object({ text, quote: maybe })) }));
name<SessionsAnswer>("SessionsAnswer")(
  z.object({ ...place, sessions: z.array(session), away: z.exactOptional(z.literal(true)) }),
);
name<LastAnswer>("LastAnswer")(z.object({ reply: z.nullable(reply) }));
name<LogAnswer>("LogAnswer")(z.object({ ...place, events: z.array(event) }));
name<StreamEpoch>("StreamEpoch")(z.object(place));
name<FetchedAnswer>("FetchedAnswer")(z.object({ id: maybe, choice: maybe, text: maybe, over: z.exactOptional(z.literal(true)) }));
name<FetchedOrder>("FetchedOrder")(z.object({ id: maybe, do: z.exactOptional(orderKind), text: maybe }));
name<NotifyAnswer>("NotifyAnswer")(
  z.object({
    on: z.boolean(),
    by: z.array(text),
    problems: z.array(text),
    silent: z.boolean(),
    muted: z.array(z.object({ source: maybe, session: maybe, until: z.nullable(z.number()) })),
  }),
);
