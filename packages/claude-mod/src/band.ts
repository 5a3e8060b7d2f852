/**
 * moth's line on this session's turns above Claude Code's prompt, and a field to talk to moth. Claude sees neither. And what the person
 * has the session do from elsewhere.
 *
 * Claude Code 2.1.332 reads this module's source before it loads it, and follows `$` only into functions at the top of a file. So
 * what the band knows stands there as well; a module is loaded once per process.
 */
import { type Asked, askMoth } from "./ask-moth.ts";
import type { Answer } from "./asking.ts";
import type { Element, Engine, On, Render } from "./host.ts";
import { listenFor, sessionEnded, turnBegan, turnEnded } from "./orders.ts";
import { readSwitches } from "./switches.ts";

const NO_NODE: Answer = { problem: "moth cannot be asked: there is no node on the PATH that Claude Code sees." };

/** After one session ended in this process, another one has its id by then. */
const NEXT_SESSION_MS = 1000;

/** Nothing is asked or drawn where nobody looks: `claude -p`. */
let isInteractive = false;
/** The switch, as it was when it was last looked at. */
let shown = false;
/** What stands there: moth's newest line, or why there is none. */
let said: Answer = {};
/** What moth was asked and has not answered: the line on the newest turn, and what the person said. */
const asked: { turn?: Asked; talk?: Asked } = {};
/** The newest turn's session, and when the turn began. None where nobody looks. */
let session: Promise<string> | undefined;
let began = 0;

export function register(on: On): void {
  on("session.start", ($, e, next) => {
    ({ isInteractive } = e);
    if (isInteractive) void look($);
    return next(e);
  });

  // Also at `/clear` and `/resume`, where another session takes the place of this one.
  on("session.end", ($, e, next) => {
    session = undefined;
    forget();
    sessionEnded($);
    $.ui.invalidate("ui.render");
    // Nothing tells that the next one is there.
    if (isInteractive && (e.reason === "clear" || e.reason === "resume")) void lookLater($);
    return next(e);
  });

  on("turn.start", ($, e, next) => {
    if (isInteractive && e.agentId === undefined) {
      turnBegan(e.turnId);
      began = Date.now();
      session = $.session.id().catch(() => "");
      said = {};
      void look($);
    }
    return next(e);
  });

  on("turn.complete", ($, e, next) => {
    turnEnded(e.turnId);
    // moth does not speak of a turn without a reply.
    const replied = e.reason === "answer" && e.answer.trim() !== "";
    if (e.agentId === undefined && replied) void listen($);
    return next(e);
  });

  on("ui.render", { component: "AbovePrompt" }, ($, e, next) => draw($, e) ?? next(e));
}

function forget(): void {
  asked.turn?.stop();
  asked.talk?.stop();
  delete asked.turn;
  delete asked.talk;
  said = {};
}

/** Takes the switch as it is now: what was shown goes when it was turned off. */
async function look($: Engine): Promise<boolean> {
  const { shown: now, answers } = await readSwitches($);
  listenFor($, answers ? await $.session.id().catch(() => "") : "");
  if (!now) forget();
  const before = shown;
  shown = now;
  if (now || before) $.ui.invalidate("ui.render");
  return now;
}

async function lookLater($: Engine): Promise<void> {
  await $.clock.sleep(NEXT_SESSION_MS).catch(() => {});
  await look($);
}

async function listen($: Engine): Promise<void> {
  try {
    const whose = session;
    const question = { session: (await whose) ?? "", after: began };
    if (question.session === "" || !(await look($))) return;
    // Meanwhile another session may have begun.
    if (session === whose) await show($, "turn", askMoth($, question));
  } catch {
    // No line, then.
  }
}

async function talk($: Engine, text: string): Promise<void> {
  if (text.trim() === "") return;
  const { answer, stop } = askMoth($, { talk: text });
  await show($, "talk", { answer: answer.then((reply) => reply ?? NO_NODE), stop });
}

/** Shows what moth answers, unless the same was asked anew meanwhile or another session has begun. */
async function show($: Engine, what: "turn" | "talk", question: Asked): Promise<void> {
  asked[what]?.stop();
  asked[what] = question;
  $.ui.invalidate("ui.render");
  const answer = await question.answer;
  if (asked[what] !== question) return;
  delete asked[what];
  if (answer?.line !== undefined || answer?.problem !== undefined) said = answer;
  $.ui.invalidate("ui.render");
}

function draw($: Engine, e: Render): Element | undefined {
  if (!shown || e.props.hasSurvey || e.props.view.agentId !== undefined) return undefined;
  const { Box, Text, Input } = $.ui.resolve(e);
  const rows: Element[] = [];
  const { line, problem }: Answer = asked.talk ? { line: "…" } : said;
  if (line !== undefined) rows.push(h(Text, null, h(Text, { dimColor: true }, "moth> "), line));
  else if (problem !== undefined) rows.push(h(Text, { dimColor: true }, problem));
  if (Input) {
    const onSubmit = (text: string): void => void talk($, text);
    rows.push(
      h(Input, { key: "talk", label: "say", placeholder: "something to moth (ctrl+x tab)", submitLabel: "send", onSubmit }),
    );
  }
  return rows.length === 0 ? undefined : h(Box, { flexDirection: "column" }, ...rows);
}
