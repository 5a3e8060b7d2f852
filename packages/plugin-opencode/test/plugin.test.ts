/** What the built plugin does in its harness. What holds of every adapter is in `e2e/contract`. */
import { expect, test, vi } from "vitest";
import { startMoth } from "../../core/test/listening-moth.ts";
import { type Given, recording, run, story } from "./harness.ts";

const EVENTS = recording("opencode-1.18.33-terminal");

test("the only export is the plugin function, and it asks for no hook that could change a decision", async () => {
  const moth = await startMoth();
  const ran = await run([], moth.url);
  expect(ran.exports).toEqual(["default"]);
  expect(ran.hooks).toEqual(["event", "dispose"]);
  expect(moth.requests()).toBe(0);
});

test("events of any shape are ignored without a word, and what is known is still heard among them", async () => {
  const moth = await startMoth();
  const wrong: unknown[] = [
    { type: "session.created" },
    { type: "session.created", properties: { info: null } },
    { type: "session.status", properties: { sessionID: 5, status: "busy" } },
    { type: "session.next.text.delta", properties: { sessionID: "ses_1", text: "no" } },
    { type: "permission.v2.asked", properties: { id: "per_1", sessionID: "ses_1" } },
    { type: "message.updated", properties: { sessionID: "ses_1", info: { id: {}, role: "assistant", time: 3 } } },
    { type: "message.part.updated", properties: { sessionID: "ses_1", part: [] } },
    { type: "permission.asked", properties: { sessionID: "ses_1" } },
    { type: "tomorrow.invented", properties: { sessionID: "ses_1", deep: { er: true } } },
  ];
  const ran = await run([...wrong, ...EVENTS] as typeof EVENTS, moth.url, { hostile: true });
  expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", threw: 0 });
  await vi.waitFor(() => expect(story(moth.heard())).toContain('"In a new session."'));
});

test("in Kilo it reports as Kilo", async () => {
  const moth = await startMoth();
  const events = recording("opencode-1.18.33-fork");
  await run(events, moth.url, { env: { KILO: "1" } });
  await vi.waitFor(() => expect(moth.heard().at(-1)?.body).toMatchObject({ state: "gone", source: "kilo" }));
});

test("with answers on it tells what is asked, and waits for the answer; that keeps no harness from ending", async () => {
  const sessionID = "ses_1";
  const asks = { id: "per_1", permission: "bash", patterns: ["touch made.txt"], tool: { messageID: "msg_1", callID: "c-1" } };
  const events: Given[] = [
    { type: "session.created", properties: { sessionID, info: { id: sessionID, directory: "/home/me/code" } } },
    { type: "session.status", properties: { sessionID, status: { type: "busy" } } },
    { type: "permission.asked", properties: { sessionID, ...asks } },
    { wait: 300 },
  ];
  const waits = async (how: "on" | "off"): Promise<{ waits: unknown[]; polls: boolean }> => {
    const moth = await startMoth();
    const ran = await run(events, moth.url, { env: { MOTH_ANSWERS: how, OPENCODE_PID: "", KILO: "" } });
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", threw: 0 });
    const heard = moth.heard().flatMap(({ body }) => body.wait ?? []);
    return { waits: heard, polls: moth.bytes().includes("GET /api/answers?source=opencode&session=ses_1&wait=per_1") };
  };
  const plain = { id: "per_1", kind: "permission", tool: "bash", answerable: false };
  expect(await waits("off")).toEqual({ waits: [plain], polls: false });
  expect(await waits("on")).toEqual({ waits: [plain, { ...plain, answerable: true, text: "touch made.txt" }], polls: true });
});
