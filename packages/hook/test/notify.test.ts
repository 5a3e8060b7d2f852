import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { buildHook, listen, makeHome, request, runHook, SILENT } from "./run-hook.ts";

const event = readFileSync(join(import.meta.dirname, "../../harnesses/src/codex/fixtures/notify.json"), "utf8");
const SESSION = "019a7b00-1111-7aaa-8bbb-000000000001";

let program: string;
let home: string;

beforeAll(() => {
  program = buildHook();
});
afterAll(() => rmSync(dirname(program), { recursive: true }));
beforeEach(() => {
  home = makeHome();
  const made = new Date(Number.parseInt(SESSION.replaceAll("-", "").slice(0, 12), 16));
  const day = [made.getFullYear(), made.getMonth() + 1, made.getDate()].map((part) => String(part).padStart(2, "0"));
  const folder = join(home, ".codex", "sessions", ...day);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `rollout-x-${SESSION}.jsonl`), "{}\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A program of the person's that writes down what it is told. */
const beep = (): string[] => {
  const script = join(home, "beep.mjs");
  writeFileSync(
    script,
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(home, "told"))}, JSON.stringify(process.argv.slice(2)));\n`,
  );
  return [process.execPath, script, "-l"];
};
const env = (port = 9): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  USERPROFILE: home,
  MOTH_URL: `http://127.0.0.1:${port}`,
});

describe("an event that is the last argument", () => {
  it("is heard, though nothing is on stdin", async () => {
    const moth = await listen();
    try {
      expect(await runHook({ program, args: ["codex", "notify", event], env: env(moth.port), open: true })).toEqual(SILENT);
      await vi.waitFor(() =>
        expect(request(moth.heard[0]).body).toMatchObject({ source: "codex", session: SESSION, text: "The login works again." }),
      );
      expect(moth.heard).toHaveLength(1);
    } finally {
      await moth.stop();
    }
  });

  it("goes on to the program that stood there before, word for word, whether there is a moth or not", async () => {
    expect(await runHook({ program, args: ["codex", "notify", ...beep(), event], env: env() })).toEqual(SILENT);
    await vi.waitFor(() => expect(JSON.parse(readFileSync(join(home, "told"), "utf8"))).toEqual(["-l", event]));
  });

  it("harms nobody when that program is not there, or when there is no event", async () => {
    for (const args of [["/nowhere/beep", event], ["no JSON"], []])
      expect(await runHook({ program, args: ["codex", "notify", ...args], env: env() })).toEqual(SILENT);
    expect(existsSync(join(home, "told"))).toBe(false);
  });
});

it("the hook carries no installer", () => {
  const text = readFileSync(program, "utf8");
  for (const theirs of ["Error parsing TOML", "jsonc", "BAD_INDENT"]) expect(text).not.toContain(theirs);
  expect(text.length).toBeLessThan(48_000);
});
