/** Dialogs of dsh answered through moth. In the real dsh: `e2e/scenarios/answered-*.test.ts`, `plan.test.ts`. */
import { expect, test, vi } from "vitest";
import { createAnswering } from "../src/answering.ts";
import type { Door } from "./dsh-door.ts";
import { ROOT } from "./events.ts";
import { approve, ask, PATIENCE, question, review, stage } from "./stage.ts";

const ASK = { id: "c", question: "Which colour?", options: [{ label: "Red" }, { label: "Blue", description: "as the sky" }] };

test.each([
  ["allow", "allowed-once"],
  ["deny", "rejected"],
])("a permission is told with what will run; %s, and its dialog is gone", async (choice, outcome) => {
  const made = await stage();
  const chosen = approve(made);
  const text = "touch made.txt\ndescription: Make it\nit must be";
  expect(await made.shows(true)).toEqual({ id: "a-1", kind: "permission", tool: "bash", answerable: true, text });
  expect(made.listeners()).toBe(0);
  expect(await made.give({ wait: "a-1", choice })).toBe("ok");
  expect(await chosen).toEqual({ sessionId: ROOT, approvalId: "a-1", outcome });
  expect(made.dialogs()).toEqual([]);
  expect(await made.give({ wait: "a-1", choice: "deny" })).toBe("ANSWERED");
});

test("all that a call says is told, and dsh's reason once; words with an answer are refused, and then it may be given anew", async () => {
  const made = await stage();
  const wider = { sandbox_permissions: "danger-full-access", justification: "must" };
  const args = { file_path: "/etc/hosts", command: "create", lines: [1, 2], ...wider };
  const chosen = approve(made, "a-1", args, "escalate sandbox to danger-full-access: must");
  const text = "file_path: /etc/hosts\ncreate\nlines: [1,2]\nescalate sandbox to danger-full-access: must";
  expect(await made.shows(true)).toMatchObject({ text });
  expect(await made.give({ wait: "a-1", choice: "deny", text: "not there" })).toBe("NOT_TAKEN");
  expect(made.dialogs()).toEqual(["rpc a-1"]);
  expect(await made.give({ wait: "a-1", choice: "deny" })).toBe("ok");
  expect(await chosen).toMatchObject({ outcome: "rejected" });
});

test.each([
  ["of which the log holds no call", undefined, "it must be"],
  ["that is longer than moth shows", { command: "x".repeat(4001) }, expect.stringMatching(/^x+…$/)],
])("a permission %s is told, and answered in dsh's page alone", async (_what, args, text) => {
  const made = await stage();
  const chosen = approve(made, "a-1", args ?? null);
  await vi.waitFor(async () => expect(await made.shows(false)).toMatchObject({ text }), PATIENCE);
  expect(await made.give({ wait: "a-1", choice: "allow" })).toBe("NOT_ANSWERABLE");
  made.close("rpc a-1", "mine");
  expect(await chosen).toBe("mine");
});

test("dsh's page first: its answer counts, and moth's comes too late", async () => {
  const made = await stage();
  const chosen = approve(made);
  await made.shows(true);
  made.close("rpc a-1", "mine");
  expect(await chosen).toBe("mine");
  expect(await made.give({ wait: "a-1", choice: "allow" })).toBe("NOT_TAKEN");
  made.hear("approval/decided", { id: "a-1", outcome: "rejected" });
  await made.is("working");
  expect(await made.give({ wait: "a-1", choice: "allow" })).toBe("STALE");
});

test("a turn that is stopped while a dialog waits: what is answered then is refused, and the next wait is its own", async () => {
  const made = await stage();
  void approve(made);
  await made.shows(true);
  made.close("rpc a-1");
  made.hear("turn/end", { turn: 1, reason: { kind: "aborted" } });
  await made.is("idle");
  expect(await made.give({ wait: "a-1", choice: "allow" })).toBe("STALE");
  made.hear("turn/start", { turn: 2 });
  const chosen = approve(made, "a-2");
  await made.shows(true);
  expect(await made.give({ wait: "a-1", choice: "allow" })).toBe("STALE");
  expect(await made.give({ wait: "a-2", choice: "allow" })).toBe("ok");
  expect(await chosen).toMatchObject({ approvalId: "a-2" });
});

test("of two that wait at once each is answered by its own, of the same words too", async () => {
  const made = await stage();
  const [one, other] = [ask(made, "q-1", [ASK]), ask(made, "q-2", [ASK])];
  await made.shows(true);
  await vi.waitFor(async () => expect(await made.give({ wait: "q-2", choice: "Blue" })).toBe("ok"), PATIENCE);
  expect(await other).toMatchObject({ answer: { answers: [{ selected: ["Blue"] }] } });
  expect(made.dialogs()).toEqual(["rpc q-1"]);
  expect(await made.give({ wait: "q-1", choice: "Red" })).toBe("ok");
  expect(await one).toMatchObject({ answer: { answers: [{ selected: ["Red"] }] } });
});

test("a question is told with its options and what is said of them, and answered with one or with words", async () => {
  const made = await stage();
  const chosen = ask(made, "q-1", [ASK]);
  expect(await made.shows(true)).toMatchObject({ text: "Which colour?\nBlue: as the sky", options: ["Red", "Blue"] });
  expect(await made.give({ wait: "q-1", choice: "Green" })).toBe("BAD_FIELD");
  expect(await made.give({ wait: "q-1", choice: "Blue", text: "dark" })).toBe("NOT_TAKEN");
  expect(await made.give({ wait: "q-1", choice: "Blue" })).toBe("ok");
  expect(await chosen).toEqual({ sessionId: ROOT, answer: { answers: [{ id: "c", selected: ["Blue"] }] } });
  made.hear("tool/result", { message: { source: { callId: "q-1" } } });
  const open = ask(made, "q-2", [{ id: "n", question: "Which name?" }]);
  await vi.waitFor(async () => expect(await made.shows(true)).toMatchObject({ id: "q-2", text: "Which name?" }));
  expect(await made.give({ wait: "q-2", text: " moth \n" })).toBe("ok");
  expect(await open).toEqual({ sessionId: ROOT, answer: { answers: [{ id: "n", selected: [], custom: "moth" }] } });
});

test.each<[string, object[], unknown]>([
  [
    "several at once",
    [
      { ...ASK, options: [] },
      { id: "d", question: "And the door?" },
    ],
    "Which colour?\nAnd the door?",
  ],
  ["one with several answers", [{ ...ASK, options: [], multiSelect: true }], "Which colour?"],
  ["options that moth could not tell apart", [{ ...ASK, options: [{ label: "Red" }, { label: " Red" }] }], "Which colour?"],
])("questions: %s, told and answered in dsh's page alone", async (_what, shown, text) => {
  const made = await stage();
  void ask(made, "q-1", shown);
  await vi.waitFor(
    async () => expect(await made.shows(false)).toMatchObject({ text, why: expect.any(String) as string }),
    PATIENCE,
  );
  expect(await made.give({ wait: "q-1", choice: "Red" })).toBe("NOT_ANSWERABLE");
  expect(made.dialogs()).toEqual(["rpc q-1"]);
});

test.each([
  [{ choice: "approve" }, { selected: ["Approve"] }],
  [{ choice: "reject" }, { selected: [] }],
  [
    { choice: "reject", text: "add tests" },
    { selected: [], custom: "add tests" },
  ],
])("a plan is shown whole: %j", async (given, answered) => {
  const made = await stage();
  const chosen = review(made, "# Plan\n\nDo it well.");
  expect(await made.shows(true)).toMatchObject({ kind: "plan", text: "# Plan\n\nDo it well." });
  // To dsh that would keep the plan.
  expect(await made.give({ wait: "p-1", choice: "approve", text: "go" })).toBe("NOT_TAKEN");
  expect(await made.give({ wait: "p-1", ...given })).toBe("ok");
  expect(await chosen).toEqual({ sessionId: ROOT, answer: { answers: [{ id: "plan-review", ...answered }] } });
});

test("with answers off nothing of a dialog is told, nothing is asked of dsh or moth, and nothing is answered", async () => {
  const made = await stage("off");
  const chosen = approve(made);
  expect(made.listeners()).toBe(0);
  expect(await made.shows(false)).toEqual({ id: "a-1", kind: "permission", tool: "bash", answerable: false });
  expect(await made.give({ wait: "a-1", choice: "allow" })).toBe("ANSWERS_OFF");
  made.turn("on");
  expect(await made.give({ wait: "a-1", choice: "allow" })).toBe("NOT_ANSWERABLE");
  made.close("rpc a-1", "mine");
  expect(await chosen).toBe("mine");
});

test("a dialog that never opens, or another one's, leaves nobody at the stream once the wait is over", async () => {
  const made = await stage();
  made.hear("tool/call", question("q-1", [ASK]).call);
  void made.open(question("q-9", [{ ...ASK, question: "Another?" }]).dialog);
  await vi.waitFor(() => expect(made.listeners()).toBe(1));
  await made.shows(false);
  made.hear("tool/result", { message: { source: { callId: "q-1" } } });
  await vi.waitFor(() => expect(made.listeners()).toBe(0));
  expect(made.dialogs()).toEqual(["rpc q-9"]);
});

test("a moth that starts anew while a dialog waits hears of it again, and answers it", async () => {
  const made = await stage();
  const chosen = approve(made);
  await made.shows(true);
  await made.restart();
  expect(await made.shows(true)).toMatchObject({ id: "a-1", text: expect.stringContaining("touch made.txt") as string });
  expect(await made.give({ wait: "a-1", choice: "allow" })).toBe("ok");
  expect(await chosen).toMatchObject({ outcome: "allowed-once" });
});

test("a moth that is stopped while a dialog waits, and a dsh whose door closes: its page answers", async () => {
  const made = await stage();
  const chosen = approve(made);
  await made.shows(true);
  made.leave();
  expect(await made.give({ wait: "a-1", choice: "allow" })).toBe("NOT_TAKEN");
  await made.stop();
  const other = approve(made, "a-2");
  made.close("rpc a-1", "mine");
  made.close("rpc a-2", "mine too");
  expect([await chosen, await other]).toEqual(["mine", "mine too"]);
});

test("a door that throws, or is of another shape, is as none", async () => {
  const made = await stage();
  const answering = createAnswering("dsh", { MOTH_ANSWERS: "on" });
  const told: object[] = [];
  const waiting = {
    session: ROOT,
    wait: "a-1",
    read: () => undefined,
    over: AbortSignal.timeout(5000),
    tell: (asks: object) => told.push(asks),
  };
  for (const door of [{}, { events: {} }, { events: { mux: () => ({}) } }]) {
    const leave = answering.enter(door as unknown as Door["door"]);
    answering.asked(waiting);
    leave();
  }
  answering.asked(waiting);
  expect(told).toEqual([]);
  expect(made.listeners()).toBe(0);
});
