import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempHome } from "../../test/support.ts";
import { NOTIFY_OFF, pickBackends } from "./pick.ts";

/** A folder for PATH that holds these programs. */
function path(...programs: string[]): string {
  const folder = tempHome();
  for (const program of programs) {
    writeFileSync(join(folder, program), "");
    chmodSync(join(folder, program), 0o755);
  }
  return folder;
}

const bus = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" };
const auto = { ...NOTIFY_OFF, on: true };

test.each<[string, Record<string, string>, string[], NodeJS.Platform, object]>([
  ["a Linux desktop", bus, ["gdbus", "notify-send"], "linux", { by: ["desktop"], desktop: "gdbus" }],
  ["one without gdbus", bus, ["notify-send"], "linux", { by: ["desktop"], desktop: "notify-send" }],
  ["one without either", bus, [], "linux", { by: ["terminal"], desktop: undefined }],
  ["a machine without a desktop", {}, ["gdbus"], "linux", { by: ["terminal"], desktop: undefined }],
  ["macOS", {}, [], "darwin", { by: ["desktop"], desktop: "osascript" }],
  ["Windows", {}, [], "win32", { by: ["desktop"], desktop: "powershell" }],
])("auto on %s", (_, env, programs, platform, picked) => {
  expect(pickBackends(auto, { ...env, PATH: path(...programs) }, platform)).toEqual({ problems: [], ...picked });
});

test("a command is run beside what auto takes", () => {
  expect(pickBackends({ ...auto, command: ["tell"] }, {}, "darwin").by).toEqual(["desktop", "command"]);
});

test("what was asked for and cannot be is a problem, with what to do", () => {
  const picked = pickBackends({ ...auto, by: ["desktop", "command", "terminal"] }, { ...bus, PATH: "" }, "linux");
  expect(picked.by).toEqual(["terminal"]);
  expect(picked.problems).toEqual([expect.stringContaining("libglib2.0-bin"), expect.stringContaining("notify.command")]);
  expect(pickBackends({ ...auto, by: ["desktop"] }, {}, "linux").problems[0]).toContain("DBUS_SESSION_BUS_ADDRESS");
});
