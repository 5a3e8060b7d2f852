import { expect, test } from "vitest";
import { osascript, REMOVE, SHOW, toastEnv } from "./desktop-others.ts";

const notice = { key: "n1", about: "waits" as const, title: `api" & (do shell script "id")`, body: "$(id) '`\u2019" };

test("macOS: the words are arguments of a script that is always the same", () => {
  const argv = osascript(notice, false);
  expect(argv.slice(-3)).toEqual(["--", notice.title, notice.body]);
  expect(argv.slice(0, -2)).toEqual(osascript({ ...notice, title: "x", body: "y" }, false).slice(0, -2));
  expect(osascript(notice, true).join(" ")).toContain('sound name "Glass"');
});

test("Windows: the words are variables of a script that is always the same", () => {
  expect(toastEnv({ PATH: "p" }, notice, false)).toEqual({
    PATH: "p",
    MOTH_TAG: "n1",
    MOTH_TITLE: notice.title,
    MOTH_BODY: notice.body,
    MOTH_SILENT: "true",
  });
  expect(SHOW).toContain("CreateTextNode($env:MOTH_TITLE)");
  expect(REMOVE).toContain("History.Remove($env:MOTH_TAG");
});
