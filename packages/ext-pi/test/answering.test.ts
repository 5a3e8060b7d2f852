/** Dialogs answered through moth, with a real moth behind them. In the real harnesses: `e2e/scenarios/answered-*.test.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOutbox } from "@moth-companion/core/outbox";
import { type Session, type Wait, WHY_NOT } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { started, tempHome } from "../../server/test/support.ts";
import { type Answering, createAnswering } from "../src/answering.ts";
import { readApproval, readDialog, readQuestions } from "../src/asks.ts";
import { createListener } from "../src/listener.ts";
import { harnessUi, type Shown, type Ui } from "./harness-ui.ts";

const PLACE = { session: "s-1", folder: "/home/ada/repo", attended: true, screen: undefined };
const PERMISSION = { id: "t-1", kind: "permission", tool: "bash" } as const;
const QUESTION = { id: "t-2", kind: "question", tool: "ask" } as const;
const APPROVAL = ["Allow tool: bash\nCommand: touch made.txt", ["Approve", "Deny"]] as const;
const ASK = { id: "c", question: "Which colour?", options: [{ label: "Red" }, { label: "Blue", description: "as the sky" }] };

interface Stage {
  /** `ctx.ui` as an event handler gets it, and what stands on the screen. */
  ui: ReturnType<typeof harnessUi>["ui"];
  screen: Shown[];
  answering: Answering;
  /** Gives an answer as a display does; the error's code, or "ok". */
  give: (answer: { wait: string; choice?: string; text?: string }) => Promise<string>;
  /** The wait that moth shows, once it can be answered or not. */
  shows: (answerable: boolean) => Promise<Wait>;
  turn: (how: "on" | "off") => void;
  stop: () => Promise<void>;
}

async function stage(how: "on" | "off" = "on", change?: (own: Ui) => Ui): Promise<Stage> {
  const home = tempHome();
  const turn = (to: "on" | "off"): void => writeFileSync(join(home, "config.json"), JSON.stringify({ answers: to }));
  turn(how);
  const server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const display = { turned: () => {}, clear: () => {}, left: () => {} };
  const listener = createListener({ source: "omp", pid: process.pid, reports: createOutbox({ env }), display });
  listener.met(PLACE);
  listener.began(PLACE);
  const answering = createAnswering({ source: "omp", listener, env });
  const { ui, screen } = harnessUi(change);
  answering.enter(ui);
  const headers = { "X-Moth-Token": server.token, "Content-Type": "application/json" };
  const roster = async (): Promise<Session[]> => {
    const answered = await fetch(`${server.url}/api/sessions`, { headers });
    return ((await answered.json()) as { sessions: Session[] }).sessions;
  };
  return {
    ui,
    screen,
    answering,
    turn,
    async give(answer) {
      const body = JSON.stringify({ source: "omp", session: "s-1", by: "test", ...answer });
      const answered = await fetch(`${server.url}/api/answer`, { method: "POST", headers, body });
      return ((await answered.json()) as { error?: { code: string } }).error?.code ?? "ok";
    },
    shows: (answerable) =>
      vi.waitFor(
        async () => {
          const [session] = await roster();
          expect(session).toMatchObject({ state: "waiting", wait: { answerable } });
          return (session as Session & { state: "waiting" }).wait;
        },
        { timeout: 10_000 },
      ),
    stop: () => server.stop(),
  };
}

/** omp asks whether a tool may run: first it tells so, then its dialog opens. */
function approve({ ui, answering }: Stage, id = "t-1", input: unknown = { command: "touch made.txt" }): Promise<unknown> {
  answering.asked(PLACE, { ...PERMISSION, id }, readApproval("bash", input));
  return ui.select(...APPROVAL);
}

test("omp: a permission is told with what is asked, given through moth, and its dialog is gone", async () => {
  const made = await stage();
  const chosen = approve(made);
  expect(await made.shows(true)).toMatchObject({ ...PERMISSION, text: "Command: touch made.txt" });
  expect(made.screen).toMatchObject([{ isOpen: true }]);
  expect(await made.give({ wait: "t-1", choice: "allow" })).toBe("ok");
  expect(await chosen).toBe("Approve");
  expect(made.screen).toMatchObject([{ isOpen: false }]);
  expect(await made.give({ wait: "t-1", choice: "deny" })).toBe("ANSWERED");
});

test("omp: a denial is one, and words with it are refused: then the person may answer once more", async () => {
  const made = await stage();
  const chosen = approve(made);
  await made.shows(true);
  expect(await made.give({ wait: "t-1", choice: "deny", text: "not there" })).toBe("NOT_TAKEN");
  expect(made.screen).toMatchObject([{ isOpen: true }]);
  expect(await made.give({ wait: "t-1", choice: "deny" })).toBe("ok");
  expect(await chosen).toBe("Deny");
});

test("omp: what its dialog does not tell of the tool's input is told; where that is unknown, the window answers", async () => {
  const made = await stage();
  const input = { command: "touch made.txt", cwd: "/", env: { LD_PRELOAD: "x.so" }, timeout: 5 };
  void approve(made, "t-1", input);
  const text = 'Command: touch made.txt\ncwd: /\nenv: {"LD_PRELOAD":"x.so"}\ntimeout: 5';
  expect(await made.shows(true)).toMatchObject({ text });
  made.answering.answered(PLACE, "t-1");
  void approve(made, "t-3", null);
  expect(await made.shows(false)).toMatchObject({
    id: "t-3",
    text: "Command: touch made.txt",
    why: WHY_NOT.unknown,
  });
});

test("the window first: its answer counts, and moth's comes too late", async () => {
  const made = await stage();
  const chosen = approve(made);
  await made.shows(true);
  made.screen[0]?.press(undefined);
  expect(await chosen).toBeUndefined();
  expect(await made.give({ wait: "t-1", choice: "allow" })).toBe("NOT_TAKEN");
  made.answering.answered(PLACE, "t-1");
  await vi.waitFor(async () => expect(await made.give({ wait: "t-1", choice: "allow" })).toBe("STALE"), { timeout: 10_000 });
});

test("a wait whose dialog never came is not that of a later turn's dialog", async () => {
  const made = await stage();
  made.answering.asked(PLACE, PERMISSION, readApproval("bash", { command: "rm -r x" }));
  made.answering.settled();
  void approve(made, "t-3");
  expect(await made.shows(false)).toMatchObject({ id: "t-1" });
  made.answering.answered(PLACE, "t-1");
  expect(await made.shows(true)).toMatchObject({ id: "t-3" });
});

test("of two that wait at once each is answered by its own", async () => {
  const made = await stage();
  const [one, other] = [approve(made), approve(made, "t-3")];
  await made.shows(true);
  expect(await made.give({ wait: "t-3", choice: "deny" })).toBe("ok");
  expect(await other).toBe("Deny");
  expect(made.screen).toMatchObject([{ isOpen: true }, { isOpen: false }]);
  expect(await made.give({ wait: "t-1", choice: "allow" })).toBe("ok");
  expect(await one).toBe("Approve");
});

test.each([
  ["one of its options", { choice: "Blue" }, { selectedOptions: ["Blue"] }],
  ["an option with words", { choice: "Blue", text: "a dark one" }, { selectedOptions: ["Blue"], note: "a dark one" }],
  ["words", { text: "Green" }, { selectedOptions: [], customInput: "Green" }],
])("omp: a question is answered with %s, whether its dialog or its wait is known first", async (_what, answer, result) => {
  const made = await stage();
  const chosen = made.ui.askDialog([ASK], { timeout: 5 });
  made.answering.asked(PLACE, QUESTION, readQuestions({ ...ASK }));
  expect(await made.shows(true)).toMatchObject({ text: "Which colour?", options: ["Red", "Blue"] });
  expect(made.screen[0]?.args[1]).toMatchObject({ timeout: 5 });
  expect(await made.give({ wait: "t-2", ...answer })).toBe("ok");
  const whole = { id: "c", question: "Which colour?", options: ["Red", "Blue"], multi: false, ...result };
  expect(await chosen).toEqual({ kind: "submit", results: [whole] });
});

test.each([
  ["several questions", [ASK, { ...ASK, id: "d", question: "And the door?" }], "Which colour?\nAnd the door?"],
  ["several answers", [{ ...ASK, multi: true }], "Which colour?"],
  ["options that moth could not tell apart", [{ ...ASK, options: [{ label: "Red" }, { label: " Red" }] }], "Which colour?"],
  ["more than moth shows", [{ ...ASK, question: "?".repeat(4001) }], expect.stringMatching(/^\?+…$/)],
])("omp: a question with %s is told, and answered in its window alone", async (_what, questions, text) => {
  const made = await stage();
  made.answering.asked(PLACE, QUESTION, readQuestions(questions[0]));
  const chosen = made.ui.askDialog(questions);
  expect(await made.shows(false)).toMatchObject({ text, why: expect.any(String) as string });
  expect(await made.give({ wait: "t-2", choice: "Red" })).toBe("NOT_ANSWERABLE");
  made.screen[0]?.press("mine");
  expect(await chosen).toBe("mine");
});

const SELECT = ["May it run this?", ["Yes", "Yes, always", "No"]];
test.each<[string, keyof Ui, unknown[], object, object, unknown]>([
  ["yes or no", "confirm", ["Run it?", "rm -r x"], { text: "Run it?\nrm -r x" }, { choice: "deny" }, false],
  ["a permission's options", "select", SELECT, { kind: "permission", options: ["Yes", "No"] }, { choice: "Yes" }, "Yes"],
  ["words", "input", ["Which name?"], { kind: "question", text: "Which name?" }, { text: "moth" }, "moth"],
])("Pi: %s", async (_what, kind, args, wait, answer, value) => {
  const made = await stage();
  const chosen = made.ui[kind](...args);
  const waits = { id: "dialog-1", kind: kind === "input" ? "question" : "permission" } as const;
  made.answering.asked(PLACE, waits, readDialog(kind, args[0] as string, waits.kind));
  expect(await made.shows(true)).toMatchObject(wait);
  expect(await made.give({ wait: "dialog-1", ...answer })).toBe("ok");
  expect(await chosen).toBe(value);
  expect(made.screen).toMatchObject([{ isOpen: false }]);
});

test("with answers off a dialog is the harness's own to the letter, nothing of it is told and nothing asked", async () => {
  const made = await stage("off");
  const chosen = approve(made);
  expect(await made.shows(false)).toEqual({ ...PERMISSION, answerable: false });
  expect(made.screen[0]?.args).toEqual(APPROVAL);
  expect(await made.give({ wait: "t-1", choice: "allow" })).toBe("ANSWERS_OFF");
  // Turned on, the next one can be answered; this one was opened without.
  made.turn("on");
  expect(await made.give({ wait: "t-1", choice: "allow" })).toBe("NOT_ANSWERABLE");
  made.screen[0]?.press("Approve");
  expect(await chosen).toBe("Approve");
});

test("a moth that is stopped while a dialog waits: the window answers", async () => {
  const made = await stage();
  const chosen = approve(made);
  await made.shows(true);
  await made.stop();
  made.screen[0]?.press("Deny");
  expect(await chosen).toBe("Deny");
});

test("a dialog that its own extension takes back is over, also where nobody answers", async () => {
  const made = await stage();
  const back = new AbortController();
  const chosen = made.ui.select("Which?", ["A"], { signal: back.signal, timeout: 9 });
  back.abort();
  expect(await chosen).toBeUndefined();
  expect(await made.ui.select("Which?", ["A"], { signal: back.signal })).toBeUndefined();
  expect(made.screen).toMatchObject([{ isOpen: false }, { isOpen: false }]);
});

function withEach(own: Ui, how: (key: keyof Ui) => PropertyDescriptor): Ui {
  const keys = Object.keys(own) as (keyof Ui)[];
  return Object.defineProperties({} as Ui, Object.fromEntries(keys.map((key) => [key, { ...how(key), configurable: true }])));
}

test.each<[string, (own: Ui) => Ui]>([
  ["is not to be written", (own) => withEach(own, (key) => ({ value: own[key], writable: false }))],
  ["has its dialogs from elsewhere", (own) => Object.create(own) as Ui],
  ["tells them by getters", (own) => withEach(own, (key) => ({ get: () => own[key] }))],
])("a later version whose ctx.ui %s: all is as without moth", async (_what, change) => {
  const made = await stage("on", change);
  const chosen = approve(made);
  expect(await made.shows(false)).toEqual({ ...PERMISSION, answerable: false });
  expect(made.screen[0]?.args).toEqual(APPROVAL);
  made.screen[0]?.press("Approve");
  expect(await chosen).toBe("Approve");
});

const failing = (): Promise<unknown> => Promise.reject(new Error("no screen"));
function throwing(): Promise<unknown> {
  throw new Error("no such dialog");
}

test("a dialog that fails fails as it did, and after moth has left each function is the harness's own again", async () => {
  const made = await stage("on", (own) => Object.assign(own, { confirm: failing, input: throwing }));
  await expect(made.ui.confirm("Sure?", "")).rejects.toThrow("no screen");
  expect(() => made.ui.input("Name?")).toThrow("no such dialog");
  const chosen = approve(made);
  await made.shows(true);
  made.answering.leave();
  made.screen[0]?.press("Deny");
  expect(await chosen).toBe("Deny");
  const { own, screen } = harnessUi();
  const before = { ...own };
  made.answering.enter(own);
  expect(own.select).not.toBe(before.select);
  made.answering.enter(own);
  made.answering.leave();
  expect(own).toEqual(before);
  expect(screen).toEqual([]);
});

test("two copies of the extension, one around the other: both tell, and one answer is enough", async () => {
  const made = await stage();
  const other = createAnswering({ source: "omp", listener: { asked: () => false, answered: () => {} }, env: {} });
  other.enter(made.ui);
  const chosen = approve(made);
  await made.shows(true);
  expect(await made.give({ wait: "t-1", choice: "allow" })).toBe("ok");
  expect(await chosen).toBe("Approve");
  expect(made.screen).toMatchObject([{ isOpen: false }]);
});
