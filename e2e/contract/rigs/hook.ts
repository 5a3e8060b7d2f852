import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runHook } from "../../../packages/hook/test/run-hook.ts";
import { type Chapter, FOLDER, type Life, PRIVATE, type Rig, type Surroundings } from "../adapter.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const PROGRAM = join(root, "packages", "hook", "dist", "moth-hook.cjs");

/** An event as the harness hands it to a command hook. */
export interface HookEvent {
  payload: object;
  /** What the hook is told beside the harness. */
  args?: readonly string[];
  /** Writes what the harness has written to its own files by then. */
  before?: () => void;
}

export interface HookedHarness {
  source: string;
  /** As its maker writes it. */
  name: string;
  /** The environment in which it starts its hooks. */
  env?: (home: string) => Record<string, string>;
  /** At a turn's end its hook starts a process that outlives it. */
  helper?: true;
  tell: (chapter: Chapter, at: number, home: string) => HookEvent[];
}

/** What comes in place of an event. */
const GARBAGE = ["", "null", "[1]", "no JSON }", '{"hook_event_name":', '{"hook_event_name":5,"session_id":{}}', "{}", "\0\xff"];

/** The hook program, as a harness starts it: one process an event. */
export function hookRig(hooked: HookedHarness): Rig {
  const { source, name, env: its, tell } = hooked;
  return {
    hooked,
    name: `hook in ${name}`,
    source,
    program: "hook",
    async live(chapters, surroundings) {
      const life: Life = { traces: "", meddled: 0, late: 0, slowest: 0 };
      const give = async (input: string, args: readonly string[] = []): Promise<void> => {
        const began = performance.now();
        const env = { ...environment(surroundings), ...its?.(surroundings.home) };
        const { code, output } = await runHook({ program: PROGRAM, args: [source, ...args], env, input });
        life.slowest = Math.max(life.slowest, performance.now() - began);
        life.traces += `${code || ""}${output}`;
      };
      for (const [at, chapter] of chapters.entries()) {
        if (chapter.is === "new token") writeFileSync(join(surroundings.home, "token"), chapter.token);
        if (chapter.is === "garbage") for (const input of GARBAGE) await give(input);
        for (const { payload, args, before } of tell(chapter, at, surroundings.home)) {
          before?.();
          await give(JSON.stringify(payload), args);
        }
      }
      return life;
    },
  };
}

function environment({ home, url, env }: Surroundings): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, MOTH_HOME: home, MOTH_URL: url, ...env };
}

/** A payload as it was seen, with what the contract puts into it. */
function fixture(source: string, file: string, more: object = {}): object {
  const path = join(root, "packages", "harnesses", "src", source, "fixtures", `${file}.json`);
  return { ...(JSON.parse(readFileSync(path, "utf8")) as object), cwd: FOLDER, ...more };
}

/** Harnesses with the events of Claude Code. `turn`: the field that names a turn; `files`: fixtures whose names differ. */
export function claudeShaped(
  source: string,
  turn: string,
  files: Readonly<Record<"permission" | "aborted", readonly string[]>>,
): HookedHarness["tell"] {
  const event = (file: string, at: number, more: object = {}): HookEvent => ({
    payload: fixture(source, file, { [turn]: `turn-${at}`, ...more }),
  });
  const prompt = (at: number): HookEvent => event("user-prompt-submit", at, { prompt: PRIVATE.prompt });
  const input = { tool_input: { command: PRIVATE.input, description: PRIVATE.input } };
  return (chapter, at) => {
    switch (chapter.is) {
      case "turn": {
        const asked = files.permission.map((file) => event(file, at, input));
        return [prompt(at), ...asked, event("stop", at, { last_assistant_message: chapter.says })];
      }
      case "turn without words":
        return [prompt(at), event("stop", at, { last_assistant_message: null })];
      case "subagent's turn": {
        const said = { last_assistant_message: chapter.says };
        return [prompt(at), event("subagent-stop", at, said), event("stop", at, { last_assistant_message: "" })];
      }
      case "aborted turn":
        return [prompt(at), ...files.aborted.map((file) => event(file, at, { last_assistant_message: chapter.says }))];
      case "unknown event":
        return [
          event("stop", at, { hook_event_name: "TomorrowInvented", last_assistant_message: "Unheard.", more: { of: "it" } }),
        ];
      case "end":
        return [event("session-end", at)];
      default:
        return [];
    }
  };
}
