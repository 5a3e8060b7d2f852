/** The hook that waits for the person: beside a moth of which only what it is asked for is real. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { Moth } from "./fake-moth.ts";
import { runHook, SILENT } from "./run-hook.ts";
import { type Running, useStage } from "./stage.ts";

const fixtures = join(import.meta.dirname, "../../harnesses/src/claude-code/fixtures");
const fixture = (name: string): string => readFileSync(join(fixtures, `${name}.json`), "utf8");
const ALLOW = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } };

const stage = useStage();

const env = (more: Record<string, string> = {}): Record<string, string> => ({
  ...stage.env(),
  CLAUDE_PID: String(process.pid),
  CLAUDE_CODE_ENTRYPOINT: "cli",
  ...more,
});

/** Starts the hook at a dialog, with answers on. */
function ask(name = "permission-bash", more: Record<string, string> = {}): Running {
  return stage.start(["claude-code", "asks"], {
    env: env({ MOTH_ANSWERS: "on", ...more }),
    input: fixture(name),
    open: true,
  });
}

/** Runs it at a dialog to its end. */
const run = (more: Record<string, string>, input: string): Promise<unknown> =>
  runHook({ program: stage.program, args: ["claude-code", "asks"], env: env({ MOTH_ANSWERS: "on", ...more }), input });

const notes = (): string[] => {
  const folder = join(stage.home, ".moth/run/waits");
  return existsSync(folder) ? readdirSync(folder) : [];
};

it("with answers off is as ever: tells nothing of what is asked, and asks nobody", async () => {
  expect(
    await runHook({ program: stage.program, args: ["claude-code", "asks"], env: env(), input: fixture("permission-bash") }),
  ).toEqual(SILENT);
  await vi.waitFor(() => expect(stage.moth.waits()).toHaveLength(1));
  expect(stage.moth.waits()[0]).toEqual({
    id: expect.any(String) as string,
    kind: "permission",
    tool: "Bash",
    answerable: false,
  });
  expect(JSON.stringify(stage.moth.heard)).not.toContain("touch a1");
  expect(stage.moth.heard).toHaveLength(1);
});

it("waits for the answer, hands it over once, and says so: first that it was taken, then that the wait is over", async () => {
  const { child, output, ended } = ask();
  await vi.waitFor(() => expect(stage.moth.fetches).toHaveLength(1), 5000);
  const [wait] = stage.moth.waits();
  expect(wait).toMatchObject({ kind: "permission", text: "touch a1", answerable: true });
  const query = new URL(`http://moth${stage.moth.heard.at(-1)?.path}`).searchParams;
  expect(query.get("wait")).toBe(wait?.id);
  expect([child.exitCode, output()]).toEqual([null, ""]);

  await stage.moth.answer({ id: "a1", choice: "allow" });
  expect(await ended).toEqual([0, null]);
  expect(JSON.parse(output())).toEqual(ALLOW);
  const last = stage.moth.heard.slice(-2);
  expect(last[0]).toMatchObject({ path: "/api/taken", body: { id: "a1", taken: true } });
  expect(last[1]).toMatchObject({ path: "/api/state", body: { state: "working", ended: wait?.id } });
  expect(notes()).toEqual([]);
});

it("goes on waiting when an answer cannot be given, and says why", async () => {
  const { output, ended } = ask();
  await stage.moth.answer({ id: "a1", choice: "allow", text: "but gently" });
  await vi.waitFor(() => expect(stage.moth.told("/api/taken")).toHaveLength(1), 5000);
  expect(stage.moth.told("/api/taken")[0]).toMatchObject({
    id: "a1",
    taken: false,
    problem: expect.stringContaining("no words") as string,
  });
  await stage.moth.answer({ id: "a2", choice: "deny", text: "gently" });
  await ended;
  expect(output()).toContain('"behavior":"deny","message":"gently"');
});

it("takes no answer that came right after the window's own, though the harness notes that later", async () => {
  const { output } = ask();
  await vi.waitFor(() => expect(stage.moth.fetches).toHaveLength(1), 5000);
  const { session_id: sessionId } = JSON.parse(fixture("permission-bash")) as { session_id: string };
  const folder = join(stage.home, ".claude", "sessions");
  mkdirSync(folder, { recursive: true });
  await stage.moth.answer({ id: "a-1", choice: "allow" });
  const idle = { pid: process.pid, sessionId, status: "idle", statusUpdatedAt: Date.now() };
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(idle));
  await vi.waitFor(() => expect(stage.moth.told("/api/taken")).toHaveLength(1), 5000);
  expect(stage.moth.told("/api/taken")[0]).toEqual({ id: "a-1", taken: false, problem: "It no longer asks this." });
  expect(output()).toBe("");
});

it("ends in silence when the wait is over elsewhere", async () => {
  const { output, ended } = ask();
  await stage.moth.answer({ over: true });
  expect([await ended, output()]).toEqual([[0, null], ""]);
  expect(stage.moth.told("/api/taken")).toEqual([]);
  expect(notes()).toEqual([]);
});

it("ends with the harness", async () => {
  const harness = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  stage.children.push(harness);
  const { output, ended } = ask("permission-bash", { CLAUDE_PID: String(harness.pid) });
  await vi.waitFor(() => expect(stage.moth.fetches).toHaveLength(1), 5000);
  harness.kill();
  expect([await ended, output()]).toEqual([[0, null], ""]);
});

it("tells a moth that was started anew of the wait, and gets the answer from it", async () => {
  const { output, ended } = ask();
  await vi.waitFor(() => expect(stage.moth.fetches).toHaveLength(1), 5000);
  const [wait] = stage.moth.waits();
  const { port } = stage.moth;
  await stage.moth.close();
  stage.moth = new Moth();
  await stage.moth.listen(port);
  await vi.waitFor(() => expect(stage.moth.waits()[0]).toEqual(wait), 5000);
  await stage.moth.answer({ id: "b1", choice: "allow" });
  await ended;
  expect(JSON.parse(output())).toEqual(ALLOW);
});

it("without a moth ends at once", async () => {
  const gone = env({ MOTH_ANSWERS: "on" });
  await stage.moth.close();
  expect(
    await runHook({ program: stage.program, args: ["claude-code", "asks"], env: gone, input: fixture("permission-bash") }),
  ).toEqual(SILENT);
});

it("at a dialog that two hooks tell of, one of the two waits", async () => {
  const both = [ask(), ask()];
  await Promise.race(both.map(({ ended }) => ended));
  await stage.moth.answer({ id: "a1", choice: "allow" });
  await Promise.all(both.map(({ ended }) => ended));
  expect(both.map(({ output }) => output()).filter((text) => text !== "")).toHaveLength(1);
  expect(stage.moth.waits()).toHaveLength(1);
});

it("names the same thing asked again otherwise, and closes each by its own name", async () => {
  const first = ask();
  await stage.moth.answer({ id: "a1", choice: "allow" });
  await first.ended;
  const second = ask();
  await vi.waitFor(() => expect(stage.moth.fetches).toHaveLength(1), 5000);
  const [one, other] = stage.moth.waits();
  expect(other?.id).not.toBe(one?.id);
  // The person was first, in the window.
  await runHook({ program: stage.program, args: ["claude-code", "if-waiting"], env: env(), input: fixture("post-tool-bash") });
  await vi.waitFor(() => expect(stage.moth.told("/api/state").at(-1)).toMatchObject({ ended: other?.id }), 5000);
  await stage.moth.answer({ over: true });
  await second.ended;
  expect(second.output()).toBe("");
});

it("does not wait where nobody is asked, or where the answer can be given in the window alone", async () => {
  expect(await run({ CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, fixture("permission-bash"))).toEqual(SILENT);
  expect(stage.moth.heard).toEqual([]);
  expect(await run({}, fixture("permission-bash").replace("touch a1", "\\u001b[8mrm"))).toEqual(SILENT);
  await vi.waitFor(() => expect(stage.moth.waits()[0]).toMatchObject({ answerable: false }));
  expect(stage.moth.told("/api/answers")).toEqual([]);
});
