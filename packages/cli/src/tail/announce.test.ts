import type { NoticeEvent } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { announcement } from "./announce.ts";

const notice = (more: Partial<NoticeEvent> = {}): NoticeEvent => ({
  id: 1,
  time: 0,
  kind: "notice",
  notice: "n7",
  about: "waits",
  title: "api waits",
  body: "Pi",
  by: ["terminal"],
  ...more,
});
const shown = (text: string): string => text.replaceAll("\u001b", "␛");

test.each<[string, Record<string, string>, string]>([
  ["any terminal", { TERM: "xterm-256color" }, "␛]9;api waits (Pi)␛\\"],
  ["foot", { TERM: "foot" }, "␛]777;notify;api waits;Pi␛\\"],
  ["kitty", { TERM: "xterm-kitty" }, "␛]99;i=moth-n7:d=0:e=1;YXBpIHdhaXRz␛\\␛]99;i=moth-n7:p=body:e=1;UGk=␛\\"],
  ["tmux", { TERM: "screen", TMUX: "/tmp/t,1,0" }, "␛Ptmux;␛␛]9;api waits (Pi)␛␛\\␛\\"],
  ["one that is told which", { TERM: "xterm-kitty", MOTH_NOTIFY_OSC: "777" }, "␛]777;notify;api waits;Pi␛\\"],
])("a notice for %s", (_, env, bytes) => {
  expect(shown(announcement(notice(), env))).toBe(bytes);
});

test("what stands in it ends neither the sequence nor the title", () => {
  const evil = notice({ title: "4;a\u001b\\b\u0007;c\nd", body: "e;f" });
  expect(shown(announcement(evil, {}))).toBe("␛]9;4,ab,c d (e,f)␛\\");
  expect(shown(announcement(evil, { TERM: "foot" }))).toBe("␛]777;notify;4,ab,c d;e;f␛\\");
});

test("only kitty takes one back", () => {
  const over = { id: 2, time: 0, kind: "withdrawn" as const, notice: "n7" };
  expect(shown(announcement(over, { TERM: "xterm-kitty" }))).toBe("␛]99;i=moth-n7:p=close;␛\\");
  expect(announcement(over, { TERM: "foot" })).toBe("");
});

test("a notice that is shown otherwise is not shown here", () => {
  expect(announcement(notice({ by: ["desktop"] }), {})).toBe("");
});
