import { cutText } from "@moth-companion/core/text";
import { pick } from "./grammar.ts";
import { inWords } from "./numbers.ts";
import type { RosterEntry } from "./voice.ts";

const MAX_ANSWER = 160;

/** What the person may mean, the first that fits; in the languages moth's triage reads. */
const TOPICS: readonly { name: keyof typeof ANSWERS | "status"; words: RegExp }[] = [
  {
    name: "status",
    words:
      /\b(?:status|who|which|what(?:'s| is) (?:up|going on|happening|running|new)|anyone|anybody|agents?|sessions?|waiting|working|running|busy|finished|done yet)\b|\b(?:was läuft|wer (?:wartet|arbeitet)|stand)\b|\b(?:qué pasa|quién|estado)|\b(?:quoi de neuf|qui (?:attend|travaille))\b|状态|谁在|在等|进度|怎么样了|状況|進捗|待って|動いて/i,
  },
  { name: "thanks", words: /\b(?:thank(?:s| you)|thx|ty|danke|gracias|merci)\b|谢|ありがと/i },
  {
    name: "bye",
    words:
      /\b(?:bye|good ?night|see you|tschüss|gute nacht|adiós|buenas noches|bonne nuit|au revoir)\b|晚安|再见|おやすみ|またね/i,
  },
  {
    name: "hard",
    words:
      /\b(?:tired|exhausted|frustrat\w+|annoy\w+|angry|hate|stuck|sad|ugh|argh|fuck\w*|shit|damn|stress\w*|overwhelmed|lonely|müde|genervt|wütend|cansad[oa]|harto|triste|fatiguée?|énervée?|marre)\b|累|烦|难过|生气|崩溃|疲れ|つらい|しんどい|イライラ/i,
  },
  {
    name: "self",
    words: /\b(?:who are you|what are you|your name|wer bist du|quién eres|qui es-tu)\b|你是谁|誰ですか|あなたは誰/i,
  },
  { name: "glad", words: /\b(?:great|nice|yay|awesome|works|finally|shipped|super|genial|toll|endlich)\b|太好了|やった|🎉/i },
  {
    name: "hello",
    words:
      /\b(?:hi|hello|hey|good (?:morning|evening)|moin|hallo|servus|hola|buenos días|bonjour|salut)\b|你好|こんにちは|おはよう|こんばんは/i,
  },
];

const ANSWERS = {
  hello: ["hello. lamp's on.", "hi there. mind the dust.", "evening. it's always evening here.", "hello, you.", "there you are."],
  thanks: ["any time.", "it was mostly the lamp.", "you're welcome.", "glad to hover.", "my pleasure, small as it is."],
  bye: ["sleep well. i'll mind the lamp.", "good night. i'm nocturnal anyway.", "rest those eyes.", "see you by the light."],
  hard: [
    "that sounds heavy. sit by the lamp a moment.",
    "you're allowed to step away.",
    "ugh, indeed. i'm here.",
    "glass everywhere some days. it isn't you.",
    "one breath. then one thing.",
    "nothing you say here goes to them.",
  ],
  self: [
    "a moth. i watch your agents and like lamps.",
    "just a moth with a lamp and an ear for agents.",
    "moth. small, grey, interested.",
  ],
  glad: ["that's a good light.", "happy wings.", "lovely. savour it.", "i did a small loop."],
  other: [
    "i'm listening.",
    "i'm a simple moth, but i hear you.",
    "tell me more, i have all night.",
    "hm. ask me who's at work, that i know.",
    "noted, by lamplight.",
    "i can't judge that one. i can keep you company.",
  ],
} as const;

/** moth's answer to the person. It knows the roster and nothing else, and says nothing else. */
export function answer(text: string, roster: readonly RosterEntry[], random: () => number): string {
  const present = roster.filter((entry) => entry.state !== "gone");
  const meant = present.find((entry) => entry.label !== "" && hasWord(text, entry.label));
  if (meant) return cutText(`${meant.label} ${doing(meant)}.`, MAX_ANSWER);
  const topic = TOPICS.find(({ words }) => words.test(text))?.name ?? "other";
  // "who are you" asks for moth itself, though "who" asks for the roster.
  const name = topic === "status" && TOPICS.some((other) => other.name === "self" && other.words.test(text)) ? "self" : topic;
  return name === "status" ? status(present) : (pick(ANSWERS[name], random) ?? "");
}

function hasWord(text: string, word: string): boolean {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return at >= 0 && !isLetter(text[at - 1]) && !isLetter(text[at + word.length]);
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char);
}

function doing(entry: RosterEntry): string {
  if (entry.state === "working") return "is at work";
  if (entry.state === "idle") return "rests";
  if (entry.wait === "plan") return "has a plan for you to read";
  return entry.wait === "question"
    ? "has a question for you"
    : entry.wait === "permission"
      ? "waits for your yes"
      : "waits for you";
}

/** "two at work, one waits for you in moth-repo." */
function status(present: readonly RosterEntry[]): string {
  if (present.length === 0) return "nobody out there that i can hear. just me and the lamp.";
  const working = present.filter((entry) => entry.state === "working").length;
  const idle = present.filter((entry) => entry.state === "idle").length;
  const parts = [
    working > 0 ? `${inWords(working)} at work` : "",
    waiting(present.filter((entry) => entry.state === "waiting")),
    idle > 0 ? `${inWords(idle)} at rest` : "",
  ];
  return `${parts.filter((part) => part !== "").join(", ")}.`;
}

function waiting(waits: readonly RosterEntry[]): string {
  if (waits.length === 0) return "";
  const names = waits.map((entry) => entry.label).filter((label) => label !== "");
  const where = names.length > 0 ? ` in ${cutText(names.join(" and "), 90)}` : "";
  return waits.length === 1 ? `one waits for you${where}` : `${inWords(waits.length)} wait for you${where}`;
}
