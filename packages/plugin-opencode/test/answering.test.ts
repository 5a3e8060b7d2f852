/** Dialogs answered through moth, with a real moth behind them. In the real harnesses: `e2e/scenarios/answered-*.test.ts`. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createOutbox } from "@moth-companion/core/outbox";
import { type Session, type Wait, WHY_NOT } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { started, tempHome } from "../../server/test/support.ts";
import { createAnswering } from "../src/answering.ts";
import { readPermission } from "../src/asks.ts";
import { openDoor } from "../src/door.ts";
import { readEvent } from "../src/event.ts";
import { createListener, type Listener } from "../src/listener.ts";
import { type BusEvent, type Dialogs, dialogs } from "./opencode-door.ts";

const TOUCH = { command: "touch made.txt", description: "Make a file" };
const COLOURS = [
  { label: "Red", description: "Red" },
  { label: "Blue", description: "as the sky" },
];
const QUESTION = { question: "Which colour?", header: "Colour", options: COLOURS };

interface Stage extends Dialogs {
  emit: (event: BusEvent) => void;
  listener: Listener;
  /** The tool `bash` asks whether it may run. */
  permits: (id?: string, input?: unknown, more?: object) => void;
  questions: (...questions: object[]) => void;
  /** Gives an answer as a display does; the error's code, or "ok". */
  give: (answer: { wait: string; choice?: string; text?: string }) => Promise<string>;
  /** A wait that moth shows, once it is told whole. */
  shows: (answerable: boolean, id?: string) => Promise<Wait>;
  turn: (how: "on" | "off") => void;
  /** Ends moth; another one takes its place. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

async function stage(how: "on" | "off" = "on", change?: (own: Dialogs["client"]) => unknown): Promise<Stage> {
  const home = tempHome();
  const turn = (to: "on" | "off"): void => writeFileSync(join(home, "config.json"), JSON.stringify({ answers: to }));
  turn(how);
  let server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const emit = ({ type, properties }: BusEvent): void => {
    const heard = readEvent({ type, properties });
    if (heard) listener.hear(heard);
  };
  const made = dialogs(emit);
  const listener: Listener = createListener({
    source: "opencode",
    pid: process.pid,
    folder: "/home/ada/repo",
    oneWindow: true,
    reports: createOutbox({ env }),
    lookUp: () => Promise.resolve(undefined),
    asked: createAnswering("opencode", openDoor(change ? change(made.client) : made.client), env),
  });
  for (const [id, parentID] of [["s-1"], ["s-2", "s-1"]]) {
    emit({ type: "session.created", properties: { sessionID: id, info: { id, parentID, directory: "/home/ada/repo" } } });
  }
  emit({ type: "session.status", properties: { sessionID: "s-1", status: { type: "busy" } } });
  const headers = { "X-Moth-Token": server.token, "Content-Type": "application/json" };
  return {
    ...made,
    emit,
    listener,
    turn,
    permits(id = "p-1", input = TOUCH, more = {}) {
      made.call(`call-${id}`, input);
      const asked = { permission: "bash", patterns: ["touch made.txt"], metadata: {}, always: ["touch *"] };
      made.ask("permission", { id, sessionID: "s-1", ...asked, tool: { messageID: "m-1", callID: `call-${id}` }, ...more });
    },
    questions: (...questions) => made.ask("question", { id: "q-1", sessionID: "s-1", questions }),
    async give(answer) {
      const body = JSON.stringify({ source: "opencode", session: "s-1", by: "test", ...answer });
      const answered = await fetch(`${server.url}/api/answer`, { method: "POST", headers, body });
      return ((await answered.json()) as { error?: { code: string } }).error?.code ?? "ok";
    },
    shows: (answerable, id) =>
      vi.waitFor(
        async () => {
          const answered = await fetch(`${server.url}/api/sessions`, { headers });
          const [session] = ((await answered.json()) as { sessions: Session[] }).sessions;
          expect(session).toMatchObject({
            state: "waiting",
            wait: { answerable, text: expect.any(String) as string, ...(id && { id }) },
          });
          return (session as Session & { state: "waiting" }).wait;
        },
        { timeout: 10_000 },
      ),
    async restart() {
      await server.stop();
      // Away for as long as it takes to be missed.
      const away = createServer((socket) => void socket.destroy()).listen(server.port, "127.0.0.1");
      await once(away, "connection");
      away.close();
      server = await started({ env: { MOTH_HOME: home }, port: server.port });
    },
    stop: () => server.stop(),
  };
}

test("a permission is told with what is asked, given through moth once, and its dialog is gone", async () => {
  const made = await stage();
  made.permits();
  const text = "touch made.txt\ndescription: Make a file";
  expect(await made.shows(true)).toEqual({ id: "p-1", kind: "permission", tool: "bash", text, answerable: true });
  expect(made.open()).toEqual(["p-1"]);
  const both = await Promise.all([made.give({ wait: "p-1", choice: "allow" }), made.give({ wait: "p-1", choice: "deny" })]);
  expect(both).toEqual(["ok", "ANSWERED"]);
  expect([made.answers(), made.open()]).toEqual([{ "p-1": { reply: "once" } }, []]);
});

test("a permission is denied without words or with them, which the agent reads; words with a yes are refused", async () => {
  const made = await stage();
  made.permits();
  await made.shows(true);
  expect(await made.give({ wait: "p-1", choice: "allow", text: "but carefully" })).toBe("NOT_TAKEN");
  expect(made.open()).toEqual(["p-1"]);
  expect(await made.give({ wait: "p-1", choice: "deny" })).toBe("ok");
  made.permits("p-2");
  await made.shows(true, "p-2");
  expect(await made.give({ wait: "p-2", choice: "deny", text: " not there " })).toBe("ok");
  expect(made.answers()).toEqual({ "p-1": { reply: "reject" }, "p-2": { reply: "reject", message: "not there" } });
});

test("a call is told whole: as it will run, with what else it touches", async () => {
  const made = await stage();
  const input = { command: "touch a", timeout: 5, env: { LD_PRELOAD: "x.so" } };
  made.permits("p-1", input, { patterns: ["touch b", "/etc/*", "*"], metadata: { command: "touch b", diff: "not called so" } });
  expect(await made.shows(true)).toMatchObject({ text: 'touch b\ntimeout: 5\nenv: {"LD_PRELOAD":"x.so"}\n/etc/*' });
});

test("a call that is not written down yet when its tool asks is told once it is", async () => {
  const made = await stage();
  made.call("later", {}, "pending");
  made.permits("p-1", TOUCH, { tool: { messageID: "m-1", callID: "later" } });
  await new Promise((resolve) => void setTimeout(resolve, 100));
  made.call("later", { command: "touch later.txt" });
  expect(await made.shows(true)).toMatchObject({ text: "touch later.txt\ntouch made.txt" });
});

test.each<[string, unknown, object]>([
  ["is not understood", undefined, {}],
  ["belongs to no tool", TOUCH, { tool: undefined }],
  ["is longer than moth shows", { command: "x".repeat(4001) }, {}],
  ["holds what a terminal would obey", { command: "echo \u001b[8mhidden" }, {}],
])("a permission whose call %s is answered in its window alone", async (_what, input, more) => {
  const made = await stage();
  made.permits("p-1", input ?? null, more);
  await made.shows(false);
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("NOT_ANSWERABLE");
  expect(made.answer("p-1", { reply: "once" })).toBe(true);
});

test("a call that says nothing is answered in its window alone", () => {
  expect(readPermission({ permission: "mine", patterns: ["*"] }, {})).toEqual({ text: "", why: WHY_NOT.unknown });
});

test("what a subagent asks is answered as its session's", async () => {
  const made = await stage();
  made.emit({ type: "session.status", properties: { sessionID: "s-2", status: { type: "busy" } } });
  made.permits("p-1", TOUCH, { sessionID: "s-2" });
  await made.shows(true);
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("ok");
  expect(made.answers()).toEqual({ "p-1": { reply: "once" } });
});

test.each([
  ["one of its options", { choice: "Blue" }, ["Blue"]],
  ["words", { text: " Green " }, ["Green"]],
])("a question is answered with %s", async (_what, answer, chosen) => {
  const made = await stage();
  made.questions(QUESTION);
  expect(await made.shows(true)).toMatchObject({ text: "Which colour?\nBlue: as the sky", options: ["Red", "Blue"] });
  expect(await made.give({ wait: "q-1", choice: "Blue", text: "a dark one" })).toBe("NOT_TAKEN");
  expect(await made.give({ wait: "q-1", ...answer })).toBe("ok");
  expect(made.answers()).toEqual({ "q-1": { answers: [chosen] } });
});

test("a question that takes no words of one's own refuses them", async () => {
  const made = await stage();
  made.questions({ ...QUESTION, custom: false });
  await made.shows(true);
  expect(await made.give({ wait: "q-1", text: "Green" })).toBe("NOT_TAKEN");
  expect(made.open()).toEqual(["q-1"]);
});

test.each([
  [
    "several questions",
    [QUESTION, { ...QUESTION, question: "And the door?" }],
    "Which colour?\nBlue: as the sky\nAnd the door?\nBlue: as the sky",
  ],
  ["several answers", [{ ...QUESTION, multiple: true }], "Which colour?\nBlue: as the sky"],
  ["options that moth could not tell apart", [{ question: "Which?", options: [{ label: "Red" }, { label: " Red" }] }], "Which?"],
  ["more than moth shows", [{ question: "?".repeat(4001) }], expect.stringMatching(/^\?+…$/)],
])("a question with %s is told, and answered in its window alone", async (_what, questions, text) => {
  const made = await stage();
  made.questions(...questions);
  expect(await made.shows(false)).toMatchObject({ text, why: expect.any(String) as string });
  expect(await made.give({ wait: "q-1", choice: "Red" })).toBe("NOT_ANSWERABLE");
});

test("the window first: its answer counts, and moth's comes too late", async () => {
  const made = await stage();
  made.permits();
  await made.shows(true);
  expect(made.answer("p-1", { reply: "reject" })).toBe(true);
  await vi.waitFor(async () => expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("STALE"), { timeout: 10_000 });
  expect(made.answers()).toEqual({ "p-1": { reply: "reject" } });
});

test("one that the window answers while moth's answer is on its way is told so", async () => {
  const made: Stage = await stage("on", ({ session, _client }) => {
    const { post } = _client as { post: (request: object) => Promise<unknown> };
    const late = (request: object): Promise<unknown> => {
      made.answer("p-1", { reply: "reject" });
      return post(request);
    };
    return { session, _client: { post: late } };
  });
  made.permits();
  await made.shows(true);
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("NOT_TAKEN");
  expect(made.answers()).toEqual({ "p-1": { reply: "reject" } });
});

test("of two that wait at once each is answered by its own", async () => {
  const made = await stage();
  made.permits();
  made.permits("p-2");
  await made.shows(true);
  expect(await made.give({ wait: "p-2", choice: "deny" })).toBe("ok");
  expect(made.open()).toEqual(["p-1"]);
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("ok");
  expect(made.answers()).toEqual({ "p-1": { reply: "once" }, "p-2": { reply: "reject" } });
});

test.each<[string, (made: Stage) => void]>([
  ["is stopped", ({ emit }) => emit({ type: "session.status", properties: { sessionID: "s-1", status: { type: "idle" } } })],
  ["is deleted", ({ emit }) => emit({ type: "session.deleted", properties: { sessionID: "s-1" } })],
  ["ends with its harness", ({ listener }) => listener.close()],
])("when its session %s an answer is refused, and the harness is asked nothing", async (_what, ends) => {
  const made = await stage();
  made.permits();
  await made.shows(true);
  ends(made);
  await vi.waitFor(async () => expect(await made.give({ wait: "p-1", choice: "allow" })).not.toMatch(/^(?:ok|NOT_TAKEN)$/));
  expect(made.answers()).toEqual({});
});

test("a moth that is stopped while a dialog waits: the window answers; one that was started anew hears of it", async () => {
  const made = await stage();
  made.permits();
  await made.shows(true);
  await made.restart();
  await made.shows(true);
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("ok");
  made.permits("p-2");
  await made.shows(true, "p-2");
  await made.stop();
  expect(made.answer("p-2", { reply: "once" })).toBe(true);
});

test("with answers off nothing of what is asked is told, and the harness is asked nothing", async () => {
  const asked = vi.fn<() => Promise<object>>();
  const made = await stage("off", ({ _client }) => ({ session: { message: asked }, _client }));
  made.permits();
  await vi.waitFor(async () => expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("ANSWERS_OFF"));
  made.turn("on");
  await vi.waitFor(async () => expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("NOT_ANSWERABLE"));
  expect(asked).not.toHaveBeenCalled();
  expect(made.open()).toEqual(["p-1"]);
});

const fails = (): Promise<never> => Promise.reject(new Error("no"));
test("a client that is another one, or fails, leaves the window to answer", async () => {
  for (const client of [undefined, {}, { session: {} }, { session: {}, _client: {} }]) expect(openDoor(client)).toBeUndefined();
  const made = await stage("on", () => ({ session: { message: fails }, _client: { post: fails } }));
  made.permits();
  made.questions(QUESTION);
  await vi.waitFor(async () => expect(await made.give({ wait: "q-1", choice: "Red" })).toBe("NOT_TAKEN"), { timeout: 10_000 });
  expect(made.open()).toEqual(["p-1", "q-1"]);
});
