import type { MothEvent } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { createStyle } from "../style.ts";
import { width } from "../width.ts";
import { createRenderer, type Entry, isShown, type View } from "./render.ts";

const about = { source: "claude-code", session: "3f2a91bc", label: "moth-repo" };
const other = { source: "codex", session: "77aa01dd", label: "api" };
const time = 0;
const log: MothEvent[] = [
  { id: 0, time, kind: "state", ...about, state: "working" },
  {
    id: 1,
    time,
    kind: "state",
    ...about,
    state: "waiting",
    wait: { id: "w", kind: "permission", tool: "Bash", answerable: false },
  },
  {
    id: 2,
    time,
    kind: "card",
    ...about,
    outcome: "done",
    class: "failure",
    text: "## Result\n\nI ran the suite: **3 tests failed** in `auth.test.ts`, because the session cookie is never set.\n\n```\nlog\n```",
  },
  {
    id: 3,
    time,
    kind: "say",
    ...about,
    card: 2,
    text: "three down in moth-repo. the lamp stays on.",
    quote: "3 tests failed in auth.test.ts",
  },
  { id: 4, time, kind: "chat", text: "how is everyone doing over there, little moth, in the long dark night?" },
  { id: 12, time, kind: "tool", text: "echo 'they asked after everyone, late' >> diary.md" },
  { id: 13, time, kind: "tool", text: "cat ../token", error: "A name is letters." },
  { id: 5, time, kind: "say", text: "one waits for you in moth-repo, and two are busy with the things you gave them." },
  { id: 6, time, kind: "card", ...other, outcome: "done", class: "done", text: "All done." },
  { id: 7, time, kind: "skip", card: 6, reason: "rate" },
  { id: 8, time, kind: "state", ...about, state: "idle", outcome: "interrupted" },
  { id: 9, time, kind: "say", ...other, card: 6, text: "api is home." },
  { id: 10, time, kind: "card", ...about, outcome: "interrupted", class: "done", text: "I was about to" },
  { id: 11, time, kind: "state", ...about, state: "gone" },
];

const draw = (columns: number | undefined, depth = 1, entries: Entry[] = log, session?: string): string[] => {
  const view: View = {
    columns,
    style: createStyle(depth),
    short: (source) => source.split("-")[0] ?? source,
    ...(session !== undefined && { session }),
  };
  const renderer = createRenderer();
  return entries
    .filter((entry) => entry.kind === "note" || isShown(entry, session))
    .flatMap((entry) => renderer.lines(entry, view));
};

test("80 columns", () => {
  expect(draw(80).join("\n")).toMatchInlineSnapshot(`
    "claude · moth-repo waits for a permission (Bash)
    claude · moth-repo said: Result: I ran the suite: 3 tests failed in auth.test.t…
    moth> three down in moth-repo. the lamp stays on.
          “3 tests failed in auth.test.ts”
    you> how is everyone doing over there, little moth, in the long dark night?
    $ echo 'they asked after everyone, late' >> diary.md
    $ cat ../token (A name is letters.)
    moth> one waits for you in moth-repo, and two are busy with the things you gave
          them.
    codex · api said: All done.
    claude · moth-repo was interrupted
    moth> api is home. (codex · api)
    claude · moth-repo was interrupted: I was about to"
  `);
});

test("40 columns", () => {
  expect(draw(40).join("\n")).toMatchInlineSnapshot(`
    "claude · moth-repo waits for a
    permission (Bash)
    claude · moth-repo said: Result: I ran…
    moth> three down in moth-repo. the lamp
          stays on.
          “3 tests failed in auth.test.ts”
    you> how is everyone doing over there,
         little moth, in the long dark
         night?
    $ echo 'they asked after everyone, late…
    $ cat ../token (A name is letters.)
    moth> one waits for you in moth-repo,
          and two are busy with the things
          you gave them.
    codex · api said: All done.
    claude · moth-repo was interrupted
    moth> api is home. (codex · api)
    claude · moth-repo was interrupted: I w…"
  `);
});

test("without a terminal nothing is wrapped", () => {
  expect(draw(undefined).join("\n")).toMatchInlineSnapshot(`
    "claude · moth-repo waits for a permission (Bash)
    claude · moth-repo said: Result: I ran the suite: 3 tests failed in auth.test.ts, because the session cookie is never set.
    moth> three down in moth-repo. the lamp stays on.
    you> how is everyone doing over there, little moth, in the long dark night?
    $ echo 'they asked after everyone, late' >> diary.md
    $ cat ../token (A name is letters.)
    moth> one waits for you in moth-repo, and two are busy with the things you gave them.
    codex · api said: All done.
    claude · moth-repo was interrupted
    moth> api is home. (codex · api)
    claude · moth-repo was interrupted: I was about to"
  `);
});

test("colours: moth> in lamp yellow, what waits plain, the rest dim", () => {
  expect(draw(80, 4)[0]).toBe("claude · moth-repo waits for a permission (Bash)");
  expect(draw(80, 4)[1]).toBe(`\u001b[2m${draw(80)[1]}\u001b[22m`);
  expect(draw(80, 4)[2]).toBe("\u001b[33mmoth>\u001b[39m three down in moth-repo. the lamp stays on.");
});

test.each([20, 40, 80])("no line is wider than %i columns, in any script", (columns) => {
  const entries: Entry[] = [
    ...log,
    {
      id: 20,
      time,
      kind: "card",
      ...about,
      outcome: "done",
      class: "done",
      text: "三个测试失败了，因为会话令牌从未设置。".repeat(9),
    },
    { id: 21, time, kind: "say", text: "灯还亮着。".repeat(20) + "a".repeat(300) + "👩‍🚀".repeat(50) },
    { kind: "note", text: "moth is asleep, and this note is longer than a narrow pane" },
  ];
  expect(draw(columns, 1, entries).filter((line) => width(line) > columns)).toEqual([]);
});

test("one session alone: its turns and states, and every line of moth's", () => {
  expect(draw(80, 1, log, "API")).toEqual([
    "moth> three down in moth-repo. the lamp stays on. (claude · moth-repo)",
    "      “3 tests failed in auth.test.ts”",
    "you> how is everyone doing over there, little moth, in the long dark night?",
    "$ echo 'they asked after everyone, late' >> diary.md",
    "$ cat ../token (A name is letters.)",
    "moth> one waits for you in moth-repo, and two are busy with the things you gave",
    "      them.",
    "codex · api said: All done.",
    "moth> api is home.",
  ]);
});

test.each([
  ["moth-repo (3f2a)", "moth-repo", true],
  ["moth-repo (3f2a)", "moth-repo (3f2a)", true],
  ["moth-repo", "moth-repo (3f2a)", false],
  ["moth-repo", "moth", false],
])("a session shown as %s is meant by %s: %s", (label, session, meant) => {
  expect(
    isShown({ id: 0, time, kind: "card", source: "x", session: "y", label, text: "t", outcome: "done", class: "done" }, session),
  ).toBe(meant);
});

test("a quote that stands right above is not said again", () => {
  const text = "The build is broken.";
  const entries: Entry[] = [
    { id: 0, time, kind: "card", ...about, outcome: "done", class: "failure", text },
    { id: 1, time, kind: "say", ...about, card: 0, text: "oh dear.", quote: text },
  ];
  expect(draw(80, 1, entries)).toEqual(["claude · moth-repo said: The build is broken.", "moth> oh dear."]);
});

test("an answer is told with where it came from; a wait that can be answered a moment later is told once, the same asked again twice", () => {
  const wait = { id: "w", kind: "permission", tool: "Bash", answerable: false } as const;
  const waiting = { time, kind: "state", ...about, state: "waiting" } as const;
  const entries: MothEvent[] = [
    { ...waiting, id: 0, wait },
    { ...waiting, id: 1, wait: { ...wait, text: "npm publish", answerable: true } },
    { id: 2, time, kind: "answer", ...about, wait: "w", about: "permission", choice: "deny", text: "not\nyet", by: "page" },
    { ...waiting, id: 3, wait },
  ];
  expect(draw(undefined, 1, entries)).toEqual([
    "claude · moth-repo waits for a permission (Bash)",
    'claude · moth-repo was answered: deny "not yet" (page)',
    "claude · moth-repo waits for a permission (Bash)",
  ]);
});
