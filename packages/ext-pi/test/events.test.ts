/** What the built extension makes of each event, as Pi's and as omp's. What holds of every adapter is in `e2e/contract`. */
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { startMoth, story } from "../../core/test/listening-moth.ts";
import { EXTENSION, recording, type Recorded, run } from "./harness.ts";

const PI = recording("pi-1.6.0-terminal");
const OMP = recording("omp-18.2.3-terminal");

/** A turn as both harnesses know it, up to the end that only one of them tells. */
function turn(message: object, context: Partial<Recorded["context"]> = {}): Recorded[] {
  const where = { session: "s-1", cwd: "/home/me/repo", hasUI: true, ...context };
  const event = (name: string, payload: object): Recorded => ({ agent: 1, event: name, payload: { ...payload }, context: where });
  return [
    event("session_start", {}),
    event("agent_start", {}),
    event("turn_end", { message: { role: "assistant", timestamp: 5, ...message }, toolResults: [] }),
  ];
}

/** The same event at the same place, with another name and payload. */
function next(events: readonly Recorded[], event: string, payload: Record<string, unknown> = {}): Recorded {
  const first = events[0];
  if (!first) throw new Error("no event");
  return { ...first, event, payload };
}

async function storyOf(events: readonly Recorded[], omp: boolean, env: Record<string, string> = {}): Promise<string[]> {
  const moth = await startMoth();
  const ran = await run([...events, ...(events.length > 0 ? [next(events, "session_shutdown")] : [])], moth.url, { omp, env });
  expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", threw: 0, returned: 0 });
  // The last report is on its way before the harness ends: whatever comes, comes before this one.
  await run([...turn({}), next(turn({}), "session_shutdown")], moth.url, { omp });
  const others = (): string[] => story(moth.heard().filter(({ body }) => body.pid !== ran.pid));
  await vi.waitFor(() => expect(others()).toContain("gone"));
  return story(moth.heard().filter(({ body }) => body.pid === ran.pid));
}

const text = (words: string): object => ({ content: [{ type: "text", text: words }], stopReason: "stop" });

test("the only export is the extension, which returns nothing and listens only to what tells and cannot decide", async () => {
  const moth = await startMoth();
  const shared = [
    "agent_start",
    "message_start",
    "session_shutdown",
    "session_start",
    "tool_execution_end",
    "tool_execution_start",
    "turn_end",
  ];
  const pi = await run([], moth.url);
  expect(pi).toMatchObject({ exports: ["default"], factory: null });
  expect(new Set(pi.hooks)).toEqual(new Set([...shared, "agent_settled", "ui_prompt_end", "ui_prompt_start"]));
  const omp = await run([], moth.url, { omp: true });
  const own = [
    "agent_end",
    "session_branch",
    "session_switch",
    "session_tree",
    "tool_approval_requested",
    "tool_approval_resolved",
  ];
  expect(new Set(omp.hooks)).toEqual(new Set([...shared, ...own]));
  expect(moth.requests()).toBe(0);
});

test("events of any shape are ignored without a word, and what is known is still heard among them", async () => {
  for (const omp of [false, true]) {
    const moth = await startMoth();
    const ran = await run(omp ? OMP : PI, moth.url, { omp, hostile: true });
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", threw: 0, returned: 0 });
    await vi.waitFor(() => expect(story(moth.heard())).toContain('"The first reply."'));
  }
});

test("a reply is posted once, at the end of its turn, with the turn's own id", async () => {
  const moth = await startMoth();
  const events = turn(text("Done."));
  await run(
    [...events, next(events, "agent_settled", { aborted: false }), next(events, "agent_settled", { aborted: false })],
    moth.url,
  );
  await vi.waitFor(() => expect(moth.heard()).toHaveLength(3));
  expect(moth.heard()[2]?.body).toMatchObject({
    text: "Done.",
    outcome: "done",
    turn: "5",
    state: "idle",
    label: "repo",
    session: "s-1",
  });
});

test("Pi: an attempt that failed is not told while another may follow; only the last reply is", async () => {
  const events = turn({ content: [], stopReason: "error", errorMessage: "500" });
  const again = turn(text("After all.")).slice(1);
  const whole = [
    ...events,
    next(events, "agent_end"),
    ...again,
    next(events, "agent_end"),
    next(events, "agent_settled", { aborted: false }),
  ];
  expect(await storyOf(whole, false)).toEqual(["idle", "working", "working", '"After all."', "gone"]);
});

test("a reply that another prompt waited for is a reply, in the run that both are of", async () => {
  const events = turn(text("First."));
  const user = { message: { role: "user", content: [{ type: "text", text: "and then?" }] } };
  const news = { message: { role: "user", attribution: "agent", content: [{ type: "text", text: "A job is done." }] } };
  const second = turn({ ...text("Half."), timestamp: 6 }).slice(2);
  const third = turn({ ...text("Second."), timestamp: 7 }).slice(2);
  for (const [omp, end] of [
    [false, "agent_settled"],
    [true, "agent_end"],
  ] as const) {
    const whole = [...events, next(events, "message_start", user), ...second, next(events, "message_start", news), ...third];
    // oxlint-disable-next-line no-await-in-loop -- each has a moth of its own
    const told = await storyOf([...whole, next(events, end)], omp);
    expect(told).toEqual(["idle", "working", '"First.", works on', '"Second."', "gone"]);
  }
});

test("omp: an end that goes on is none, and after a stop no older reply comes again", async () => {
  const events = turn(text("Not yet."));
  const later = turn(text("Now.")).slice(1);
  const stopped = turn({ content: [{ type: "text", text: "Hal" }], stopReason: "aborted" }).slice(1);
  const messages = [{ role: "assistant", ...text("Now.") }];
  const whole = [
    ...events,
    next(events, "agent_end", { willContinue: true }),
    ...later,
    next(events, "agent_end", { messages }),
    ...stopped,
    next(events, "agent_end", { messages }),
  ];
  expect(await storyOf(whole, true)).toEqual(["idle", "working", "working", '"Now."', "working", "idle:interrupted", "gone"]);
});

test("omp: while only a shell runs in the background, what was said is the reply and the session is idle", async () => {
  const events = turn(text("The server is up."), { jobs: { running: [{ type: "bash" }] } });
  expect(await storyOf([...events, next(events, "agent_end", { willContinue: true })], true)).toEqual([
    "idle",
    "working",
    '"The server is up."',
    "gone",
  ]);
});

const ENDS: [string, object, string][] = [
  ["without text", { content: [{ type: "thinking", thinking: "hm" }], stopReason: "stop" }, "idle:done"],
  ["with white space", text(" \n"), "idle:done"],
  ["with a tool's call", { content: [{ type: "text", text: "Let me" }], stopReason: "toolUse" }, "idle:done"],
  ["in a rate limit", { content: [], stopReason: "error", errorMessage: "429 Too Many Requests" }, "idle:limit"],
  ["in an error", { content: [{ type: "text", text: "Half" }], stopReason: "error", errorMessage: "boom" }, "idle:failed"],
  ["at the length limit", { content: [{ type: "text", text: "A long" }], stopReason: "length" }, '"A long"'],
  [
    "in two text parts",
    { content: [{ type: "text", text: "One." }, {}, { type: "text", text: "Two." }], stopReason: "stop" },
    '"One.\\nTwo."',
  ],
];
for (const [how, message, end] of ENDS) {
  test(`a turn that ends ${how}: ${end}`, async () => {
    const events = turn(message);
    const settled = next(events, "agent_settled", { aborted: false });
    expect(await storyOf([...events, settled], false)).toEqual(["idle", "working", end, "gone"]);
  });
}

test("a helper is silent: one made in the same process, and a run without a screen that an agent started", async () => {
  const helper = turn(text("From the helper."), { hasUI: false, tools: ["bash", "yield"] });
  expect(await storyOf([...helper, next(helper, "agent_end")], true)).toEqual([]);
  const run = turn(text("From the helper."), { hasUI: false });
  const settled = next(run, "agent_settled", { aborted: false });
  const inside = { MOTH_AGENT_PID: String(process.pid) };
  expect(await storyOf([...run, settled], false, inside)).toEqual([]);
  // In a window that an agent's shell opened, a person works; and a mark that nobody alive left says nothing.
  const seen = ["idle", "working", '"From the helper."', "gone"];
  expect(await storyOf([...turn(text("From the helper.")), settled], false, inside)).toEqual(seen);
  expect(await storyOf([...run, settled], false, { MOTH_AGENT_PID: "999999999" })).toEqual(seen);
});

test("two copies in one Pi bring one command: of two it would make /moth:1 and /moth:2, and send a /moth to the model", async () => {
  const moth = await startMoth();
  const [start] = turn({});
  if (!start) throw new Error("no event");
  const copies = [start, { ...start, agent: 2 }];
  expect(await run([...copies, next(copies, "session_shutdown")], moth.url)).toMatchObject({ commands: ["moth"] });
  // omp takes one of two, and makes its suggestions before a session starts.
  expect(await run([], moth.url, { omp: true })).toMatchObject({ commands: ["moth"] });
});

test("an agent that never introduced itself is not heard", async () => {
  const events = turn(text("A clone's.")).slice(1);
  expect(await storyOf([...events, next(events, "agent_end"), next(events, "session_switch")], true)).toEqual([]);
});

test("dialogs outside a turn, and where nobody can be asked, are no waits", async () => {
  const idle = turn({}).slice(0, 1);
  expect(await storyOf([...idle, next(idle, "ui_prompt_start", { kind: "select" }), next(idle, "ui_prompt_end")], false)).toEqual(
    ["idle", "gone"],
  );
  const call = { toolCallId: "t-1", toolName: "bash" };
  const alone = turn(text("Refused."), { hasUI: false });
  const asked = [next(alone, "tool_approval_requested", call), next(alone, "tool_approval_resolved", call)];
  expect(await storyOf([...alone.slice(0, 2), ...asked, ...alone.slice(2), next(alone, "agent_end")], true)).toEqual([
    "idle",
    "working",
    '"Refused."',
    "gone",
  ]);
});

test("Pi: of two calls in one answer each dialog waits by its own call's id, and a second one of a call by another", async () => {
  const moth = await startMoth();
  const events = turn(text("Made both."));
  const dialog = [next(events, "ui_prompt_start", { kind: "select" }), next(events, "ui_prompt_end", { kind: "select" })];
  const calls = ["t-1", "t-2"].flatMap((toolCallId) => [
    next(events, "tool_execution_start", { toolCallId, toolName: "bash" }),
    ...dialog,
  ]);
  await run([...events.slice(0, 2), ...calls, ...dialog, next(events, "session_shutdown")], moth.url);
  await vi.waitFor(() => expect(moth.heard()).toHaveLength(9));
  const ids = moth.heard().flatMap(({ body }) => body.wait?.id ?? body.ended ?? []);
  expect(ids).toEqual(["t-1", "t-1", "t-2", "t-2", "t-2-2", "t-2-2"]);
});

test("the session of a reload is not gone", async () => {
  const moth = await startMoth();
  const events = turn(text("x")).slice(0, 1);
  await run([...events, next(events, "session_shutdown", { reason: "reload" }), next(events, "session_shutdown")], moth.url);
  await vi.waitFor(() => expect(story(moth.heard())).toEqual(["idle", "gone"]));
});

test("the built file says whose it is in its first line", () => {
  expect(readFileSync(EXTENSION, "utf8")).toMatch(/^\/\/ @moth-companion\/pi: /);
});
