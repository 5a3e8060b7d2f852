import { expect, test, vi } from "vitest";
import type { MothEvent, NotifyAnswer } from "@moth-companion/core/protocol";
import { NOTIFY_OFF, type NotifySettings } from "../../src/notify/pick.ts";
import type { RunningServer } from "../../src/server.ts";
import { get, post, started, tempHome } from "../support.ts";
import { type Asked, type Bus, noBus, startBus } from "./bus.ts";

if (noBus) process.stderr.write(`moth's notifications are not tried on a real bus: ${noBus}\n`);

const settings = (more: Partial<NotifySettings> = {}): NotifySettings => ({ ...NOTIFY_OFF, on: true, ...more });

async function moth(bus: Bus, more: Partial<NotifySettings> = {}): Promise<RunningServer> {
  return started({ env: { ...bus.env, MOTH_HOME: tempHome() }, notify: () => settings(more) });
}

const wait = { id: "w1", kind: "permission", tool: "Bash" };
const state = (server: RunningServer, state: string, more: object = {}): Promise<unknown> =>
  post(server, "/api/state", { source: "pi", session: "s1", label: "api & <b>it's</b> \\ 蛾 🦋", state, ...more });

const soon = (fn: () => void | Promise<void>): Promise<void> => vi.waitFor(fn, { timeout: 10_000, interval: 10 });
const asks = (bus: Bus): Asked[] => bus.asked.filter(({ method }) => method !== "ready");

test.skipIf(noBus !== undefined)(
  "a wait is shown on the desktop, letter by letter, and withdrawn when it was answered",
  async () => {
    const bus = await startBus();
    const server = await moth(bus);
    await state(server, "waiting", { wait });
    await soon(() => expect(asks(bus)).toHaveLength(1));
    expect(asks(bus)[0]).toEqual({
      method: "Notify",
      id: 1,
      app: "moth",
      title: "api & <b>it's</b> \\ 蛾 🦋 waits for a permission (Bash)",
      body: "pi",
      hints: { urgency: 2, category: "im.received", "suppress-sound": true },
    });
    await state(server, "working");
    await soon(() => expect(asks(bus)[1]).toMatchObject({ method: "CloseNotification", id: 1 }));
  },
);

test.skipIf(noBus !== undefined)("names in a body are text, not markup", async () => {
  const bus = await startBus();
  const server = await moth(bus, { sound: true });
  for (const session of ["s1", "s2", "s3"]) await state(server, "idle", { outcome: "failed", session, label: `<i>${session}` });
  await soon(() => expect(asks(bus)).toHaveLength(2));
  expect(asks(bus)[0]).toMatchObject({ title: "<i>s1 failed", hints: { urgency: 1, "sound-name": "message-new-instant" } });
  expect(asks(bus)[1]).toMatchObject({ title: "two sessions have news", body: "&lt;i&gt;s2 and &lt;i&gt;s3 failed" });
});

test.skipIf(noBus !== undefined)("what a display marks as seen goes from the desktop too", async () => {
  const bus = await startBus();
  const server = await moth(bus);
  await state(server, "waiting", { wait });
  await soon(() => expect(asks(bus)).toHaveLength(1));
  await post(server, "/api/seen", {});
  await soon(() => expect(asks(bus)[1]).toMatchObject({ method: "CloseNotification", id: 1 }));
});

test.skipIf(noBus !== undefined)("the test notice is shown before its answer comes", async () => {
  const bus = await startBus();
  const server = await moth(bus);
  const answer = await post(server, "/api/notify/test", {});
  expect(answer).toMatchObject({ status: 200, body: { on: true, by: ["desktop"], problems: [] } });
  expect(asks(bus)).toMatchObject([{ method: "Notify", title: "moth can reach you" }]);
});

test("a desktop that is not there is named, and moth goes on", async () => {
  const env = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", PATH: process.env["PATH"] ?? "", MOTH_HOME: tempHome() };
  const server = await started({ env, notify: () => settings({ by: ["desktop"] }) });
  const answer = (await post(server, "/api/notify/test", {})).body as NotifyAnswer;
  expect(answer.problems.join("\n")).toMatch(/gdbus|notify-send/);
  await state(server, "waiting", { wait });
  await soon(async () => {
    const { events } = await get<{ events: MothEvent[] }>(server, "/api/log");
    expect(events.map(({ kind }) => kind)).toContain("notice");
  });
});
