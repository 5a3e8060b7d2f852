/** A program that runs another harness's hooks beside its own: each event of its sessions starts two hooks. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { buildHook, listen, makeHome, request, runHook, SILENT } from "./run-hook.ts";

const fixtures = join(import.meta.dirname, "../../harnesses/src/cursor/fixtures");
const TURN = ["session-start", "before-submit-prompt", "after-agent-response", "stop", "session-end"];

let program: string;
beforeAll(() => {
  program = buildHook();
});
afterAll(() => rmSync(dirname(program), { recursive: true }));

it("its session is heard once, as its own", async () => {
  const home = makeHome();
  const moth = await listen();
  try {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, MOTH_URL: `http://127.0.0.1:${moth.port}` };
    for (const name of TURN) {
      const input = readFileSync(join(fixtures, `${name}.json`));
      for (const harness of ["cursor", "claude-code"])
        expect(await runHook({ program, args: [harness], env, input })).toEqual(SILENT);
    }
    const heard = (): Record<string, unknown>[] => moth.heard.filter((text) => text !== "").map((text) => request(text).body);
    await vi.waitFor(() => expect(heard()).toHaveLength(4));
    const told = heard().toSorted((one, other) => Number(one["seq"]) - Number(other["seq"]));
    expect(told.map(({ source, state, text }) => [source, state, text])).toEqual([
      ["cursor", "idle", undefined],
      ["cursor", "working", undefined],
      ["cursor", "idle", "The tests pass. **Two files** changed."],
      ["cursor", "gone", undefined],
    ]);
    const notes = join(home, ".moth/run/notes");
    expect(existsSync(notes) ? readdirSync(notes) : []).toEqual([]);
  } finally {
    await moth.stop();
    rmSync(home, { recursive: true, force: true });
  }
});
