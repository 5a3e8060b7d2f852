import { expect, it } from "vitest";
import { type Asked, readAsked, readResolved, resultFor } from "./asked.ts";
import { commandId } from "./payload.ts";

// As Codex 0.171.0 sends them; ids, names and folders are made up.
const from = { threadId: "t", turnId: "u", itemId: "call_1" };
const command = {
  method: "item/commandExecution/requestApproval",
  id: 3,
  params: {
    ...from,
    kind: "command",
    reason: "It goes to the registry.",
    command: "/bin/bash -lc 'npm publish'",
    cwd: "/home/ada/my-app",
    commandActions: [{ type: "unknown", command: "npm publish" }],
    availableDecisions: ["accept", "cancel"],
  },
};
const options = [{ label: "Red", description: "r" }, { label: "Blue" }];
const question = {
  method: "item/tool/requestUserInput",
  id: 0,
  params: {
    ...from,
    questions: [{ id: "q", header: "Choice", question: "Which colour?", isOther: true, isSecret: false, options }],
  },
};

it("a command is shown as it will run, under the name that its hook gives it", () => {
  expect(readAsked(command)).toEqual({
    thread: "t",
    request: 3,
    kind: "permission",
    text: "/bin/bash -lc 'npm publish'\nIt goes to the registry.",
    call: commandId("npm publish", "It goes to the registry."),
  });
  const several = { ...command, params: { ...command.params, commandActions: [{}, {}] } };
  expect(readAsked(several)).toMatchObject({ call: undefined, text: expect.stringContaining("npm publish") as string });
});

it("a question comes with its options", () => {
  expect(readAsked(question)).toEqual({
    thread: "t",
    request: 0,
    kind: "question",
    text: "Which colour?",
    call: "call_1",
    question: "q",
    options: ["Red", "Blue"],
  });
});

const asks = (questions: unknown): object => ({ ...question, params: { ...from, questions } });
it.each([
  null,
  {},
  { ...command, id: undefined },
  { ...command, params: { ...command.params, threadId: 7 } },
  { ...command, params: { ...command.params, command: null } },
  { ...command, method: "item/permissions/requestApproval" },
  asks([]),
  asks([{ question: "Which colour?" }]),
])("nothing else can be answered: %j", (message) => {
  expect(readAsked(message)).toBeUndefined();
});

it("a request that is over is told with the thread it was about", () => {
  expect(readResolved({ method: "serverRequest/resolved", params: { threadId: "t", requestId: 0 } })).toEqual({
    thread: "t",
    request: 0,
  });
  expect(readResolved({ method: "serverRequest/resolved", params: { threadId: "t" } })).toBeUndefined();
  expect(readResolved({ method: "item/completed", params: { threadId: "t", requestId: 0 } })).toBeUndefined();
});

it("only what the person chose is said: never always, never for the session", () => {
  const asked = readAsked(command) as Asked;
  expect(resultFor(asked, { choice: "allow" })).toEqual({ decision: "accept" });
  expect(resultFor(asked, { choice: "deny" })).toEqual({ decision: "decline" });
  expect(resultFor(asked, { choice: "deny", text: "because" })).toBeUndefined();
  expect(resultFor(asked, { text: "yes" })).toBeUndefined();
  const colour = readAsked(question) as Asked;
  expect(resultFor(colour, { choice: "Blue" })).toEqual({ answers: { q: { answers: ["Blue"] } } });
  expect(resultFor(colour, { text: "neither" })).toEqual({ answers: { q: { answers: ["neither"] } } });
});

it.each<[string, object, object]>([
  ["a change of files", { ...command, method: "item/fileChange/requestApproval" }, { kind: "permission", call: undefined }],
  ["several questions", asks([...question.params.questions, ...question.params.questions]), { kind: "question", call: "call_1" }],
  ["a secret", asks([{ ...question.params.questions[0], isSecret: true }]), { kind: "question", call: "call_1" }],
])("%s is answered in the window, with a reason", (_what, message, expected) => {
  expect(readAsked(message)).toMatchObject({ ...expected, text: "", why: expect.stringMatching(/^[A-Z].*\.$/) as string });
});
