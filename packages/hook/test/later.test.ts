/** Harnesses that want an answer, and events that are read once more when the hook has ended. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { buildHook, type Listener, listen, makeHome, request, runHook } from "./run-hook.ts";

const fixtures = join(import.meta.dirname, "../../harnesses/src/antigravity/fixtures");
const LINES = readFileSync(join(fixtures, "transcript.jsonl"), "utf8").trimEnd().split("\n");
const ANSWERED = { code: 0, output: "{}\n", soon: true };

let program: string;
let home: string;
let moth: Listener;
beforeAll(() => {
  program = buildHook();
});
afterAll(() => rmSync(dirname(program), { recursive: true }));
beforeEach(async () => {
  home = makeHome();
  moth = await listen();
  writeFileSync(transcript(), LINES.slice(0, 2).join("\n"));
});
afterEach(async () => {
  await moth.stop();
  rmSync(home, { recursive: true, force: true });
});

function transcript(): string {
  return join(home, "transcript.jsonl");
}

function tell(name: string): ReturnType<typeof runHook> {
  const event = { ...(JSON.parse(readFileSync(join(fixtures, `${name}.json`), "utf8")) as object), transcriptPath: transcript() };
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, MOTH_URL: `http://127.0.0.1:${moth.port}` };
  return runHook({ program, args: ["antigravity", "answer"], env, input: JSON.stringify(event) });
}

const heard = (): Record<string, unknown>[] => moth.heard.filter((text) => text !== "").map((text) => request(text).body);

it("is answered with what decides nothing, and a reply that is written after the hook has ended is heard", async () => {
  expect(await tell("pre-invocation")).toEqual(ANSWERED);
  expect(await tell("stop")).toEqual(ANSWERED);
  await vi.waitFor(() => expect(heard()).toMatchObject([{ state: "working" }, { state: "idle", outcome: "done" }]));
  appendFileSync(transcript(), `\n${LINES.slice(2).join("\n")}\n`);
  await vi.waitFor(() => expect(heard()).toHaveLength(3), { timeout: 5000 });
  const [, idle, reply] = heard();
  expect(reply).toMatchObject({ text: "The tests pass.", state: "idle", seq: idle?.["seq"] });
});

it("looks for nothing when no moth has heard of the turn's end", async () => {
  const { port } = moth;
  await tell("pre-invocation");
  await moth.stop();
  expect(await tell("stop")).toEqual(ANSWERED);
  moth = await listen(port);
  appendFileSync(transcript(), `\n${LINES.slice(2).join("\n")}\n`);
  await tell("pre-invocation");
  await tell("stop");
  const next = [LINES[2], LINES[6]].map((line, at) =>
    line?.replace(/"step_index": \d+/, `"step_index": ${at + 7}`).replace("pass", "fail"),
  );
  appendFileSync(transcript(), `${next.join("\n")}\n`);
  // Whoever looked for the first reply would have told it by now.
  await vi.waitFor(() => expect(heard().flatMap(({ text }) => text ?? [])).toEqual(["The tests fail."]), { timeout: 5000 });
});

it("with garbage, or without a moth, it is answered all the same", async () => {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, MOTH_URL: "http://127.0.0.1:1" };
  for (const input of ["garbage", "{}", readFileSync(join(fixtures, "stop.json"))])
    expect(await runHook({ program, args: ["antigravity", "answer"], env, input })).toEqual(ANSWERED);
});
