import { answer } from "./chat.ts";
import { expand, pick } from "./grammar.ts";
import { LINES } from "./lines.ts";
import { spokenTime } from "./numbers.ts";
import { sharesWords } from "./overlap.ts";
import type { Remark, RosterEntry, Turn, Voice } from "./voice.ts";

/** Characters of a line, at most: it must fit under a card in a narrow terminal. */
const MAX_LINE = 90;
/** So many lines pass before one comes again, whatever label stood in it. */
const REMEMBERED = 16;

const QUICK_MS = 20_000;
const SLOW_MS = 300_000;

/** The voice without a model: a moth with a lamp. `random` gives numbers from 0 up to 1. */
export function createBuiltinVoice(random: () => number): Voice {
  let last: string[] = [];

  function react(turn: Turn): Remark | undefined {
    const repeats = sharesWords(turn.text);
    const fits = kindsOf(turn)
      .flatMap((kind) => expand(LINES, kind))
      .filter((shape) => !last.includes(shape) && canFill(shape, turn))
      // The label is the person's word, not the agent's: a run of words must not be counted across it.
      .filter(
        (shape) => fill(shape, turn).length <= MAX_LINE && !shape.split("{label}").some((part) => repeats(fill(part, turn))),
      );
    const shape = pick(fits, random);
    if (shape === undefined) return undefined;
    last = [...last, shape].slice(-REMEMBERED);
    return { text: fill(shape, turn), ...(turn.quote ? { quote: turn.quote } : {}) };
  }

  return {
    react: (turn) => Promise.resolve(react(turn)),
    chat: (text: string, roster: RosterEntry[]) => Promise.resolve({ text: answer(text, roster, random) }),
    reset() {
      last = [];
    },
  };
}

/** The names of the lines that suit a turn. How it ended says more than its class, unless that is a failure. */
function kindsOf(turn: Turn): string[] {
  if (turn.outcome === "limit" || turn.outcome === "interrupted") return [turn.outcome];
  if (turn.class !== "done" || turn.took === undefined) return [turn.class];
  return [turn.class, turn.took < QUICK_MS ? "quick" : turn.took < SLOW_MS ? "steady" : "slow"];
}

function canFill(shape: string, turn: Turn): boolean {
  return (turn.label !== "" || !shape.includes("{label}")) && (turn.took !== undefined || !shape.includes("{time}"));
}

function fill(shape: string, turn: Turn): string {
  return shape.replace("{time}", () => spokenTime(turn.took ?? 0)).replace("{label}", () => turn.label);
}
