import { describe, expect, it } from "vitest";
import { parseScript } from "./script.ts";

const text = (said: string): object => ({ do: "text", text: said });

describe("parseScript", () => {
  it("finds no script in a prompt without directives", () => {
    expect(parseScript("Please fix [[the]] test")).toBeUndefined();
  });

  it("puts a tool and what follows it into two answers", () => {
    expect(parseScript('Do it. [[reply: First.]] [[tool: Bash {"command":"ls"}]] [[reply: Done.]]')).toEqual({
      steps: [[text("First."), { do: "tool", name: "Bash", input: { command: "ls" } }], [text("Done.")]],
      later: [],
    });
  });

  it("keeps tools side by side in one answer, unless `then` parts them", () => {
    expect(parseScript("[[tool: A]][[tool: B {}]][[then]][[tool: C]]")?.steps).toEqual([
      [
        { do: "tool", name: "A", input: {} },
        { do: "tool", name: "B", input: {} },
      ],
      [{ do: "tool", name: "C", input: {} }],
    ]);
  });

  it("leaves the directives inside a tool's input to whoever gets that input", () => {
    const input = { prompt: '[[hold: h]][[reply: "quoted" ]]]', list: [[1], [2]] };
    expect(parseScript(`[[tool: Agent ${JSON.stringify(input)}]][[reply: Started.]]`)?.steps).toEqual([
      [{ do: "tool", name: "Agent", input }],
      [text("Started.")],
    ]);
  });

  it("knows holds, errors, answers without text, and what comes later", () => {
    expect(parseScript("[[hold]][[hold: two]][[then]][[error: 529]][[then]][[empty]][[later]][[reply: a\\nb]]")).toEqual({
      steps: [
        [
          { do: "hold", name: "" },
          { do: "hold", name: "two" },
        ],
        [{ do: "error", status: 529 }],
        [],
      ],
      later: [[text("a\nb")]],
    });
  });

  it("forgets what stands before `forget`", () => {
    expect(parseScript("[[hold]][[reply: old]][[forget]][[reply: new]]")?.steps).toEqual([[text("new")]]);
  });

  it.each(["[[reply: never closed", '[[tool: Bash {"command":"ls"}', "[[tool: Bash {command}]]"])("refuses %s", (prompt) => {
    expect(() => parseScript(prompt)).toThrow(/directive|JSON/);
  });
});
