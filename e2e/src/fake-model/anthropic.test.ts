import { describe, expect, it, onTestFinished } from "vitest";
import { type FakeModel, startFakeModel } from "./server.ts";

const TOOLS = [{ name: "Bash" }];
const user = (...texts: string[]): object => ({ role: "user", content: texts.map((text) => ({ type: "text", text })) });
const REMINDER = "<system-reminder>\nA reminder, [[reply: not this]]\n</system-reminder>";

describe("the fake model, asked in Anthropic's way", () => {
  it("answers as the last prompt says, whatever a harness puts around it", async () => {
    const model = await start();
    const environment = { role: "system", content: [{ type: "text", text: "[[reply: nor this]]" }] };
    expect(await ask(model, [user(REMINDER, "[[reply: Hello.]]", REMINDER), environment])).toBe("Hello.");
    expect(model.requests[0]).toMatchObject({ session: "s-1", kind: "turn", prompt: "[[reply: Hello.]]", dialect: "anthropic" });
  });

  it("takes the last of two prompts that were merged into one message", async () => {
    const model = await start();
    expect(await ask(model, [user("[[error: 400]]", "[[reply: Again.]]")])).toBe("Again.");
  });

  it("goes on with the script after a tool's result, and after the news of a background task", async () => {
    const model = await start();
    const turn = [
      user("[[tool: Bash {}]][[reply: One.]][[later]][[reply: Two.]]"),
      { role: "assistant", content: [{ type: "tool_use" }] },
      { role: "user", content: [{ type: "tool_result" }, { type: "text", text: REMINDER }] },
    ];
    expect(await ask(model, turn)).toBe("One.");
    const news = user("<system-reminder>\nNews.\n<task-notification>…</task-notification>\n</system-reminder>");
    expect(await ask(model, [...turn, { role: "assistant", content: "One." }, news])).toBe("Two.");
  });

  it("gives a title to who asks for one, and does not follow the prompt's script there", async () => {
    const model = await start();
    const body = { messages: [user("[[hold]][[reply: x]]")], system: "Write a title", tools: [] };
    expect(await post(model, body)).toContain('{\\"title\\"');
    expect(model.requests[0]?.kind).toBe("side");
  });

  it("holds an answer until it is released", async () => {
    const model = await start();
    const answer = ask(model, [user("[[reply: Half]][[hold: h]][[reply:  and half.]]")]);
    await model.held("h");
    model.release("h");
    expect(await answer).toBe("Half|and half.");
  });

  it("fills in what the request tells", async () => {
    const model = await start();
    const messages = [
      user("[[reply: to {{find (?<=plan at ).+?[.]md}}]]"),
      { role: "system", content: "Write your plan at /a b/c.md, please" },
    ];
    expect(await ask(model, messages)).toBe("to /a b/c.md");
    const braces = [user("[[reply: {{find O[a-z]{2}}}!]]"), { role: "system", content: "One two" }];
    expect(await ask(model, braces)).toBe("One!");
  });

  it("answers with an error when it is told to, and when it cannot read the script", async () => {
    const model = await start();
    expect(await post(model, { messages: [user("[[error: 529]]")], tools: TOOLS })).toContain("529 ");
    expect(await post(model, { messages: [user("[[reply: open")], tools: TOOLS })).toContain("not closed");
  });
});

async function start(): Promise<FakeModel> {
  const model = await startFakeModel();
  onTestFinished(() => model.close());
  return model;
}

/** @returns the texts of the answer, with a bar between blocks */
async function ask(model: FakeModel, messages: unknown[]): Promise<string> {
  const stream = await post(model, { messages, tools: TOOLS });
  return [...stream.matchAll(/"text_delta","text":"(.*?)"\}/g)].map((match) => match[1]).join("|");
}

async function post(model: FakeModel, body: object): Promise<string> {
  const response = await fetch(`${model.url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-claude-code-session-id": "s-1" },
    body: JSON.stringify({ model: "any", ...body }),
  });
  return `${response.ok ? "" : `${response.status} `}${await response.text()}`;
}
