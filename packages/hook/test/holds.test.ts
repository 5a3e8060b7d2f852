/** The hook that stands in for a dialog while the person is away: beside a moth of which only what it is asked for is real. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runHook, SILENT } from "./run-hook.ts";
import { type Running, useStage } from "./stage.ts";

const fixtures = join(import.meta.dirname, "../../harnesses/src/codex/fixtures");
const PERMISSION = readFileSync(join(fixtures, "permission.json"), "utf8");
const QUESTION = readFileSync(join(fixtures, "question.json"), "utf8");

const stage = useStage();

/** A process that looks like the harness's. */
function harness(...words: string[]): ChildProcess {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", ...words], { argv0: "codex" });
  stage.children.push(child);
  return child;
}

const settings = (more: object): void =>
  writeFileSync(join(stage.home, ".moth/config.json"), JSON.stringify({ answers: true, ...more }));

const env = (caller: ChildProcess): Record<string, string> => ({ ...stage.env(), MOTH_CALLER: String(caller.pid) });

const run = (input: string, caller: ChildProcess = harness()): Promise<unknown> =>
  runHook({ program: stage.program, args: ["codex", "holds"], env: env(caller), input });

/** Starts the hook where Codex would ask, and waits until moth is asked for the answer. */
async function held(caller: ChildProcess = harness()): Promise<Running> {
  const running = stage.start(["codex", "holds"], { env: env(caller), input: PERMISSION });
  await vi.waitFor(() => expect(stage.moth.fetches).toHaveLength(1), 15_000);
  expect([running.child.exitCode, running.output()]).toEqual([null, ""]);
  return running;
}

const notes = (): string[] => {
  const folder = join(stage.home, ".moth/run/waits");
  return existsSync(folder) ? readdirSync(folder) : [];
};

// Whose child a hook is, is not to be had cheaply on Windows: nothing is held there.
describe.skipIf(process.platform === "win32")("a hook in the place of a dialog", () => {
  it("is over at once unless the person is away, and then tells nothing of what is asked", async () => {
    for (const away of [false, undefined]) {
      settings({ away });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await run(PERMISSION)).toEqual(SILENT);
    }
    settings({ away: true, answers: false });
    expect(await run(PERMISSION)).toEqual(SILENT);
    await vi.waitFor(() => expect(stage.moth.waits()).toHaveLength(3), 5000);
    for (const wait of stage.moth.waits()) expect(wait).toMatchObject({ answerable: false });
    expect(JSON.stringify(stage.moth.heard)).not.toContain("npm publish");
    expect(stage.moth.told("/api/answers")).toEqual([]);
  });

  it("hands over what the person says, and nothing else", async () => {
    settings({ away: true });
    const { output, ended } = await held();
    const [wait] = stage.moth.waits();
    expect(wait).toMatchObject({ text: "npm publish\nIt goes to the registry.", answerable: true });
    await stage.moth.answer({ id: "a1", choice: "deny", text: "not on a Friday" });
    expect(await ended).toEqual([0, null]);
    const decision = { behavior: "deny", message: "not on a Friday" };
    expect(JSON.parse(output())).toEqual({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
    expect(stage.moth.told("/api/state").at(-1)).toMatchObject({ state: "working", ended: wait?.id });
    expect(notes()).toEqual([]);
  });

  it("ends when the person is back, and tells that the window asks from now on", async () => {
    settings({ away: true });
    const { output, ended } = await held();
    const [wait] = stage.moth.waits();
    settings({ away: false });
    expect([await ended, output()]).toEqual([[0, null], ""]);
    await vi.waitFor(() => expect(stage.moth.waits()).toHaveLength(2), 5000);
    const [over, asked] = stage.moth.told("/api/state").slice(-2);
    expect(over).toMatchObject({ state: "working", ended: wait?.id });
    expect(asked).toMatchObject({ state: "waiting", wait: { kind: "permission", answerable: false } });
    expect(asked?.wait?.id).not.toBe(wait?.id);
    expect(asked?.wait).not.toHaveProperty("text");
    // What closes waits finds this one.
    expect(notes()).toHaveLength(1);
  });

  it("ends in silence when answers are turned off, when moth goes, and when the wait is over elsewhere", async () => {
    settings({ away: true });
    const first = await held();
    settings({ away: true, answers: false });
    expect([await first.ended, first.output()]).toEqual([[0, null], ""]);

    settings({ away: true });
    rmSync(join(stage.home, ".moth/run/waits"), { recursive: true });
    const second = await held();
    await stage.moth.answer({ over: true });
    expect([await second.ended, second.output()]).toEqual([[0, null], ""]);

    rmSync(join(stage.home, ".moth/run/waits"), { recursive: true });
    const third = await held();
    await stage.moth.close();
    expect([await third.ended, third.output()]).toEqual([[0, null], ""]);
  });

  it("that is ended as the turn is stopped tells so, and of no dialog", async () => {
    settings({ away: true });
    const { child, output, ended } = await held();
    const [wait] = stage.moth.told("/api/state");
    child.kill("SIGTERM");
    expect([await ended, output()]).toEqual([[0, null], ""]);
    const last = stage.moth.told("/api/state").at(-1);
    expect(last).toMatchObject({ state: "idle", outcome: "interrupted", session: wait?.["session"] });
    expect(Number(last?.["seq"])).toBeGreaterThan(Number(wait?.["seq"]));
    expect(stage.moth.waits()).toHaveLength(1);
  });

  it("is the one that tells, where moth is hooked in twice and the other does not wait", async () => {
    settings({ away: true });
    const caller = harness();
    const { ended } = await held(caller);
    expect(await runHook({ program: stage.program, args: ["codex"], env: env(caller), input: PERMISSION })).toEqual(SILENT);
    await stage.moth.answer({ id: "a1", choice: "allow" });
    await ended;
    expect(stage.moth.waits()).toHaveLength(1);
    expect(notes()).toEqual([]);
  });

  it("ends with the harness, and tells of no dialog then", async () => {
    settings({ away: true });
    const caller = harness();
    const { output, ended } = await held(caller);
    caller.kill("SIGKILL");
    expect([await ended, output()]).toEqual([[0, null], ""]);
    expect(stage.moth.waits()).toHaveLength(1);
  });

  it("holds nothing in the background daemon, which has a door of its own; no question; and nothing that cannot be shown whole", async () => {
    settings({ away: true });
    expect(await run(PERMISSION, harness("app-server"))).toEqual(SILENT);
    expect(await run(QUESTION)).toEqual(SILENT);
    expect(await run(PERMISSION.replace("npm publish", "\\u001b[8mrm"))).toEqual(SILENT);
    expect(await run(PERMISSION.replace("npm publish", "x".repeat(4001)))).toEqual(SILENT);
    expect(stage.moth.told("/api/answers")).toEqual([]);
  });
});
