import { answer } from "./chat.ts";
import { detailsOf, QUOTED } from "./details.ts";
import { expand, pick, sample } from "./grammar.ts";
import { LINES } from "./lines.ts";
import { spokenTime } from "./numbers.ts";
import { sharesWords } from "./overlap.ts";
import type { Remark, RosterEntry, Turn, Voice } from "./voice.ts";

/** Characters of a line, at most: it must fit under a card in a narrow terminal. */
const MAX_LINE = 90;
/** So many lines pass before one comes again, whatever label stood in it. */
const REMEMBERED = 1000;
/** Tries by chance before all lines are gone through. */
const TRIES = 60;
/** How often moth names what it can name, rather than only its class. */
const NAMES = 0.7;

const QUICK_MS = 20_000;
const SLOW_MS = 300_000;

/** The voice without a model: a moth with a lamp. `random` gives numbers from 0 up to 1. */
export function createBuiltinVoice(random: () => number): Voice {
  const last = new Set<string>();

  function react(turn: Turn): Remark | undefined {
    const details = detailsOf(turn.class, turn.text);
    const known: Known = { ...details, ...(turn.label ? { label: turn.label } : {}), ...timeOf(turn) };
    const repeats = sharesWords(turn.text);
    const isFit = (shape: string): boolean => {
      if (last.has(shape)) return false;
      const parts = split(shape);
      if (parts.some(({ slot }) => slot !== undefined && known[slot] === undefined)) return false;
      // A name is no run of words of the agent's: it must not be counted with those around it.
      return fill(shape, known).length <= MAX_LINE && !parts.some(({ text }) => repeats(text));
    };
    const kinds = kindsOf(turn);
    const named = kinds.flatMap((kind) => Object.keys(details).map((slot) => `${kind}_${slot}`)).filter((name) => name in LINES);
    const wanted = named.length > 0 && random() < NAMES ? named : kinds;
    const shape = find(wanted, isFit) ?? find(kinds, isFit);
    if (shape === undefined) return undefined;
    last.add(shape);
    for (const oldest of last) if (last.size > REMEMBERED) last.delete(oldest);
    const names = QUOTED.filter((slot) => shape.includes(`{${slot}}`)).flatMap((slot) => details[slot] ?? []);
    return {
      text: fill(shape, known),
      ...(turn.quote ? { quote: turn.quote } : {}),
      ...(names.length > 0 ? { names } : {}),
    };
  }

  function find(kinds: readonly string[], isFit: (shape: string) => boolean): string | undefined {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const shape = sample(LINES, pick(kinds, random) ?? "", random);
      if (shape !== undefined && isFit(shape)) return shape;
    }
    return pick(
      kinds.flatMap((kind) => expand(LINES, kind)).filter((shape) => isFit(shape)),
      random,
    );
  }

  return {
    react: (turn) => Promise.resolve(react(turn)),
    chat: (text: string, roster: RosterEntry[]) => Promise.resolve({ text: answer(text, roster, random) }),
    reset(everything) {
      if (everything) last.clear();
    },
  };
}

/** The names of the lines that suit a turn. How it ended says more than its class, unless that is a failure. */
function kindsOf(turn: Turn): string[] {
  if (turn.outcome === "limit" || turn.outcome === "interrupted") return [turn.outcome];
  if (turn.class !== "done" || turn.took === undefined) return [turn.class];
  return [turn.class, turn.took < QUICK_MS ? "quick" : turn.took < SLOW_MS ? "steady" : "slow"];
}

type Known = Partial<Record<string, string>>;

function timeOf({ took }: Turn): Known {
  return took === undefined ? {} : { time: spokenTime(took) };
}

function fill(shape: string, known: Known): string {
  return shape.replace(SLOT, (slot, name: string) => known[name] ?? slot);
}

const SLOT = /\{(\w+)\}/g;

/** A shape's own words, each with the slot behind it. */
function split(shape: string): { text: string; slot: string | undefined }[] {
  const parts = shape.split(SLOT);
  return parts.flatMap((text, index) => (index % 2 === 0 ? [{ text, slot: parts[index + 1] }] : []));
}
