/** A session as it outlives its moth on the disk: who, where and in which state. Nothing an agent wrote is in it. */
import { MAX_PANE_LENGTH } from "@moth-companion/core/pane";
import {
  MAX_ID_LENGTH,
  type Outcome,
  OUTCOMES,
  type WaitKind,
  WAIT_KINDS,
  type Want,
  WANTS,
} from "@moth-companion/core/protocol";
import { cleanFolder, cleanId, cleanLabel, oneLine } from "@moth-companion/core/text";
import * as z from "zod/mini";
import { type Entry, newEntry, withoutAsked } from "./session.ts";

/** As `Entry` has it. Times are milliseconds since 1970. */
export interface KeptSession {
  source: string;
  session: string;
  label: string;
  base: "working" | "idle";
  outcome?: Outcome | undefined;
  seq?: number | undefined;
  cleared?: number | undefined;
  /** Those that the person could see. */
  waits: { id: string; kind: WaitKind; tool?: string | undefined; seq?: number | undefined; opened: number }[];
  /** A hook has noted that it waits, and takes the note away when it waits no more, moth or no moth. */
  noted?: boolean | undefined;
  ended: [id: string, seq: number][];
  background: boolean;
  started?: number | undefined;
  since: number;
  heard: number;
  pid?: number | undefined;
  /** Tells its process from a later one of the same id. */
  start?: string | undefined;
  pane?: string | undefined;
  cwd?: string | undefined;
  /** The last turn that had a name, and the characters of its reply. */
  turn?: { id: string; chars: number } | undefined;
  unread?: Want | undefined;
  /** Milliseconds it had worked on its turn at `since`. */
  worked?: number | undefined;
}

/** The newest ends of waits that are kept: those whose reports may still be on their way. */
const MAX_ENDED = 8;
/** Characters of a tool's name, at most. */
const MAX_TOOL_LENGTH = 80;

/** A text that was clean when it was written. */
const clean = (as: (text: string) => string): z.ZodMiniString<string> => z.string().check(z.refine((text) => as(text) === text));
const id = clean(cleanId).check(z.minLength(1));
const time = z.number().check(z.nonnegative());
const seq = z.optional(time);
const line = (most: number): z.ZodMiniString<string> => clean(oneLine).check(z.maxLength(most));

const keptSchema = z.object({
  source: id,
  session: clean(cleanId),
  // Where none was told, an id stands for it.
  label: z.string().check(z.refine((text) => text !== "" && (cleanLabel(text) === text || cleanId(text) === text))),
  base: z.enum(["working", "idle"]),
  outcome: z.optional(z.enum(OUTCOMES)),
  seq,
  cleared: seq,
  waits: z.array(z.object({ id, kind: z.enum(WAIT_KINDS), tool: z.optional(line(MAX_TOOL_LENGTH)), seq, opened: time })),
  noted: z.optional(z.boolean()),
  ended: z.array(z.tuple([id, time])),
  background: z.boolean(),
  started: z.optional(time),
  since: time,
  heard: time,
  pid: z.optional(z.int().check(z.positive())),
  start: z.optional(line(MAX_ID_LENGTH)),
  pane: z.optional(line(MAX_PANE_LENGTH)),
  cwd: z.optional(clean(cleanFolder)),
  turn: z.optional(z.object({ id, chars: time })),
  unread: z.optional(z.enum(WANTS)),
  worked: z.optional(time),
});

/** What of a session is kept. Waits that nobody has seen yet are not. */
export function keptOf(entry: Entry & { base: KeptSession["base"] }): KeptSession {
  const { source, session, label, base, outcome, seq, cleared, background, started, since, heard, pid, pane, cwd } = entry;
  const { turn, chars } = entry;
  return {
    source,
    session,
    label,
    base,
    outcome,
    seq,
    cleared,
    background,
    started,
    since,
    heard,
    pid,
    pane,
    cwd,
    waits: entry.waits.flatMap(({ wait, seq, opened, shown }) =>
      shown ? [{ id: wait.id, kind: wait.kind, tool: wait.tool, seq, opened }] : [],
    ),
    ended: [...entry.ended].slice(-MAX_ENDED),
    turn: turn === undefined ? undefined : { id: turn, chars },
  };
}

/** Reads what was kept, if it is. */
export function readKept(value: unknown): KeptSession | undefined {
  const read = keptSchema.safeParse(value);
  return read.success ? read.data : undefined;
}

/**
 * A session as it was, `now` in milliseconds since 1970. Its waits are answered in its own window until its adapter tells of them anew.
 * @param shift milliseconds by which somebody has set the clock forward since
 */
export function entryOf(kept: KeptSession, now: number, shift: number): Entry {
  const at = (time: number): number => Math.min(now, time + shift);
  // Adapters count by the clock: what a clock that was set back has yet to reach would be newer than all that comes.
  const past = (seq: number | undefined): number | undefined => (seq === undefined || seq > now ? undefined : seq);
  const { label, base, outcome, background, pid, pane, cwd, turn } = kept;
  return {
    ...newEntry(kept.source, kept.session, now),
    label,
    base,
    outcome,
    background,
    pid,
    pane,
    cwd,
    seq: past(kept.seq),
    cleared: past(kept.cleared),
    waits: kept.waits.map(({ id, kind, tool, seq, opened }) => ({
      wait: withoutAsked({ id, kind, answerable: false, ...(tool !== undefined && { tool }) }),
      seq: past(seq),
      opened: at(opened),
      shown: true,
    })),
    ended: new Map(kept.ended.filter(([, seq]) => seq <= now)),
    started: kept.started === undefined ? undefined : at(kept.started),
    since: at(kept.since),
    heard: at(kept.heard),
    turn: turn?.id,
    chars: turn?.chars ?? 0,
    restored: now,
  };
}
