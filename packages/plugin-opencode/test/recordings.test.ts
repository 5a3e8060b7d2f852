/** What real harnesses sent, given to the built plugin: what moth hears of it. */
import { expect, test, vi } from "vitest";
import { startMoth } from "../../core/test/listening-moth.ts";
import { recording, run, story } from "./harness.ts";

/** Plain, allowed, refused, answered, dismissed. */
const BEGINNING = [
  'working | "Plain reply." | idle:done',
  'working | waiting:permission bash | working:answered | "Made it." | idle:done',
  "working | waiting:permission bash | working:answered | idle:interrupted",
  'working | waiting:question question | working:answered | "Red it is." | idle:done',
  "working | waiting:question question | working:answered | idle:interrupted",
];
/** Stopped, failed, empty, compacted, after that, in a new session, at the end. */
const END = [
  "working | idle:interrupted",
  "working | idle:failed",
  "working | idle:done",
  "working | idle",
  'working | "After compaction." | idle:done',
  'working | "In a new session." | idle:done',
  "gone | gone",
];
/** A subagent that finishes, and one that is stopped together with its session. */
const SUBAGENTS = ['working | "The helper is done." | idle:done', "working | idle:interrupted", "gone"];

const CASES = [
  // Two prompts in line are one piece of work in OpenCode, and two in Kilo.
  {
    name: "opencode-1.18.33-terminal",
    turns: [...BEGINNING, 'working | "First of two." | "Second of two." | idle:done', ...END],
  },
  {
    name: "kilo-7.7.7-terminal",
    turns: [...BEGINNING, 'working | "First of two." | idle:done', 'working | "Second of two." | idle:done', ...END],
  },
  { name: "opencode-1.18.33-subagent", turns: SUBAGENTS },
  { name: "kilo-7.7.7-subagent", turns: SUBAGENTS },
  // Its copies of older messages are no replies.
  { name: "opencode-1.18.33-fork", turns: ['working | "ok" | idle:done', "gone"] },
];

for (const { name, turns } of CASES) {
  test(`${name}: each reply once and every state, and nothing else`, async () => {
    const moth = await startMoth();
    const ran = await run(recording(name), moth.url);
    const expected = turns.join(" | ");
    await vi.waitFor(() => expect(moth.heard()).toHaveLength(expected.split(" | ").length));
    expect(story(moth.heard()).join(" | ")).toBe(expected);
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", threw: 0 });
    for (const { body } of moth.heard())
      expect(body).toMatchObject({ source: "opencode", label: "moth repo", pid: expect.any(Number) });
    for (const { path, body } of moth.heard()) if (path === "/api/agent") expect(body.turn).toMatch(/^msg_/);
  });
}

test("a session's reports carry its own id", async () => {
  const moth = await startMoth();
  const events = recording("opencode-1.18.33-terminal");
  await run(events, moth.url);
  const created = events.filter((event) => event.type === "session.created").map((event) => event.properties["sessionID"]);
  await vi.waitFor(() => expect(new Set(moth.heard().map(({ body }) => body.session))).toEqual(new Set(created)));
});
