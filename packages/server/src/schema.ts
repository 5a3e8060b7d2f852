/** Request bodies, checked once at the door: unknown in, clean reports out, or a sentence that names the field. */
import {
  type AnswerRequest,
  type ChatRequest,
  type EnterRequest,
  ORDER_KINDS,
  type OrderRequest,
  OUTCOMES,
  type ReportOrigin,
  type StateReport,
  STATES,
  type TurnReport,
  type Wait,
  WAIT_KINDS,
} from "@moth-companion/core/protocol";
import { MAX_PANE_LENGTH } from "@moth-companion/core/pane";
import { cleanFolder, cleanId, cleanLabel, cleanText, cutText, oneLine, showsAny } from "@moth-companion/core/text";
import type { Taken } from "@moth-companion/harnesses";
import * as z from "zod/mini";
import type { Whom } from "./notify/notifier.ts";
import { cleanOption, MAX_OPTIONS, MAX_WAIT_TEXT, whyNotWhole } from "./shows-whole.ts";

type Checked<T> = { ok: true; value: T } | { ok: false; message: string };

/** The body of a post: the shape that is asked for, which `docs/openapi.json` is made from, and what is read of it. */
export interface Body<T> {
  schema: z.ZodMiniType;
  read: (body: unknown) => Checked<T>;
}

/** Characters of a tool's name. */
const MAX_NAME = 80;
/** Characters of a sentence that says why something is not. */
const MAX_PROBLEM = 300;

const text = z.string("must be a string");
const filledId = text.check(z.regex(/\S/, "must not be empty"));
const filledText = filledId.check(z.refine((value) => cleanText(value).trim() !== "", "must not be empty"));
const bool = z.boolean("must be true or false");
const number = z.number("must be a number");
const pid = number.check(z.int("must be a process id"), z.positive("must be a process id"));
const seq = number.check(z.nonnegative("must be zero or more"));
const chars = number.check(z.int("must be a number of characters"), z.positive("must be a number of characters"));

/** null counts as not given: a Python adapter writes None for what it does not know. */
function maybe<T extends z.ZodMiniType>(schema: T): z.ZodMiniOptional<z.ZodMiniNullable<T>> {
  return z.optional(z.nullable(schema));
}

function oneOf<const T extends string>(words: readonly T[]): z.ZodMiniType<T> {
  return z.enum(words, `must be one of ${words.join(", ")}`) as z.ZodMiniType<T>;
}

const origin = { source: filledId, session: maybe(text), label: maybe(text), seq: maybe(seq), pid: maybe(pid), cwd: maybe(text) };

const waitSchema = z.object(
  {
    id: filledId,
    kind: oneOf(WAIT_KINDS),
    tool: maybe(text),
    text: maybe(text),
    options: maybe(z.array(text, "must be a list of strings")),
    answerable: maybe(bool),
    why: maybe(text),
    expires: maybe(number),
  },
  "must be an object",
);

const turnSchema = z.object({
  ...origin,
  text: maybe(text),
  chars: maybe(chars),
  outcome: maybe(oneOf(OUTCOMES)),
  turn: maybe(text),
  state: maybe(oneOf(["idle", "working"])),
});

const stateSchema = z.object({
  ...origin,
  state: oneOf(STATES),
  wait: maybe(waitSchema),
  ended: maybe(text),
  outcome: maybe(oneOf(OUTCOMES)),
  pane: maybe(text),
});

const enterSchema = z.object({ key: filledId });
const chatSchema = z.object({ text: filledText });
/** One session, or, without a source, all of them. */
const whom = { source: maybe(filledId), session: maybe(text) };
const seenSchema = z.object(whom);
const muteSchema = z.object({
  ...whom,
  seconds: maybe(number.check(z.positive("must be more than zero"))),
  off: maybe(bool),
});
const answerSchema = z.object({
  source: filledId,
  session: maybe(text),
  wait: filledId,
  choice: maybe(text),
  text: maybe(text),
  by: maybe(text),
});
const orderSchema = z.object({ ...whom, source: filledId, do: oneOf(ORDER_KINDS), text: maybe(text), by: maybe(text) });
const takenSchema = z.object({ id: filledId, taken: bool, problem: maybe(text) });
const resetSchema = z.object({ everything: maybe(bool) });

export const turnBody: Body<TurnReport> = body(
  turnSchema,
  (report) => {
    const text = cleanText(report.text ?? "").trim();
    return {
      ...cleanOrigin(report),
      text,
      ...((text === "" || (report.chars ?? 0) > text.length) && given("chars", report.chars)),
      ...given("outcome", report.outcome),
      ...given("turn", report.turn, cleanId),
      ...given("state", report.state),
    };
  },
  (clean, { text }) => {
    if (clean.text !== "" || clean.chars !== undefined) return undefined;
    return `text: ${typeof text === "string" ? "must not be empty" : "must be a string"}`;
  },
);

export const stateBody: Body<StateReport> = body(
  stateSchema,
  (report) => ({
    ...cleanOrigin(report),
    state: report.state,
    ...(report.wait && report.state === "waiting" ? { wait: cleanWait(report.wait) } : {}),
    ...given("ended", report.ended, cleanId),
    ...given("outcome", report.outcome),
    ...given("pane", report.pane, cleanPane),
  }),
  ({ state, wait }) => (state === "waiting" && !wait ? "wait: must be given when state is waiting" : undefined),
);

export const enterBody: Body<EnterRequest> = body(enterSchema, (enter) => enter);

export const chatBody: Body<ChatRequest> = body(chatSchema, (chat) => ({ text: cleanText(chat.text).trim() }));

export const answerBody: Body<Required<Pick<AnswerRequest, "session" | "by">> & AnswerRequest> = body(
  answerSchema,
  (answer) => ({
    source: cleanId(answer.source),
    session: cleanId(answer.session ?? ""),
    wait: cleanId(answer.wait),
    by: cutText(oneLine(answer.by ?? ""), MAX_NAME) || "unknown",
    ...given("choice", answer.choice),
    ...given("text", answer.text, (value) => cleanText(value).trim()),
  }),
  ({ choice, text }) => (choice === undefined && !text ? "choice: must be given, or text" : undefined),
);

export const orderBody: Body<OrderRequest> = body(
  orderSchema,
  (order) => ({
    source: cleanId(order.source),
    session: cleanId(order.session ?? ""),
    do: order.do,
    by: cutText(oneLine(order.by ?? ""), MAX_NAME) || "unknown",
    ...given("text", order.text, (value) => cleanText(value).trim()),
  }),
  (order) => (order.do === "prompt" && !showsAny(order.text ?? "") ? "text: must be given, and not be empty" : undefined),
);

export const takenBody: Body<{ id: string; taken: Taken }> = body(takenSchema, ({ id, taken, problem }) => ({
  id,
  taken: taken
    ? { taken }
    : { taken, problem: cutText(oneLine(problem ?? ""), MAX_PROBLEM) || "Its harness did not take the answer." },
}));

/** Whom a display has looked at; undefined: everybody. */
export const seenBody: Body<{ whom: Whom }> = body(seenSchema, (seen) => ({ whom: cleanWhom(seen) }));

/** Whom to mute and for how many seconds, or whom no longer. */
export const muteBody: Body<{ whom: Whom; seconds: number | undefined; off: boolean }> = body(muteSchema, (mute) => ({
  whom: cleanWhom(mute),
  seconds: mute.seconds ?? undefined,
  off: mute.off ?? false,
}));

export const resetBody: Body<{ everything: boolean }> = body(resetSchema, ({ everything }) => ({
  everything: everything ?? false,
}));

/** An object, whatever is in it. */
export const emptyBody: Body<object> = body(z.object({}), (nothing) => nothing);

function cleanWhom({ source, session }: { source?: string | null | undefined; session?: string | null | undefined }): Whom {
  return source ? { source: cleanId(source), session: cleanId(session ?? "") } : undefined;
}

/** @param problem what is wrong with fields that are right each for itself; it is given the body too, as it came */
function body<S extends z.ZodMiniType, T>(
  schema: S,
  clean: (value: z.output<S>) => T,
  problem: (value: T, given: z.output<S>) => string | undefined = () => undefined,
): Body<T> {
  return {
    schema,
    read(given) {
      const result = schema.safeParse(given);
      if (!result.success) {
        const issue = result.error.issues[0]!;
        return { ok: false, message: `${issue.path.join(".")}: ${issue.message}` };
      }
      const value = clean(result.data);
      const message = problem(value, result.data);
      return message === undefined ? { ok: true, value } : { ok: false, message };
    },
  };
}

/** One that is too long names nothing: cut, it would name another. */
function cleanPane(pane: string): string {
  const clean = oneLine(pane);
  return clean.length > MAX_PANE_LENGTH ? "" : clean;
}

type Origin = z.output<z.ZodMiniObject<typeof origin>>;

function cleanOrigin(report: Origin): ReportOrigin {
  return {
    source: cleanId(report.source),
    ...given("session", report.session, cleanId),
    ...given("label", report.label, cleanLabel),
    ...given("seq", report.seq),
    ...given("pid", report.pid),
    ...given("cwd", report.cwd, cleanFolder),
  };
}

function cleanWait(wait: z.output<typeof waitSchema>): Wait {
  const hides = whyNotWhole(wait);
  const answerable = (wait.answerable ?? false) && hides === undefined;
  return {
    id: cleanId(wait.id),
    kind: wait.kind,
    ...given("tool", wait.tool, (tool) => cutText(oneLine(tool), MAX_NAME)),
    ...given("text", wait.text, (text) => cutText(cleanText(text), MAX_WAIT_TEXT)),
    ...given("options", wait.options, (options) => options.slice(0, MAX_OPTIONS).map(cleanOption)),
    answerable,
    ...given("why", answerable ? undefined : (wait.why ?? hides), (why) => cutText(oneLine(why), MAX_PROBLEM)),
    ...given("expires", wait.expires),
  };
}

/** A field, cleaned, or no field at all when it was not given or nothing is left of it. */
function given<K extends string, V>(key: K, value: V | null | undefined, clean = (value: V): V => value): { [P in K]?: V } {
  if (value === null || value === undefined) return {};
  const cleaned = clean(value);
  return cleaned === "" ? {} : ({ [key]: cleaned } as { [P in K]?: V });
}
