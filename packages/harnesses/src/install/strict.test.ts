import { expect, test } from "vitest";
import { applyPlan } from "./apply.ts";
import { strictProblem } from "./strict.ts";
import { makeTestHome } from "../../test/test-home.ts";
import { gemini } from "../gemini/index.ts";
import { qwen } from "../qwen/index.ts";

test.each<[string, string, string | undefined]>([
  ["nothing", " \n", undefined],
  ["plain JSON", '{"a": ["//,]", 1], "b": {}}', undefined],
  [
    "a comma before a brace",
    '{\n  "a": 1,\n}',
    "2:9: x reads JSON without trailing commas and stops because of the comma there.",
  ],
  [
    "a comma before a comment and a bracket",
    "[1, // ,\n /* , */ ]",
    "1:3: x reads JSON without trailing commas and stops because of the comma there.",
  ],
  ["comments", '// a\n{ /* , */ "a": 1 // , }\n}', undefined],
])("JSON with comments: %s", (_, text, problem) => {
  const said = strictProblem({ name: "x", strict: { comments: true, effect: "stops" } }, "f", text);
  expect(said).toBe(problem && `f:${problem}`);
});

test.each<[string, string, string | undefined]>([
  ["nothing", "", undefined],
  ["what looks like a comment in a text", '{"a": "/* // ,}"}', undefined],
  ["a comment", '{\n /* , */ "a": 1,}', "2:2: x reads plain JSON and stops because of the comment there."],
  ["a comma", '{"a": {"b": 1,},}', "1:14: x reads plain JSON and stops because of the comma there."],
])("plain JSON: %s", (_, text, problem) => {
  const said = strictProblem({ name: "x", strict: { comments: false, effect: "stops" } }, "f", text);
  expect(said).toBe(problem && `f:${problem}`);
});

test.each([gemini, qwen].map((harness) => [harness.id, harness] as const))(
  "%s does not start with a trailing comma: hooking says so, and so does its health",
  async (_, harness) => {
    const home = makeTestHome();
    try {
      const file = `.${harness.short}/settings.json`;
      home.write(file, '// mine\n{\n  "a": 1,\n}\n');
      const plan = await harness.planHook(home.options);
      const problem = expect.stringMatching(/settings\.json:\d+:\d+: .* does not start because of the comma there\.$/) as string;
      expect(plan.notes[0]).toEqual(problem);
      await applyPlan(plan, home.options.env);
      expect(await harness.health(home.options)).toMatchObject({ status: "broken", problem });
      await applyPlan(await harness.planUnhook(home.options), home.options.env);
      home.write(file, '// mine\n{\n  "a": 1\n}\n');
      await applyPlan(await harness.planHook(home.options), home.options.env);
      expect(await harness.health(home.options)).toEqual({ status: "installed", where: [home.at(file)] });
    } finally {
      home.remove();
    }
  },
);
