import { expect, test } from "vitest";
import { NOTIFY_OFF, pickBackends } from "./pick.ts";

const bus = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" };
const auto = { ...NOTIFY_OFF, on: true };

test.each<[string, Record<string, string>, NodeJS.Platform, object]>([
  ["a Linux desktop", bus, "linux", { by: ["desktop"], desktop: "dbus" }],
  ["a machine without a desktop", {}, "linux", { by: ["terminal"], desktop: undefined }],
  ["macOS", {}, "darwin", { by: ["desktop"], desktop: "osascript" }],
  ["Windows", {}, "win32", { by: ["desktop"], desktop: "powershell" }],
])("auto on %s", (_, env, platform, picked) => {
  expect(pickBackends(auto, env, platform)).toEqual({ problems: [], ...picked });
});

test("a command is run beside what auto takes", () => {
  expect(pickBackends({ ...auto, command: ["tell"] }, {}, "darwin").by).toEqual(["desktop", "command"]);
});

test("what was asked for and cannot be is a problem, with what to do", () => {
  const picked = pickBackends({ ...auto, by: ["desktop", "command", "terminal"] }, {}, "linux");
  expect(picked.by).toEqual(["terminal"]);
  expect(picked.problems).toEqual([
    expect.stringContaining("DBUS_SESSION_BUS_ADDRESS"),
    expect.stringContaining("notify.command"),
  ]);
});
