/** Agents answered from a notification: a real bus, a real server, and an adapter that fetches answers as a plugin does. */
import { type Arrived, awaitAnswer } from "@moth-companion/core/answers";
import type { MothEvent, Wait } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { NOTIFY_OFF } from "../../src/notify/pick.ts";
import type { RunningServer } from "../../src/server.ts";
import { get, post, started, tempHome } from "../support.ts";
import { type Asked, type Bus, noBus, startBus } from "./bus.ts";

const PI = { source: "pi", session: "s1", label: "api" };
const publish: Wait = { id: "w1", kind: "permission", tool: "bash", text: "npm publish && echo '<b>'", answerable: true };
const BUTTONS = ["choice-0", "Allow", "choice-1", "Deny"];

const soon = (fn: () => void | Promise<void>): Promise<void> => vi.waitFor(fn, { timeout: 10_000, interval: 10 });
const asks = (bus: Bus): Asked[] => bus.asked.filter(({ method }) => method !== "ready" && method !== "closed");
const works = (server: RunningServer): Promise<unknown> => post(server, "/api/state", { ...PI, state: "working" });
const answers = async (server: RunningServer): Promise<MothEvent[]> =>
  (await get<{ events: MothEvent[] }>(server, "/api/log")).events.filter(({ kind }) => kind === "answer");

interface Asking {
  bus: Bus;
  server: RunningServer;
  arriving: Promise<Arrived | undefined>;
}

/** A session that waits, with an adapter at its door, once its notification shows. */
async function asking(wait: Wait, { on = true, answersOn = "on", can = "actions body body-markup" } = {}): Promise<Asking> {
  const bus = await startBus(can);
  const home = tempHome();
  const notify = (): typeof NOTIFY_OFF => ({ ...NOTIFY_OFF, on: true, answers: on });
  const server = await started({ env: { ...bus.env, MOTH_HOME: home, MOTH_ANSWERS: answersOn }, notify });
  const env = { MOTH_HOME: home, MOTH_URL: server.url, MOTH_ANSWERS: answersOn };
  await post(server, "/api/state", { ...PI, state: "waiting", wait });
  const arriving = awaitAnswer({ ...PI, wait: wait.id }, { env, signal: new AbortController().signal });
  await soon(() => expect(asks(bus)).toHaveLength(1));
  return { bus, server, arriving };
}

test.skipIf(noBus !== undefined)("a permission shows what will run, whole, and is allowed by its button", async () => {
  const { bus, server, arriving } = await asking(publish);
  expect(asks(bus)[0]).toMatchObject({
    title: "api waits for a permission (bash)",
    body: "npm publish &amp;&amp; echo '&lt;b&gt;'\npi",
    actions: ["default", "open", ...BUTTONS],
  });
  bus.person("press:choice-0", 1);
  const answer = await arriving;
  expect(answer).toMatchObject({ choice: "allow" });
  answer?.taken();
  await soon(async () => expect(await answers(server)).toMatchObject([{ wait: "w1", choice: "allow", by: "notification" }]));
  await works(server);
  // Nothing more is shown.
  await post(server, "/api/notify/test", {});
  expect(asks(bus).map(({ title }) => title)).toEqual(["api waits for a permission (bash)", "moth can reach you"]);
});

test.skipIf(noBus !== undefined)("a desktop that lets it stand has it closed, once the agent has its answer", async () => {
  const { bus, arriving } = await asking({ ...publish, text: "npm publish" }, { can: "actions body stays" });
  expect(asks(bus)[0]?.body).toBe("npm publish\npi");
  bus.person("press:choice-1", 1);
  const answer = await arriving;
  expect(answer).toMatchObject({ choice: "deny" });
  answer?.taken();
  await soon(() => expect(asks(bus)[1]).toMatchObject({ method: "CloseNotification", id: 1 }));
});

test.skipIf(noBus !== undefined).each<[string, Partial<Wait>, string[]]>([
  ["a plan", { kind: "plan", text: "Look, then leap" }, ["choice-0", "Approve", "choice-1", "Reject"]],
  ["a question", { kind: "question", text: "Which?", options: ["Red", "blue"] }, ["choice-0", "Red", "choice-1", "Blue"]],
])("%s has buttons of its own", async (_what, part, buttons) => {
  const { bus, arriving } = await asking({ ...publish, ...part });
  expect(asks(bus)[0]?.actions).toEqual(["default", "open", ...buttons]);
  bus.person("press:choice-1", 1);
  const answer = await arriving;
  expect(answer?.choice?.toLowerCase()).toBe(buttons[3]?.toLowerCase());
  answer?.taken();
});

test.skipIf(noBus !== undefined).each<[string, Partial<Wait>, object]>([
  ["longer than every desktop shows", { text: "x".repeat(121) }, {}],
  ["of two lines", { text: "one\ntwo" }, {}],
  ["with blanks that a desktop leaves out", { text: "rm -rf 'a  b'" }, {}],
  ["with many options", { kind: "question", options: ["a", "b", "c", "d"] }, {}],
  ["with a long option", { kind: "question", options: ["Yes", "No, and here is at length why not"] }, {}],
  ["with an option that holds a mark", { kind: "question", options: ["R&D", "No"] }, {}],
  ["without options", { kind: "question" }, {}],
  ["answered in its own window", { answerable: false }, {}],
  ["on a desktop without buttons", {}, { can: "body body-markup" }],
  ["full of marks, on a desktop that may or may not read them", {}, { can: "actions body" }],
  ["on a desktop without a body", {}, { can: "actions" }],
  ["where the person did not ask for it", {}, { on: false }],
  ["where answers are off", {}, { answersOn: "off" }],
])("what is %s is only opened, and its words are not shown", async (_what, part, options) => {
  const { bus } = await asking({ ...publish, ...part }, options);
  expect(asks(bus)[0]).toMatchObject({ body: "pi", actions: ["default", "open"] });
});

test.skipIf(noBus !== undefined)(
  "an answer that comes too late is told in the question's place, and answers nothing else",
  async () => {
    const { bus, server, arriving } = await asking(publish, { can: "actions body body-markup stays" });
    const elsewhere = post(server, "/api/answer", { ...PI, wait: "w1", choice: "deny", by: "page" });
    (await arriving)?.taken();
    expect((await elsewhere).status).toBe(200);
    bus.person("press:choice-0", 1);
    await soon(() =>
      expect(asks(bus).at(-1)).toMatchObject({
        id: 1,
        title: "api was not answered",
        body: "This was answered already.",
        actions: ["default", "open"],
        hints: { urgency: 1 },
      }),
    );
    expect(await answers(server)).toMatchObject([{ choice: "deny", by: "page" }]);
  },
);
