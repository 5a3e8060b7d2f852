/** What the built plugin makes of each event. What holds of every adapter is in `e2e/contract`. */
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { type Heard, startMoth, story } from "../../core/test/listening-moth.ts";
import { began, disposed, ended, event, idOf, ROOT, said } from "./events.ts";
import { PLUGIN, type Recorded, run } from "./harness.ts";

const TURN = [began(), said("Done."), ended("completed")];

/** What is heard of a run until dsh ends. */
async function told(events: readonly Recorded[]): Promise<string[]> {
  const moth = await startMoth();
  const ran = await run([...events, began("session-last"), ended("aborted", "session-last")], moth.url);
  expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", threw: 0, returned: 0 });
  const last = (): Heard[] => moth.heard().filter(({ body }) => body.session === "session-last");
  await vi.waitFor(() => expect(story(last())).toContain("gone"));
  return story(moth.heard().filter(({ body }) => body.session !== "session-last"));
}

test("it is a cordis plugin with a name, needs no service, and listens only to what tells and cannot decide", async () => {
  const moth = await startMoth();
  const ran = await run([], moth.url);
  expect(ran.exports.toSorted()).toEqual(["apply", "name"]);
  expect(ran.hooks.toSorted()).toEqual(["session/disposed", "session/event"]);
  expect(moth.heard()).toEqual([]);
});

test("it never throws: not at events of any shape, and not in a dsh it does not know", async () => {
  const moth = await startMoth();
  expect(await run(TURN, moth.url, { hostile: true })).toMatchObject({ code: 0, stdout: "", stderr: "", threw: 0 });
  await vi.waitFor(() => expect(story(moth.heard())).toContain('"Done."'));
  expect(await run(TURN, moth.url, { broken: true })).toMatchObject({ code: 0, stdout: "", stderr: "", hooks: [] });
});

test("a reply is posted once, at the end of its turn, with the message's own id", async () => {
  const moth = await startMoth();
  const ran = await run([began(), said("Let me look."), said("Done."), ended("completed"), ended("completed")], moth.url);
  await vi.waitFor(() => expect(story(moth.heard())).toEqual(["working", '"Done."', "idle:done", "gone"]));
  const { seq, ...body } = moth.heard()[1]!.body;
  expect(seq).toBeGreaterThan(0);
  const whose = { source: "dsh", session: ROOT, label: "repo", pid: ran.pid };
  expect(body).toEqual({ ...whose, text: "Done.", outcome: "done", state: "idle", turn: idOf("Done.") });
});

test("a reply that ran into the length limit is one; what was said before a turn broke off is none, then or later", async () => {
  expect(await told([began(), said("So far."), ended("max-tokens")])).toEqual(["working", '"So far."', "gone"]);
  const stopped = [began(), said("Half", ROOT, undefined, { interrupted: true }), ended("aborted"), began(), ended("completed")];
  expect(await told(stopped)).toEqual(["working", "idle:interrupted", "working", "idle:done", "gone"]);
  const refused = ended("error", ROOT, undefined, { error: { code: "INVALID_REQUEST" } });
  expect(await told([began(), said("Let me look."), refused])).toEqual(["working", "idle:failed", "gone"]);
  const busy = ended("error", ROOT, undefined, { error: { code: "RATE_LIMIT" } });
  expect(await told([began(), busy, began(), ended("blocked")])).toEqual([
    "working",
    "idle:limit",
    "working",
    "idle:failed",
    "gone",
  ]);
});

test("a turn without words is idle again, unheard", async () => {
  expect(await told([began(), said("  \n"), ended("completed")])).toEqual(["working", "idle:done", "gone"]);
});

test("a subagent is never heard, nor is its own subagent; their session works until they are done", async () => {
  const helpers = [began("a", ROOT), began("b", "a"), said("To myself.", "b", "a"), ended("completed", "b", "a")];
  const done = [said("To you.", "a", ROOT), ended("completed", "a", ROOT), disposed("a", ROOT)];
  const whole = [began(), ...helpers, said("They are at it."), ended("completed"), ...done];
  expect(await told([...whole, { wait: 700 }])).toEqual(["working", '"They are at it.", works on', "idle:done", "gone"]);
  expect(await told([...whole, began(), said("All done."), ended("completed"), { wait: 700 }])).toEqual([
    "working",
    '"They are at it.", works on',
    "working",
    '"All done."',
    "gone",
  ]);
});

test("what a subagent asks is what its session waits for, although the session has spoken meanwhile", async () => {
  const asks = event("approval/asked", { id: "w-1", toolName: "bash" }, "a", ROOT);
  const decided = event("approval/decided", { id: "w-1", outcome: "rejected" }, "a", ROOT);
  const whole = [
    began(),
    began("a", ROOT),
    asks,
    said("It is at it."),
    ended("completed"),
    decided,
    ended("completed", "a", ROOT),
  ];
  expect(await told([...whole, { wait: 700 }])).toEqual([
    "working",
    "waiting:permission bash",
    '"It is at it.", works on',
    "working:answered",
    "idle:done",
    "gone",
  ]);
});

test("a session that is closed is gone, and one whose dsh ends in mid-turn is gone and interrupted", async () => {
  expect(await told([...TURN, disposed(ROOT)])).toEqual(["working", '"Done."', "gone"]);
  expect(await told([began()])).toEqual(["working", "gone:interrupted"]);
});

test("sessions of one process are told apart, a copy of a session among them", async () => {
  const moth = await startMoth();
  await run(
    [began(), began("session-2"), said("Two.", "session-2"), ended("completed", "session-2"), said("One."), ended("completed")],
    moth.url,
  );
  await vi.waitFor(() => expect(story(moth.heard()).filter((line) => line === "gone")).toHaveLength(2));
  const replies = moth.heard().flatMap(({ body }) => (body.text ? [`${body.session} ${body.text}`] : []));
  expect(replies).toEqual(["session-2 Two.", `${ROOT} One.`]);
});

test("with answers on it tells what is asked, and waits for the answer; that keeps no dsh from ending", async () => {
  const call = { type: "tool/call", data: { callId: "c-1", name: "bash", arguments: '{"command":"touch made.txt"}' } };
  const asks = { type: "approval/asked", data: { id: "a-1", toolName: "bash", callId: "c-1", reason: "it must be" } };
  const events: Recorded[] = [
    began(),
    { on: "session/event", session: { id: ROOT, header: {}, events: [call] }, event: asks },
    { wait: 300 },
  ];
  const waits = async (how: "on" | "off"): Promise<{ waits: unknown[]; polls: boolean }> => {
    const moth = await startMoth();
    const ran = await run(events, moth.url, { page: true, env: { MOTH_ANSWERS: how } });
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", threw: 0, left: [] });
    expect(ran.taken).not.toContain("stream");
    const heard = moth.heard().flatMap(({ body }) => body.wait ?? []);
    return { waits: heard, polls: moth.bytes().includes(`GET /api/answers?source=dsh&session=${ROOT}&wait=a-1`) };
  };
  const plain = { id: "a-1", kind: "permission", tool: "bash", answerable: false };
  expect(await waits("off")).toEqual({ waits: [plain], polls: false });
  const whole = { ...plain, answerable: true, text: "touch made.txt\nit must be" };
  expect(await waits("on")).toEqual({ waits: [plain, whole], polls: true });
});

test("the built file says whose it is in its first line", () => {
  expect(readFileSync(PLUGIN, "utf8")).toMatch(/^\/\/ @moth-companion\/dsh: /);
});
