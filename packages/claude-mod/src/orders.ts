/**
 * What the person has this session do from elsewhere: a message is submitted as their own next prompt, a turn is ended as by Escape.
 * Claude Code would take two prompts that wait for one turn as one, so the next is handed over when the one before has begun.
 */
import { type Asked, askMoth } from "./ask-moth.ts";
import type { Answer, Told } from "./asking.ts";
import type { Engine } from "./host.ts";

/** Messages that wait at once, at most. */
const MAX_WAITING = 16;
/** It takes a prompt at once when it is idle; hooks of the person's may hold that up. moth waits for five seconds. */
const BEGIN_MS = 3000;
/** What it refuses, it refuses at once. */
const REFUSE_MS = 500;
/** Escape in the window drops a prompt that waits: it is handed over again that often, each time when a turn has begun. */
const MAX_TRIES = 4;

/** The session that is listened for. */
let session = "";
let asked: Asked | undefined;
/** The turn that runs. */
let turn: string | undefined;
/** The newest message, begun or not, and how many have not. */
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;
/** Counts the sessions of this process: what was meant for one is not for the next. */
let era = 0;
/** Those who wait for a turn. */
let tellTurn: (() => void)[] = [];

interface Message {
  text: string;
  era: number;
  /** Its sender has been told that it is taken. */
  isTold: boolean;
}

export function turnBegan(id: string): void {
  turn = id;
  wake();
}

/** Another session takes this one's place, or none. */
export function sessionEnded($: Engine): void {
  era++;
  turn = undefined;
  listenFor($, "");
  wake();
}

function wake(): void {
  for (const tell of tellTurn) tell();
  tellTurn = [];
}

export function turnEnded(id: string): void {
  if (turn === id) turn = undefined;
}

/** Listens for this session, or for none. To be called at every event: listens anew where moth was away. */
export function listenFor($: Engine, id: string): void {
  if (session === id) return;
  asked?.stop();
  session = id;
  if (id !== "") void serve($, id);
}

async function serve($: Engine, id: string): Promise<void> {
  let told: Told | undefined;
  for (;;) {
    asked = askMoth($, { orders: id, ...(told && { told }) });
    // oxlint-disable-next-line no-await-in-loop -- one order after the other
    const answer = await asked.answer;
    if (session !== id) return;
    const order = answer?.order;
    if (!order) break;
    // oxlint-disable-next-line no-await-in-loop -- as above
    told = { id: order.id, ...(await take($, order)) };
  }
  session = "";
}

async function take($: Engine, { do: what, text = "" }: NonNullable<Answer["order"]>): Promise<Omit<Told, "id">> {
  if (what === "abort") return await abort($);
  if (text.trimStart().startsWith("/"))
    return not("Claude Code takes what begins with / for a command. Begin with another word, or type it in its window.");
  if (waiting >= MAX_WAITING) return not("Too many messages wait for it already.");
  const isFirst = turn === undefined && waiting === 0;
  const message: Message = { text, era, isTold: false };
  const entered = submit($, last, message);
  last = entered;
  const waits = $.clock
    .sleep(isFirst ? BEGIN_MS : REFUSE_MS)
    .catch(() => {})
    .then(() => {
      message.isTold = true;
      return { taken: true };
    });
  return await Promise.race([entered, waits]);
}

/** Resolves once it is a turn of its own, or is refused. Never rejects. */
async function submit($: Engine, before: Promise<unknown>, message: Message): Promise<Omit<Told, "id">> {
  waiting++;
  try {
    await before;
    for (let tries = 1; message.era === era; tries++) {
      // oxlint-disable-next-line no-await-in-loop -- again only when it was dropped
      const { drop } = await $.prompt.submit({ text: message.text, asUser: true });
      if (drop === undefined) return { taken: true };
      if (!message.isTold || tries >= MAX_TRIES) return not(`Claude Code did not take it: ${drop}`);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await new Promise<void>((resolve) => tellTurn.push(resolve));
    }
    return not("The session has ended.");
  } catch (error) {
    return not(`Claude Code did not take it: ${String(error)}`);
  } finally {
    waiting--;
  }
}

async function abort($: Engine): Promise<Omit<Told, "id">> {
  if (turn === undefined) return not("Nothing runs in it.");
  try {
    await $.turn.abort({ turnId: turn });
    return { taken: true };
  } catch {
    return not("It has ended by itself.");
  }
}

function not(problem: string): Omit<Told, "id"> {
  return { taken: false, problem };
}
