import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findRecording } from "./recording.ts";

const ID = "0192aaaa-1111-4aaa-8bbb-000000000001";
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-gemini-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function record(path: string, text: string): string {
  const file = join(home, ".gemini", "tmp", ...path.split("/"));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const find = (): string | undefined => findRecording({ GEMINI_CLI_HOME: home }, ID);
const line = (sessionId: unknown): string => `${JSON.stringify({ sessionId, kind: "main" })}\n{"type":"user"}\n`;

test("a session's recording is found by its first line, in whichever project it lies", () => {
  record("one/chats/session-2026-11-30T10-00-0192aaaa.jsonl", line("0192aaaa-2222-4aaa-8bbb-000000000002"));
  record("one/logs.json", "[]");
  const file = record("two/chats/session-2026-11-30T11-00-0192aaaa.jsonl", line(ID));
  expect(find()).toBe(file);
});

test.each([
  ["nothing", () => {}],
  ["another session's", () => void record("one/chats/session-x-0192aaaa.jsonl", line("other"))],
  ["a subagent's, in a folder of the session's", () => void record(`one/chats/${ID}/session-x-0192aaaa.jsonl`, line(ID))],
  ["no JSON", () => void record("one/chats/session-x-0192aaaa.jsonl", "{")],
  ["a folder", () => void record("one/chats/session-x-0192aaaa.jsonl/file", "")],
])("where there is %s, it is not found", (_what, make) => {
  make();
  expect(find()).toBeUndefined();
});
