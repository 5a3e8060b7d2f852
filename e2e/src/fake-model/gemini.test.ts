import { describe, expect, it, onTestFinished } from "vitest";
import { type FakeModel, startFakeModel } from "./server.ts";

const TOOLS = [{ functionDeclarations: [{ name: "glob" }] }];
const user = (...texts: string[]): object => ({ role: "user", parts: texts.map((text) => ({ text })) });
const CONTEXT = "<session_context>\nA context, [[reply: not this]]\n</session_context>";
const TOLD = "<hook_context>Session ID: s-1</hook_context>";

describe("the fake model, asked in Gemini's way", () => {
  it("answers as the last prompt says, whatever a harness puts around it, and knows whose request it was", async () => {
    const model = await start();
    expect(await ask(model, { contents: [user(CONTEXT, "[[reply: Hello.]]", TOLD)], tools: TOOLS })).toBe("Hello.");
    expect(model.requests[0]).toMatchObject({ session: "s-1", kind: "turn", prompt: "[[reply: Hello.]]", dialect: "gemini" });
  });

  it("goes on with the script after a tool's result", async () => {
    const model = await start();
    const turn = [
      user('[[tool: glob {"pattern":"*"}]][[reply: Nothing.]]'),
      { role: "model", parts: [{ functionCall: { name: "glob" } }] },
      { role: "user", parts: [{ functionResponse: { name: "glob", response: {} } }] },
    ];
    expect(await ask(model, { contents: turn.slice(0, 1), tools: TOOLS })).toBe('glob({"pattern":"*"})');
    expect(await ask(model, { contents: turn, tools: TOOLS })).toBe("Nothing.");
  });

  it("answers in one piece when it is asked to, and to a harness's own question without its script", async () => {
    const model = await start();
    const response = await post(model, { contents: [user("[[hold]]")] }, "generateContent");
    expect(await response.json()).toMatchObject({ candidates: [{ content: { parts: [{ text: "ok" }] }, finishReason: "STOP" }] });
    expect(model.requests[0]?.kind).toBe("side");
  });

  it("answers with an error when it is told to", async () => {
    const model = await start();
    const response = await post(model, { contents: [user("[[error: 403]]")], tools: TOOLS });
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("scripted error 403")]);
  });
});

async function start(): Promise<FakeModel> {
  const model = await startFakeModel();
  onTestFinished(() => model.close());
  return model;
}

function post(model: FakeModel, body: object, way = "streamGenerateContent?alt=sse"): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${model.url}/v1beta/models/any:${way}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** @returns the texts and the calls of a streamed answer */
async function ask(model: FakeModel, body: object): Promise<string> {
  interface Chunk {
    candidates: [{ content: { parts: { text?: string; functionCall?: { name: string; args: object } }[] } }];
  }
  const stream = await (await post(model, body)).text();
  const chunks = [...stream.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? "") as Chunk);
  const parts = chunks.flatMap(({ candidates: [{ content }] }) => content.parts);
  return parts.map(({ text = "", functionCall: call }) => (call ? `${call.name}(${JSON.stringify(call.args)})` : text)).join("");
}
