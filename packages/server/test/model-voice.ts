/** The voice of a model, with what it asked, said to the log and did. */
import type { Home } from "../src/voice/home/home.ts";
import { createOpenAiVoice } from "../src/voice/openai.ts";
import type { Deed, Turn, Voice } from "../src/voice/voice.ts";
import { type Answering, type Asked, fakeModel } from "./voice-model.ts";

export const turn = (more: Partial<Turn> = {}): Turn => ({
  source: "pi",
  session: "s1",
  label: "api",
  class: "failure",
  outcome: "done",
  quote: "3 tests failed.",
  text: "I ran it: 3 tests failed in auth.test.ts, because the clock was read twice.",
  ...more,
});

export const builtin: Voice = {
  react: () => Promise.resolve({ text: "built in" }),
  chat: () => Promise.resolve({ text: "built-in chat" }),
  reset: () => undefined,
};

interface Parts {
  voice: Voice;
  /** What it did in its home: hand this to it. */
  did: (deed: Deed) => void;
  deeds: Deed[];
  asked: Asked[];
  warned: string[];
  closed: () => number;
  url: string;
}

export async function modelVoice(
  answer: Answering,
  more: { timeoutMs?: number; path?: string; key?: string; home?: Home; now?: () => number } = {},
): Promise<Parts> {
  const { url, asked, closed } = await fakeModel(answer);
  const warned: string[] = [];
  const voice = createOpenAiVoice({
    endpoint: () => ({ url: url + (more.path ?? ""), model: "small", key: more.key }),
    fallback: builtin,
    warn: (line) => void warned.push(line),
    timeoutMs: more.timeoutMs ?? 5000,
    home: more.home,
    now: more.now ?? ((): number => 0),
  });
  const deeds: Deed[] = [];
  return { voice, did: (deed) => void deeds.push(deed), deeds, asked, warned, closed, url };
}
