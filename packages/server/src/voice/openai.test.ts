import { expect, test } from "vitest";
import { builtin, modelVoice, turn } from "../../test/model-voice.ts";
import { type Answering, jsonLines, refusing, streaming, whole } from "../../test/voice-model.ts";
import { createOpenAiVoice } from "./openai.ts";
import { chatUrl, TooLate } from "./openai-ask.ts";

test.each<[string, Answering, string]>([
  ["a stream of events", streaming(["the gl", "ass won", " today."]), ""],
  ["one object", whole("the glass won today."), "/v1"],
  ["Ollama's JSON lines", jsonLines(["the glass", " won today."]), "/api/chat"],
  ["a model that thinks aloud", streaming(["<think>hm, ", "what now</think>\n\n", "the glass won today."]), ""],
  ["a model that signs and quotes", whole('moth> "the glass won today."'), ""],
  ["a model that goes on", streaming(["the glass won today.\n", "And another", " thing:"], false), ""],
])("a line from %s", async (_, answer, path) => {
  const { voice, warned } = await modelVoice(answer, { path });
  expect(await voice.react(turn())).toEqual({ text: "the glass won today.", quote: "3 tests failed." });
  expect(warned).toEqual([]);
});

test("it is asked for what docs/privacy.md says, with the key, and never by name", async () => {
  const { voice, asked } = await modelVoice(whole("the glass won."), { key: "k1" });
  await voice.react(turn());
  expect(asked).toMatchObject([{ path: "/v1/chat/completions", key: "Bearer k1", body: { model: "small" } }]);
  const [system, said, ...more] = asked[0]!.body.messages;
  expect([system?.role, more]).toEqual(["system", []]);
  expect(said).toEqual({ role: "user", content: `[the agent said]\n${turn().text}` });
});

test("after a reaction 25 words of a turn are left, and one turn of each session", async () => {
  const { voice, asked } = await modelVoice(whole("ok then."));
  await voice.react(turn({ text: "old news" }));
  await voice.react(turn({ text: `${"word ".repeat(40)}end` }));
  await voice.react(turn({ session: "s2", text: "second" }));
  const told = asked[2]!.body.messages.slice(1).map(({ content }) => content);
  expect(told).toEqual([`[the agent said]\n${"word ".repeat(25).trim()}…`, "ok then.", "[the agent said]\nsecond"]);
});

test("what stands in the address beside it does not get into the log", async () => {
  const { url } = await modelVoice(whole("ok."));
  const warned: string[] = [];
  const voice = createOpenAiVoice({
    endpoint: () => ({ url: `${url.replace("//", "//me:secret@")}/none?key=secret`, model: "", key: undefined }),
    fallback: builtin,
    warn: (line) => void warned.push(line),
    timeoutMs: 1,
    now: () => 0,
  });
  await expect(voice.react(turn())).rejects.toThrow("no answer in time");
  expect(warned).toEqual([
    `moth's voice cannot be had from ${url}/none: no answer within 0.001 seconds. Until it can, the built-in one speaks.`,
  ]);
});

test("what repeats the agent is not said; the built-in voice speaks, and the turn is forgotten", async () => {
  const { voice, asked, warned } = await modelVoice(whole("The clock was read twice, it seems."));
  expect(await voice.react(turn())).toEqual({ text: "built in" });
  await voice.react(turn({ session: "s2", text: "next" }));
  expect(asked[1]!.body.messages).toHaveLength(2);
  expect(warned).toEqual([]);
});

test("the agent's names in a line are marked as such", async () => {
  const { voice } = await modelVoice(whole("auth.test.ts went dark, 3 times."));
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
  [
    "llama.cpp's old way to tell of one",
    (response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.end(`error: {"code":500,"message":"slot unavailable"}\n\n`);
    },
    /slot unavailable/,
  ],
  ["no words at all", streaming([]), /its answer is empty/],
  ["nothing but thinking", streaming(["<think>well, let me see"]), /its answer is empty/],
  ["a cut connection", (response) => response.destroy(), /cut the connection off/],
])("after %s the built-in voice speaks, and one line is logged", async (_, answer, why) => {
  const { voice, warned } = await modelVoice(answer);
  expect(await voice.react(turn())).toEqual({ text: "built in" });
  expect(await voice.react(turn())).toEqual({ text: "built in" });
  expect(warned).toEqual([expect.stringMatching(why)]);
  expect(await voice.chat("hi", [])).toEqual({ text: "built-in chat" });
});

test("nothing there is one line, until it works again", async () => {
  let works = false;
  const { voice, warned } = await modelVoice((response, asked) =>
    (works ? whole("back.") : refusing(500, "{}"))(response, asked),
  );
  await voice.react(turn());
  works = true;
  expect(await voice.react(turn())).toMatchObject({ text: "back." });
  works = false;
  await voice.react(turn());
  expect(warned).toHaveLength(2);
});

test("a model that takes too long is hung up on, and says nothing", async () => {
  const { voice, closed, warned } = await modelVoice(streaming(["so"], false), { timeoutMs: 150 });
  await expect(voice.react(turn())).rejects.toThrow(TooLate);
  await expect.poll(closed).toBe(1);
  await expect(voice.react(turn())).rejects.toThrow(TooLate);
  expect(warned).toEqual([expect.stringContaining("no answer within 0.15 seconds")]);
});

test("chat goes on where it was, and knows who is around", async () => {
  const { voice, asked } = await modelVoice(whole("hello\nyou."));
  expect(await voice.chat("hi", [{ label: "api", state: "waiting", wait: "permission" }])).toEqual({ text: "hello you." });
  await voice.chat("again", []);
  expect(asked[0]!.body.messages[0]!.content).toContain("api is waiting for a permission");
  expect(asked[1]!.body.messages.slice(1).map(({ content }) => content)).toEqual(["hi", "hello you.", "again"]);
  voice.reset(false);
  await voice.chat("new", []);
  expect(asked[2]!.body.messages).toHaveLength(2);
});

test("the person may speak while moth thinks about a turn, and each hears of the other when it is done", async () => {
  const { voice, asked } = await modelVoice(whole("ok."));
  const reaction = voice.react(turn({ text: "Built." }));
  await voice.chat("hi", []);
  await reaction;
  await voice.chat("again", []);
  // Many models refuse two of one role in a row.
  for (const { body } of asked) {
    const roles = body.messages.slice(1).map(({ role }) => role);
    expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
  }
  expect(asked.at(-1)!.body.messages.map(({ content }) => content)).toContain("[the agent said]\nBuilt.");
});

test("a chat that was forgotten before the answer came is not remembered", async () => {
  let forgets = true;
  const parts = await modelVoice((response, one) => {
    if (forgets) parts.voice.reset(false);
    whole("ok.")(response, one);
  });
  const { voice, asked } = parts;
  await voice.chat("my secret", []);
  forgets = false;
  await voice.chat("again", []);
  expect(asked[1]!.body.messages).toHaveLength(2);
});

test("a sentence without spaces is not repeated either", async () => {
  const { voice } = await modelVoice(whole("哎呀，因为会话令牌从未设置。"));
  expect(await voice.react(turn({ text: "三个测试失败了，因为会话令牌从未设置。" }))).toEqual({ text: "built in" });
});

test.each([
  ["http://h:1", "http://h:1/v1/chat/completions"],
  ["http://h:1/v1/", "http://h:1/v1/chat/completions"],
  ["https://h/api/v1/chat/completions", "https://h/api/v1/chat/completions"],
  ["http://h:11434/api/chat", "http://h:11434/api/chat"],
])("%s is asked at %s", (given, url) => {
  expect(chatUrl(given).href).toBe(url);
});
