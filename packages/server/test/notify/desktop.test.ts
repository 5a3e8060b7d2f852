import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { MothEvent, NotifyAnswer, SessionsAnswer } from "@moth-companion/core/protocol";
import { NOTIFY_OFF, type NotifySettings } from "../../src/notify/pick.ts";
import type { RunningServer, ServerOptions } from "../../src/server.ts";
import { enterBy, get, post, started, tempHome } from "../support.ts";
import { type Asked, type Bus, noBus, startBus } from "./bus.ts";

if (noBus) process.stderr.write(`moth's notifications are not tried on a real bus: ${noBus}\n`);

const settings = (more: Partial<NotifySettings> = {}): NotifySettings => ({ ...NOTIFY_OFF, on: true, ...more });

async function moth(bus: Bus, more: Partial<NotifySettings> = {}, options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  return started({ env: { ...bus.env, MOTH_HOME: tempHome() }, notify: () => settings(more), ...options });
}

/** A moth with a waiting session that is shown. */
async function shownWait(bus: Bus, options: Partial<ServerOptions> = {}, more: object = {}): Promise<RunningServer> {
  const server = await moth(bus, {}, options);
  await state(server, "waiting", { wait, ...more });
  await soon(() => expect(asks(bus)).toHaveLength(1));
  return server;
}

const unread = async (server: RunningServer): Promise<unknown> =>
  (await get<SessionsAnswer>(server, "/api/sessions")).sessions[0]?.unread;

const wait = { id: "w1", kind: "permission", tool: "Bash" };
const state = (server: RunningServer, state: string, more: object = {}): Promise<unknown> =>
  post(server, "/api/state", { source: "pi", session: "s1", label: "api & <b>it's</b> \\ 蛾 🦋", state, ...more });

const soon = (fn: () => void | Promise<void>): Promise<void> => vi.waitFor(fn, { timeout: 10_000, interval: 10 });
const asks = (bus: Bus): Asked[] => bus.asked.filter(({ method }) => method !== "ready" && method !== "closed");

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
      actions: ["default", "open"],
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

test.skipIf(noBus !== undefined)("a notification the person puts away was seen; one that goes by itself was not", async () => {
  const bus = await startBus();
  const server = await shownWait(bus);
  bus.person("expire", 1);
  await soon(() => expect(bus.asked.at(-1)).toMatchObject({ method: "closed", id: 1 }));
  await state(server, "working");
  await state(server, "idle", { outcome: "failed" });
  await soon(() => expect(asks(bus)).toHaveLength(2));
  // What expired is not closed once more.
  expect(asks(bus)[1]).toMatchObject({ method: "Notify", id: 2 });
  expect(await unread(server)).toBe("failed");
  bus.person("dismiss", 2);
  await soon(async () => expect(await unread(server)).toBeUndefined());
});

test.skipIf(noBus !== undefined)("one that is put away in the moment it is shown was seen", async () => {
  const bus = await startBus();
  const server = await moth(bus);
  for (let round = 0; round < 3; round++) {
    await state(server, "working");
    await state(server, "idle", { outcome: "failed", label: "at once" });
    await soon(async () => expect([asks(bus).length, await unread(server)]).toEqual([round + 1, undefined]));
  }
});

test.skipIf(noBus !== undefined)("putting away a notification about several marks them all", async () => {
  const bus = await startBus();
  const server = await moth(bus);
  for (const session of ["s1", "s2", "s3"]) await state(server, "idle", { outcome: "failed", session });
  await soon(() => expect(asks(bus)).toHaveLength(2));
  bus.person("dismiss", 2);
  await soon(async () => {
    const { sessions } = await get<SessionsAnswer>(server, "/api/sessions");
    expect(sessions.map((row) => row.unread)).toEqual(["failed", undefined, undefined]);
  });
});

test.skipIf(noBus !== undefined)("a click marks the session, and opens the page by a link that lets in", async () => {
  const bus = await startBus();
  const opened: string[] = [];
  const server = await shownWait(bus, { openPage: (url) => opened.push(url) });
  bus.person("click", 1);
  await soon(() => expect(opened).toHaveLength(1));
  expect(await unread(server)).toBeUndefined();
  expect(opened[0]).toMatch(new RegExp(`^${server.url}/open`));
  expect((await enterBy(server, opened[0]!)).status).toBe(200);
});

test.skipIf(noBus !== undefined)("a click leads to the session's pane where its terminal allows", async () => {
  const bus = await startBus();
  const folder = tempHome();
  writeFileSync(join(folder, "wezterm"), `#!/bin/sh\necho "$@" >> ${folder}/called\n`, { mode: 0o755 });
  const env = { ...bus.env, MOTH_HOME: tempHome(), PATH: `${folder}:${bus.env["PATH"]}` };
  const opened: string[] = [];
  await shownWait(bus, { env, openPage: (url) => opened.push(url) }, { pane: "wezterm:7" });
  bus.person("click", 1);
  await soon(() => expect(readFileSync(join(folder, "called"), "utf8")).toBe("cli activate-pane --pane-id 7\n"));
  expect(opened).toEqual([]);
});

test.skipIf(noBus !== undefined)("a bus that ends under a shown notification is a problem of the next one only", async () => {
  const bus = await startBus();
  const server = await shownWait(bus);
  await bus.end();
  await state(server, "idle", { outcome: "failed" });
  await soon(async () =>
    expect((await get<NotifyAnswer>(server, "/api/notify")).problems).toEqual([expect.stringContaining("cannot be told")]),
  );
});

test("what is no bus is named, and moth goes on", async () => {
  const path = join(tempHome(), "bus");
  const noise = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.write("OK 1234\r\n"));
    socket.on("data", () => socket.write(Buffer.alloc(4000, 7)));
  }).listen(path);
  onTestFinished(() => void noise.close());
  await once(noise, "listening");
  const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`, MOTH_HOME: tempHome() };
  const server = await started({ env, notify: () => settings({ by: ["desktop"] }) });
  const answer = (await post(server, "/api/notify/test", {})).body as NotifyAnswer;
  expect(answer).toMatchObject({ by: [], problems: ["the desktop cannot be told: the session bus hung up"] });
});

test("where the desktop cannot be told, the terminal is, unless the person chose", async () => {
  const env = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", MOTH_HOME: tempHome() };
  const server = await started({ env, notify: () => settings() });
  await state(server, "idle", { outcome: "failed" });
  const notices = async (): Promise<string[][]> =>
    (await get<{ events: MothEvent[] }>(server, "/api/log")).events.flatMap((event) =>
      event.kind === "notice" ? [event.by] : [],
    );
  await soon(async () => expect(await notices()).toEqual([["desktop"], ["terminal"]]));
  await state(server, "idle", { outcome: "failed", session: "s2" });
  await soon(async () => expect(await notices()).toEqual([["desktop"], ["terminal"], ["desktop", "terminal"]]));
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
  expect(answer.problems.join("\n")).toContain("the desktop cannot be told: connect ENOENT");
  await state(server, "waiting", { wait });
  await soon(async () => {
    const { events } = await get<{ events: MothEvent[] }>(server, "/api/log");
    expect(events.map(({ kind }) => kind)).toContain("notice");
  });
});
