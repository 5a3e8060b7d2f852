import type { CardEvent, MothEvent, StateEvent } from "@moth-companion/core/protocol";
import { expect } from "vitest";
import type { HarnessDriver } from "./driver.ts";
import type { Finished } from "./processes.ts";
import type { Terminal } from "./terminal.ts";
import { LABEL, type World } from "./world.ts";

/** The only harness session that has asked the model so far. */
export function onlySession(world: World): string {
  const sessions = new Set(world.model.requests.flatMap((request) => request.session ?? []));
  expect([...sessions], "sessions that asked the model").toHaveLength(1);
  return [...sessions][0] ?? "";
}

/** The harness session that has asked the model last. */
export function newestSession(world: World): string {
  const session = world.model.requests.findLast((request) => request.session !== undefined)?.session;
  expect(session, "a session that asked the model").toBeDefined();
  return session ?? "";
}

/** The id of the newest event so far: what comes later is past it. */
export function lastId(world: World): number {
  return world.moth.events.at(-1)?.id ?? -1;
}

/** The replies moth has heard, in order, and that the log tells the same as the stream did. */
export async function heard(world: World, session?: string): Promise<string[]> {
  const log = await world.moth.log();
  const last = log.at(-1)?.id ?? -1;
  // The stream may be behind by a moment.
  if (last >= 0) await world.moth.event("the end of the log", (event) => event.id === last);
  const inStream = world.moth.events.filter((event) => event.id <= last);
  expect(inStream, "the event stream beside the log").toEqual(log);
  return log.flatMap((event) =>
    event.kind === "card" && (session === undefined || event.session === session) ? [event.text] : [],
  );
}

/** Waits for the card of a reply and checks whose it is. */
export async function card(world: World, text: string, more: { session?: string; label?: string } = {}): Promise<CardEvent> {
  const event = (await world.moth.event(
    `the reply ${JSON.stringify(text)}`,
    (one) => one.kind === "card" && one.text === text,
  )) as CardEvent;
  expect(event).toMatchObject({ label: more.label ?? LABEL, ...(more.session !== undefined && { session: more.session }) });
  return event;
}

export type StateWanted = Partial<Pick<StateEvent, "state" | "outcome" | "session">> & { after?: number };

/** Waits for a change of state later in the log than `after`. */
export async function state(world: World, wanted: StateWanted, within?: number): Promise<StateEvent> {
  const { after = -1, ...fields } = wanted;
  const match = (event: MothEvent): boolean =>
    event.kind === "state" &&
    event.id > after &&
    Object.entries(fields).every(([name, value]) => event[name as keyof StateEvent] === value);
  return (await world.moth.event(JSON.stringify(wanted), match, within)) as StateEvent;
}

/** The states of a session in order, as words: `waiting:permission`, `idle:done`. */
export function course(world: World, session: string): string[] {
  return world.moth.states(session).map((event) => {
    const detail = event.wait?.kind ?? (event.state === "idle" ? event.outcome : undefined);
    return detail ? `${event.state}:${detail}` : event.state;
  });
}

/** The run looked as it would without moth: the texts of its one turn, of which a harness may print only the last. */
export function expectPlain(harness: HarnessDriver, run: Finished, ...texts: string[]): void {
  const { code, stdout, stderr } = harness.withoutOwnNoise?.(run) ?? run;
  const printed = harness.printsEveryText ? texts.join("\n") : texts.at(-1);
  expect({ code, stdout: stdout.trimEnd(), stderr }).toEqual({ code: 0, stdout: printed, stderr: "" });
}

/** States of a session that was opened in a terminal, before its first prompt. */
export function opened(harness: HarnessDriver): string[] {
  return harness.silentUntilPrompted ? [] : ["idle"];
}

/** Lines of the screen that tell of a hook or plugin that failed. That one runs may be told of: a slow machine makes it last. */
export function complaints(terminal: Terminal): string[] {
  const complaint = /(?:hook|plugin|extension)\w*\b.*\b(?:fail|error|problem|timed)|\bran \d+ .*hook|ECONN/i;
  return terminal
    .screen()
    .split("\n")
    .filter((line) => complaint.test(line));
}

/** Nothing of moth's stands in what the model read. */
export function expectNothingReachedTheModel(world: World, token: string): void {
  const lines = world.moth.says().map((say) => say.text);
  for (const request of world.model.requests) {
    const text = `${JSON.stringify(request.headers)}${request.body}`;
    for (const foreign of [token, world.mothUrl, "moth-hook", ...lines]) expect(text).not.toContain(foreign);
  }
}
