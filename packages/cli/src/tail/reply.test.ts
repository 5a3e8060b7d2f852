import type { Wait } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { hintFor, readReply } from "./reply.ts";

const permission: Wait = { id: "w", kind: "permission", text: "npm publish", answerable: true };
const plan: Wait = { ...permission, kind: "plan", text: "1. Look\n2. Leap" };
const question: Wait = { ...permission, kind: "question", text: "Which?" };
const colours: Wait = { ...question, options: ["Red", "2", "Blue"] };
const dialog: Wait = { ...permission, options: ["Yes", "No"] };

test.each<[string, Wait, string, object, string]>([
  ["a letter allows what it names", permission, "a", { choice: "allow" }, "allow npm publish"],
  ["so does the word", permission, "Allow", { choice: "allow" }, "allow npm publish"],
  ["a no", permission, "d", { choice: "deny" }, "deny it"],
  ["a no with words", permission, "d use yarn", { choice: "deny", text: "use yarn" }, "deny it, with these words: use yarn"],
  ["a plan", plan, "a", { choice: "approve" }, "approve what stands above"],
  ["no plan", plan, "reject look twice", { choice: "reject", text: "look twice" }, "reject it, with these words: look twice"],
  ["own words", question, "a or d", { text: "a or d" }, "answer with these words"],
  ["an option by its number", colours, "3", { choice: "Blue" }, 'answer "Blue"'],
  ["an option by its own words goes before a number", colours, "2", { choice: "2" }, 'answer "2"'],
  ["own words beside options", colours, "Teal", { text: "Teal" }, "answer with these words"],
  ["an option of a dialog", dialog, "1", { choice: "Yes" }, 'answer "Yes"'],
])("%s", (_what, wait, typed, answer, says) => {
  expect(readReply(wait, typed)).toMatchObject({ answer, says });
});

test.each<[string, Wait, string]>([
  ["words that are no answer", permission, "always"],
  ["a word that begins like one", permission, "don't"],
  ["a yes with words", permission, "a but first test it"],
  ["the other kind's word", permission, "approve"],
  ["a number there is not", colours, "4"],
  ["zero", colours, "0"],
  ["words where only options are", dialog, "maybe"],
  ["letters where options are", dialog, "a"],
])("no answer: %s", (_what, wait, typed) => {
  expect(readReply(wait, typed)).toEqual({ problem: expect.any(String) as string });
});

test("what can be typed is told", () => {
  expect([permission, plan, question, colours, dialog].map(hintFor)).toEqual([
    "a allow, d deny (with words, if you like)",
    "a approve, r reject (with words, if you like)",
    "your own words",
    "1-3 chooses, or your own words",
    "1-2 chooses",
  ]);
});
