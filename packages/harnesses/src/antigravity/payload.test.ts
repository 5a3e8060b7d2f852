import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Report } from "../types.ts";
import { readPayload } from "./payload.ts";
import { replyAfter } from "./transcript.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const LINES = readFileSync(join(fixtures, "transcript.jsonl"), "utf8").trimEnd().split("\n");
const OLDER = LINES.slice(0, 2);
const TURN = LINES.slice(2);

let home: string;
let transcript: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-antigravity-"));
  transcript = join(home, "transcript.jsonl");
  write(...OLDER);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(...lines: string[]): void {
  writeFileSync(transcript, lines.map((line) => `${line}\n`).join(""));
}

function payload(name: string, more: object = {}): object {
  const text = readFileSync(join(fixtures, `${name}.json`), "utf8");
  return { ...(JSON.parse(text) as object), transcriptPath: transcript, ...more };
}

/** What a hook makes of an event, and what it leaves to be read later. */
async function read(event: unknown, seq = 1000): Promise<{ reports: Report[]; later: unknown[] }> {
  const later: unknown[] = [];
  const reports = await readPayload(event, { env: { HOME: home, USERPROFILE: home }, seq, later: (one) => later.push(one) });
  return { reports, later };
}

const readLater = async (event: unknown): Promise<Report[]> => await readPayload(event, { env: { HOME: home }, seq: 9999 });
const story = (reports: readonly Report[]): string[] =>
  reports.map(({ to, body }) =>
    to === "agent" ? JSON.stringify(body.text) : [body.state, body.outcome].filter(Boolean).join(":"),
  );

test("a turn: it works, is idle at once when it stops, and its reply is heard when the transcript has it", async () => {
  const begun = await read(payload("pre-invocation"), 1000);
  expect(story(begun.reports)).toEqual(["working"]);
  expect(story((await read(payload("pre-invocation-again"), 1010)).reports)).toEqual(["working"]);
  const { reports, later } = await read(payload("stop"), 1020);
  expect(story(reports)).toEqual(["idle:done"]);
  setTimeout(() => appendFileSync(transcript, `${TURN.join("\n")}\n`), 100);
  const [reply] = await readLater(later[0]);
  expect(reply?.body).toEqual({
    source: "antigravity",
    session: "7c2a0000-0000-4000-8000-00000000a001",
    label: "my-app",
    // As old as the turn's end: the next turn may have begun since.
    seq: 1020,
    text: "The tests pass.",
    outcome: "done",
    state: "idle",
    turn: "7c2a0000-0000-4000-8000-00000000a001-6",
  });
  for (const secret of ["secretly", "fix the tests", "/home/ada", "run_command"])
    expect(JSON.stringify(reply)).not.toContain(secret);
});

test("an older reply is never taken for this turn's, nor the next turn's", async () => {
  expect(await replyAfter(transcript, 1, 0)).toBeUndefined();
  write(...LINES);
  expect(await replyAfter(transcript, 1, 0)).toEqual({ text: "The tests pass.", step: 6 });
  write(
    ...LINES,
    OLDER[0]!.replace('"step_index": 0', '"step_index": 7'),
    OLDER[1]!.replace('"step_index": 1', '"step_index": 8'),
  );
  expect(await replyAfter(transcript, 1, 0)).toEqual({ text: "The tests pass.", step: 6 });
});

test("what the agent says before a tool is no reply, and a turn that ends with a tool has none", async () => {
  write(...LINES.slice(0, 4));
  expect(await replyAfter(transcript, 1, 0)).toBeUndefined();
  write(...LINES.slice(0, 6));
  expect(await replyAfter(transcript, 1, 0)).toBeUndefined();
});

test("of a cut transcript the whole one beside it is read", async () => {
  write(...LINES.map((line) => line.replace("The tests pass.", "The te…")));
  writeFileSync(join(home, "transcript_full.jsonl"), LINES.join("\n"));
  expect((await replyAfter(transcript, 1, 0))?.text).toBe("The tests pass.");
});

test("without the turn's beginning, what is older is not known: the session is idle, and nothing is looked for", async () => {
  expect(await read(payload("stop"))).toMatchObject({ reports: [{ body: { state: "idle" } }], later: [] });
});

test("an end that is not the last one is none", async () => {
  await read(payload("pre-invocation"));
  expect(await read(payload("stop-background"))).toEqual({ reports: [], later: [] });
});

test.each([
  ["ERROR", "failed"],
  ["USER_CANCELLED", "interrupted"],
  ["MAX_INVOCATIONS", "limit"],
  ["SOMETHING_NEW", "failed"],
])("a turn that ends by %s is idle and %s, and no reply is looked for", async (terminationReason, outcome) => {
  await read(payload("pre-invocation"));
  const { reports, later } = await read(payload("stop", { terminationReason }));
  expect(story(reports)).toEqual([`idle:${outcome}`]);
  expect(later).toEqual([]);
  expect(story((await read(payload("stop-error"))).reports)).toEqual(["idle:failed"]);
});

test("without a folder it is called by its id", async () => {
  const { reports } = await read(payload("pre-invocation", { workspacePaths: [] }));
  expect(reports[0]?.body.label).toBe("7c2a0000");
});

test.each([
  [null],
  [1],
  [[]],
  [{}],
  [{ conversationId: 1, fullyIdle: true }],
  [{ conversationId: "c" }],
  [{ conversationId: "c", toolName: "x" }],
])("%j is no event", async (event) => {
  expect(await read(event)).toEqual({ reports: [], later: [] });
  expect(await readLater(event)).toEqual([]);
});
