import type { AnswerRequest, StateReport, Wait } from "@moth-companion/core/protocol";
import type { Door, Taken } from "@moth-companion/harnesses";
import { expect, test } from "vitest";
import { handClock } from "../test/support.ts";
import { createAnswering, TAKE_MS } from "./answering.ts";
import { createLog } from "./log.ts";
import { createSessions } from "./sessions.ts";

const permission: Wait = { id: "w1", kind: "permission", tool: "Bash", text: "npm publish", answerable: true };
const question: Wait = { id: "w2", kind: "question", options: ["Red", "Blue"], answerable: true };
const yes: AnswerRequest = { source: "x", session: "s", wait: "w1", choice: "allow", by: "page" };

function office(parts: { take?: Door["answer"]; offBy?: "answers" | "content" } = {}) {
  const clock = handClock();
  const sessions = createSessions();
  const log = createLog(() => "e");
  const handed: unknown[] = [];
  const door: Door = {
    answer: (session, wait, answer) => {
      handed.push([session, wait.id, answer]);
      return parts.take?.(session, wait, answer) ?? Promise.resolve({ taken: true });
    },
    stop: () => {},
  };
  const answering = createAnswering({ sessions, log, clock, doorOf: () => door, offBy: () => parts.offBy, self: "moth" });
  const report = (report: Omit<StateReport, "source">, source = "x"): unknown =>
    sessions.state({ source, session: "s", ...report }, clock.now());
  return { clock, log, handed, report, answer: (request: AnswerRequest) => answering.answer(request) };
}

test("an answer goes through the door once and stands in the log", async () => {
  const { answer, report, handed, log } = office();
  report({ state: "waiting", wait: permission });
  expect(await Promise.all([answer(yes), answer({ ...yes, choice: "deny" })])).toMatchObject([
    { ok: true },
    { refusal: { code: "ANSWERED" } },
  ]);
  expect(await answer(yes)).toMatchObject({ refusal: { code: "ANSWERED" } });
  expect(handed).toEqual([["s", "w1", { choice: "allow" }]]);
  expect(log.read({ since: 0, epoch: undefined }).events).toMatchObject([
    { kind: "answer", session: "s", wait: "w1", about: "permission", choice: "allow", by: "page" },
  ]);
});

test.each<[string, Partial<AnswerRequest>, string]>([
  ["a session moth does not know", { session: "other" }, "NO_SESSION"],
  ["a wait that is over", { wait: "w0" }, "STALE"],
  ["a choice that is not asked", { choice: "always" }, "BAD_FIELD"],
  ["words alone where a choice is due", { choice: undefined as never, text: "go on" }, "BAD_FIELD"],
])("%s is refused, and the door hears nothing", async (_what, part, code) => {
  const { answer, report, handed, log } = office();
  report({ state: "waiting", wait: permission });
  expect(await answer({ ...yes, ...part })).toMatchObject({ refusal: { code } });
  expect(handed).toEqual([]);
  expect(log.next).toBe(0);
});

test("a question takes one of its options, or words", async () => {
  const { answer, report, handed } = office();
  report({ state: "waiting", wait: question });
  expect(await answer({ ...yes, wait: "w2", choice: "Green" })).toMatchObject({
    refusal: { code: "BAD_FIELD", message: "choice: must be one of Red, Blue" },
  });
  expect(await answer({ source: "x", session: "s", wait: "w2", text: "neither" })).toEqual({ ok: true });
  expect(handed).toEqual([["s", "w2", { text: "neither" }]]);
});

test("while answers are off nothing is answered", async () => {
  const { answer, report, handed } = office({ offBy: "answers" });
  report({ state: "waiting", wait: permission });
  expect(await answer(yes)).toMatchObject({
    refusal: { code: "ANSWERS_OFF", message: expect.stringContaining("moth config answers on") as string },
  });
  expect(handed).toEqual([]);
});

test("what is not answerable is refused", async () => {
  const { answer, report, handed } = office();
  report({ state: "waiting", wait: { ...permission, answerable: false } });
  expect(await answer(yes)).toMatchObject({ refusal: { code: "NOT_ANSWERABLE" } });
  expect(handed).toEqual([]);
});

test("an answer that the harness does not take can be given again", async () => {
  const takes: Taken[] = [{ taken: false, problem: "It was busy." }, { taken: true }];
  const { answer, report, log } = office({ take: () => Promise.resolve(takes.shift()!) });
  report({ state: "waiting", wait: permission });
  expect(await answer(yes)).toEqual({ refusal: { code: "NOT_TAKEN", message: "It was busy." } });
  expect(log.next).toBe(0);
  expect(await answer(yes)).toEqual({ ok: true });
});

test("a harness that says nothing is not waited for longer than 5 seconds", async () => {
  const { answer, report, clock } = office({ take: () => new Promise(() => {}) });
  report({ state: "waiting", wait: permission });
  const answered = answer(yes);
  clock.advance(TAKE_MS);
  expect(await answered).toMatchObject({ refusal: { code: "NOT_TAKEN" } });
});
