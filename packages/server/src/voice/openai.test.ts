import { expect, test } from "vitest";
import { type Answering, type Asked, fakeModel, jsonLines, refusing, streaming, whole } from "../../test/voice-model.ts";
import { createOpenAiVoice } from "./openai.ts";
import { chatUrl } from "./openai-ask.ts";
import type { Turn, Voice } from "./voice.ts";

const turn = (more: Partial<Turn> = {}): Turn => ({
  source: "pi",
  session: "s1",
  label: "api",
  class: "failure",
  outcome: "done",
  quote: "3 tests failed.",
  text: "I ran it: 3 tests failed in auth.test.ts, because the clock was read twice.",
  ...more,
});

const builtin: Voice = {
  react: () => Promise.resolve({ text: "built in" }),
  chat: () => Promise.resolve({ text: "built-in chat" }),
  reset: () => undefined,
};

interface Parts {
  voice: Voice;
  asked: Asked[];
  warned: string[];
  closed: () => number;
  url: string;
}

async function parts(answer: Answering, more: { timeoutMs?: number; path?: string; key?: string } = {}): Promise<Parts> {
  const { url, asked, closed } = await fakeModel(answer);
  const warned: string[] = [];
  const voice = createOpenAiVoice({
    endpoint: () => ({ url: url + (more.path ?? ""), model: "small", key: more.key }),
    fallback: builtin,
    warn: (line) => void warned.push(line),
    timeoutMs: more.timeoutMs ?? 5000,
  });
  return { voice, asked, warned, closed, url };
}

test.each<[string, Answering, string]>([
  ["a stream of events", streaming(["the gl", "ass won", " today."]), ""],
  ["one object", whole("the glass won today."), "/v1"],
  ["Ollama's JSON lines", jsonLines(["the glass", " won today."]), "/api/chat"],
  ["a model that thinks aloud", streaming(["<think>hm, ", "what now</think>\n\n", "the glass won today."]), ""],
  ["a model that signs and quotes", whole('moth> "the glass won today."'), ""],
  ["a model that goes on", streaming(["the glass won today.\n", "And another", " thing:"], false), ""],
])("a line from %s", async (_, answer, path) => {
  const { voice, warned } = await parts(answer, { path });
  expect(await voice.react(turn())).toEqual({ text: "the glass won today.", quote: "3 tests failed." });
  expect(warned).toEqual([]);
});

test("it is asked for what docs/privacy.md says, with the key, and never by name", async () => {
  const { voice, asked } = await parts(whole("the glass won."), { key: "k1" });
  await voice.react(turn());
  expect(asked).toMatchObject([{ path: "/v1/chat/completions", key: "Bearer k1", body: { model: "small" } }]);
  const [system, said, ...more] = asked[0]!.body.messages;
  expect([system?.role, more]).toEqual(["system", []]);
  expect(said).toEqual({ role: "user", content: `[the agent said]\n${turn().text}` });
});

test("after a reaction 25 words of a turn are left, and one turn of each session", async () => {
  const { voice, asked } = await parts(whole("ok then."));
  await voice.react(turn({ text: "old news" }));
  await voice.react(turn({ text: `${"word ".repeat(40)}end` }));
  await voice.react(turn({ session: "s2", text: "second" }));
  const told = asked[2]!.body.messages.slice(1).map(({ content }) => content);
  expect(told).toEqual([`[the agent said]\n${"word ".repeat(25).trim()}…`, "ok then.", "[the agent said]\nsecond"]);
});

test("what repeats the agent is not said; the built-in voice speaks, and the turn is forgotten", async () => {
  const { voice, asked, warned } = await parts(whole("The clock was read twice, it seems."));
  expect(await voice.react(turn())).toEqual({ text: "built in" });
  await voice.react(turn({ session: "s2", text: "next" }));
  expect(asked[1]!.body.messages).toHaveLength(2);
  expect(warned).toEqual([]);
});

test("the agent's names in a line are marked as such", async () => {
  const { voice } = await parts(whole("auth.test.ts went dark, 3 times."));
  expect(await voice.react(turn())).toMatchObject({ names: ["auth.test.ts", "3"] });
});

test.each<[string, Answering, RegExp]>([
  [
    "OpenAI's refusal",
    refusing(404, `{"error":{"message":"model \\"small\\" not found"}}`),
    /it answered 404: model "small" not found/,
  ],
  ["LM Studio's", refusing(400, `{"error":"no models loaded"}`), /it answered 400: no models loaded/],
  [
    "llama.cpp's while it loads",
    refusing(503, `{"error":{"code":503,"message":"Loading model"}}`),
    /it answered 503: Loading model/,
  ],
  ["no JSON", refusing(502, "Bad gateway"), /it answered 502: Bad gateway/],
  ["an answer that is no JSON", (response) => response.end("hello"), /its answer is no JSON/],
  [
    "an error in the stream",
    (response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.end(`data: {"error":{"message":"out of memory"}}\n\n`);
    },
    /out of memory/,
  ],
  ["a cut connection", (response) => response.destroy(), /cut the connection off/],
])("after %s the built-in voice speaks, and one line is logged", async (_, answer, why) => {
  const { voice, warned } = await parts(answer);
  expect(await voice.react(turn())).toEqual({ text: "built in" });
  expect(await voice.react(turn())).toEqual({ text: "built in" });
  expect(warned).toEqual([expect.stringMatching(why)]);
  expect(await voice.chat("hi", [])).toEqual({ text: "built-in chat" });
});

test("nothing there is one line, until it works again", async () => {
  let works = false;
  const { voice, warned } = await parts((response, asked) => (works ? whole("back.") : refusing(500, "{}"))(response, asked));
  await voice.react(turn());
  works = true;
  expect(await voice.react(turn())).toMatchObject({ text: "back." });
  works = false;
  await voice.react(turn());
  expect(warned).toHaveLength(2);
});

test("a model that takes too long is hung up on, and says nothing", async () => {
  const { voice, closed, warned } = await parts(streaming(["so"], false), { timeoutMs: 150 });
  await expect(voice.react(turn())).rejects.toThrow("no answer within 0.15 seconds");
  await expect.poll(closed).toBe(1);
  expect(warned).toHaveLength(1);
});

test("chat goes on where it was, and knows who is around", async () => {
  const { voice, asked } = await parts(whole("hello\nyou."));
  expect(await voice.chat("hi", [{ label: "api", state: "waiting", wait: "permission" }])).toEqual({ text: "hello you." });
  await voice.chat("again", []);
  expect(asked[0]!.body.messages[0]!.content).toContain("api is waiting for a permission");
  expect(asked[1]!.body.messages.slice(1).map(({ content }) => content)).toEqual(["hi", "hello you.", "again"]);
  voice.reset();
  await voice.chat("new", []);
  expect(asked[2]!.body.messages).toHaveLength(2);
});

test.each([
  ["http://h:1", "http://h:1/v1/chat/completions"],
  ["http://h:1/v1/", "http://h:1/v1/chat/completions"],
  ["https://h/api/v1/chat/completions", "https://h/api/v1/chat/completions"],
  ["http://h:11434/api/chat", "http://h:11434/api/chat"],
])("%s is asked at %s", (given, url) => {
  expect(chatUrl(given).href).toBe(url);
});
