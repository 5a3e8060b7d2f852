import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type Chapter, FOLDER } from "../adapter.ts";
import type { HookedHarness, HookEvent } from "./hook.ts";

/** Payloads as Antigravity's documentation and others have them. The reply stands in its transcript once the turn's end is told. */
export const antigravity: HookedHarness = { source: "antigravity", name: "Antigravity", helper: true, tell };

function tell(chapter: Chapter, at: number, home: string): HookEvent[] {
  const file = join(home, "transcript.jsonl");
  const hook = (more: object, before?: () => void): HookEvent => ({
    payload: {
      conversationId: "7c2a0000-0000-4000-8000-00000000a001",
      transcriptPath: file,
      workspacePaths: [FOLDER],
      modelName: "gemini-pro",
      ...more,
    },
    args: ["answer"],
    ...(before && { before }),
  });
  if (chapter.is !== "turn") return [];
  const reply = { step_index: at, source: "MODEL", type: "PLANNER_RESPONSE", status: "DONE", content: chapter.says };
  const write = (): void => appendFileSync(file, `${JSON.stringify(reply)}\n`);
  return [
    hook({ invocationNum: 0 }),
    hook({ terminationReason: "NO_TOOL_CALL", fullyIdle: true, executionNum: 1, error: "" }, write),
  ];
}
