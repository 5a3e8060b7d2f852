/** What the built plugin does in its harness. What holds of every adapter is in `e2e/contract`. */
import { statSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { startMoth } from "../../core/test/listening-moth.ts";
import { PLUGIN, recording, run, story } from "./harness.ts";

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

test("the built file stays small enough to be read", () => {
  expect(statSync(PLUGIN).size).toBeLessThan(18_000);
});
