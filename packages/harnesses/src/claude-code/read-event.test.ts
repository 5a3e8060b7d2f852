import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readEvent } from "./read-event.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const REPLY = "The tests pass. **Two files** changed.";
const TURN = "0ef6535c-1178-4d7e-9dad-ce8f8476c2be";
let folder: string;
let transcript: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "moth-transcript-"));
  transcript = join(folder, "s.jsonl");
  // As 2.1.332 wrote it when a turn without a word followed one with the reply.
  writeFileSync(transcript, readFileSync(join(fixtures, "transcript-empty-turn.jsonl")));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What becomes of the Stop of that turn. */
async function kind(more: object = {}): Promise<string | undefined> {
  const stop = JSON.parse(readFileSync(join(fixtures, "stop-empty.json"), "utf8")) as object;
  const [report] = await readEvent({ ...stop, transcript_path: transcript, ...more }, { env: {}, seq: 1 });
  return report?.to;
}
const say = (text: string, more: object = {}): void =>
  appendFileSync(
    transcript,
    `${JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] }, isSidechain: false, ...more })}\n`,
  );

it("a turn without a word does not bring the reply of the turn before again, but ends", async () => {
  expect(await kind()).toBe("state");
});

it("the same words said again are a reply", async () => {
  say(REPLY);
  expect(await kind()).toBe("agent");
});

it("the same words written a moment late are a reply", async () => {
  const heard = kind();
  say(REPLY);
  expect(await heard).toBe("agent");
});

it("what a subagent said is not the turn's word", async () => {
  say(REPLY, { isSidechain: true });
  expect(await kind()).toBe("state");
});

it.each<[string, () => object]>([
  ["another reply, not yet in the transcript", () => ({ last_assistant_message: "All done." })],
  ["a turn that is not in sight", () => ({ prompt_id: "11111111-2222-3333-4444-555555555555" })],
  ["no transcript", () => ({ transcript_path: join(folder, "none.jsonl") })],
  ["a folder", () => ({ transcript_path: folder })],
  [
    "a pipe",
    () => {
      execFileSync("mkfifo", [join(folder, "pipe.jsonl")]);
      return { transcript_path: join(folder, "pipe.jsonl") };
    },
  ],
  ["a file that is none", () => ({ transcript_path: "/etc/hostname" })],
  ["a path of a wrong type", () => ({ transcript_path: 7 })],
  [
    "a transcript of garbage",
    () => {
      writeFileSync(transcript, `"promptId":"${TURN}"\n{"type":"assistant" \0\n`);
      return {};
    },
  ],
])("in doubt it is a reply: %s", async (_name, change) => {
  expect(await kind(change())).toBe("agent");
});
