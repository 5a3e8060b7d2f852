import { expect, test } from "vitest";
import { readPermission, readPlan, readQuestion } from "../src/asks.ts";

const permission = (permissionRequest: object, isAgents = false): object | undefined =>
  readPermission({ permissionRequest }, isAgents);

test.each<[string, object, string]>([
  ["a command", { kind: "shell", fullCommandText: "npm publish", intention: "Publish" }, "npm publish"],
  ["a change of a file", { kind: "write", fileName: "a.txt", diff: "-old\n+new" }, "a.txt\n-old\n+new"],
  ["a file to be read", { kind: "read", path: "/etc/passwd" }, "read /etc/passwd"],
  ["an address", { kind: "url", url: "https://a.example" }, "https://a.example"],
  [
    "an address that another leads to",
    { kind: "url", url: "https://a.example", redirectedFrom: "https://b.example" },
    "https://a.example\n(https://b.example leads there)",
  ],
  [
    "a tool of a server's",
    { kind: "mcp", serverName: "git", toolName: "push", args: { to: "main" } },
    'git\npush\n{\n  "to": "main"\n}',
  ],
  ["a tool of an extension's", { kind: "custom-tool", toolName: "deploy" }, "deploy\n(with nothing)"],
])("a permission tells whole what is asked: %s", (_what, request, text) => {
  expect(permission(request)).toMatchObject({ text, give: expect.any(Function) as unknown });
});

test.each<[string, object]>([
  ["leaves the sandbox", { kind: "shell", fullCommandText: "ls", requestSandboxBypass: true }],
  ["an administrator wants looked at", { kind: "shell", fullCommandText: "ls", managedApprovalRequired: true }],
  ["is not told whole", { kind: "write", fileName: "a.txt" }],
  ["is of an unknown kind", { kind: "workflow", name: "x" }],
])("a permission for what %s is the window's", (_what, request) => {
  expect(permission(request)).not.toHaveProperty("give");
});

test("a subagent's permission says so", () => {
  expect(permission({ kind: "shell", fullCommandText: "ls" }, true)).toMatchObject({ text: "A subagent asks:\nls" });
});

const question = (...fields: object[]): object =>
  readQuestion({
    message: "Which?",
    requestedSchema: { properties: Object.fromEntries(fields.map((one, at) => [`f${at}`, one])) },
  });

test.each<[string, object[]]>([
  ["a form of several fields", [{ type: "string" }, { type: "string" }]],
  ["one that takes several options", [{ type: "array", items: { enum: ["a", "b"] } }]],
  ["a number", [{ type: "number" }]],
  ["words of a certain form", [{ type: "string", format: "email" }]],
  ["options that look alike", [{ type: "string", enum: ["a", "b"], enumNames: ["A", "A"] }]],
  ["an option that is no text", [{ type: "string", enum: ["a", 1] }]],
  ["nothing", []],
])("a question is the window's: %s", (_what, fields) => {
  expect(question(...fields)).toEqual({ kind: "question", text: "Which?", why: expect.any(String) as string });
});

test("an option is given by what it stands for", () => {
  const oneOf = [
    { const: "r", title: "Red" },
    { const: "b", title: "Blue" },
  ];
  const asks = readQuestion({
    message: "Which?",
    requestedSchema: { properties: { colour: { type: "string", description: "Of the roof.", oneOf } } },
  });
  expect(asks).toMatchObject({ text: "Which?\nOf the roof.", options: ["Red", "Blue"] });
  expect(asks.give?.({ choice: "Blue" })).toEqual({ value: { result: { action: "accept", content: { colour: "b" } } } });
});

test("a question for words takes one line of them", () => {
  const { give, options } = readQuestion({ message: "Name?", requestedSchema: { properties: { name: { type: "string" } } } });
  expect(options).toBeUndefined();
  expect(give?.({ text: "Ada" })).toEqual({ value: { result: { action: "accept", content: { name: "Ada" } } } });
  expect(give?.({ text: "Ada\nLovelace" })).toHaveProperty("problem");
});

test("a plan that can only go on by itself, or tells nothing, is the window's", () => {
  expect(readPlan({ summary: "Do it", actions: ["autopilot"] })).not.toHaveProperty("give");
  expect(readPlan({ actions: ["interactive"] })).not.toHaveProperty("give");
  expect(readPlan({ summary: "In short", planContent: "At length", actions: ["interactive"] })).toMatchObject({
    text: "In short\n\nAt length",
  });
});
