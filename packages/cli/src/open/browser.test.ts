import { expect, test } from "vitest";
import { browserCommand, openBrowser } from "./browser.ts";

const URL = "http://127.0.0.1:4747/open?key=abc";

test.each<[NodeJS.Platform, Record<string, string>, string | undefined]>([
  ["linux", { DISPLAY: ":0" }, "xdg-open"],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, "xdg-open"],
  ["linux", {}, undefined],
  ["linux", { DISPLAY: "localhost:10.0", SSH_CONNECTION: "a b c d" }, undefined],
  ["darwin", {}, "open"],
  ["darwin", { SSH_TTY: "/dev/ttys1" }, undefined],
  ["win32", {}, "rundll32"],
])("on %s with %j the address is opened by %s", (platform, env, program) => {
  const command = browserCommand(URL, env, platform);
  expect(command?.[0]).toBe(program);
  expect(command?.at(-1)).toBe(program && URL);
});

test("a program that is not there is no error", async () => {
  expect(await openBrowser(["moth-no-such-program", URL], { PATH: "" })).toBe(false);
});
