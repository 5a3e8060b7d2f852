import { join } from "node:path";
import { type Given, type Recorded, run } from "../../../packages/ext-pi/test/harness.ts";
import { type Chapter, FOLDER, type Life, PRIVATE, type Rig, type Surroundings } from "../adapter.ts";

/** The extension as Pi 1.6.0 calls it. Its helpers are processes of their own. */
export const pi: Rig = {
  name: "ext-pi in Pi",
  source: "pi",
  program: "ext-pi",
  async live(chapters, surroundings) {
    const own = await life(chapters, surroundings, false);
    const helpers = chapters.filter(({ is }) => is === "subagent's turn");
    if (helpers.length === 0) return own;
    const inside = { ...surroundings, env: { ...surroundings.env, MOTH_AGENT_PID: String(process.pid) } };
    const alone = helpers.flatMap((chapter): Chapter[] => ("says" in chapter ? [{ is: "turn", says: chapter.says }] : []));
    const theirs = await life([...alone, { is: "end" }], inside, false, { session: "s-helper", hasUI: false });
    return {
      traces: own.traces + theirs.traces,
      meddled: own.meddled + theirs.meddled,
      late: own.late + theirs.late,
      slowest: Math.max(own.slowest, theirs.slowest),
    };
  },
};

/** The same file as omp 18.2.3 calls it. */
export const omp: Rig = {
  name: "ext-pi in omp",
  source: "omp",
  program: "ext-pi",
  live: (chapters, surroundings) => life(chapters, surroundings, true),
};

async function life(
  chapters: readonly Chapter[],
  { home, url, env }: Surroundings,
  isOmp: boolean,
  context: Partial<Recorded["context"]> = {},
): Promise<Life> {
  const events: Given[] = [event("session_start", {}, context)];
  for (const [at, chapter] of chapters.entries())
    events.push(
      ...(chapter.is === "new token"
        ? [{ write: { file: join(home, "token"), text: chapter.token } }]
        : tell(chapter, at, isOmp, context)),
    );
  const hostile = chapters.some(({ is }) => is === "garbage");
  const { code, stdout, stderr, threw, returned, late, shutdown } = await run(events, url, { home, env, omp: isOmp, hostile });
  return { traces: `${code || ""}${stdout}${stderr}`, meddled: threw + returned, late, slowest: shutdown };
}

function tell(chapter: Chapter, at: number, isOmp: boolean, context: Partial<Recorded["context"]>): Recorded[] {
  const turn = (content: object[], stopReason: string, about: Partial<Recorded["context"]> = context, agent = 1): Recorded[] => {
    const call = { toolCallId: `t-${at}`, toolName: "bash" };
    const message = { role: "assistant", content, stopReason, timestamp: at + 1 };
    const end: [string, object] = isOmp
      ? ["agent_end", { messages: [message] }]
      : ["agent_settled", { aborted: stopReason === "aborted" }];
    return [
      event("agent_start", { prompt: PRIVATE.prompt }, about, agent),
      event("tool_execution_start", { ...call, args: { command: PRIVATE.input } }, about, agent),
      event("tool_execution_end", { ...call, result: PRIVATE.result }, about, agent),
      event("turn_end", { message, toolResults: [{ content: PRIVATE.result }] }, about, agent),
      event(...end, about, agent),
    ];
  };
  switch (chapter.is) {
    case "turn":
      return turn([{ type: "text", text: chapter.says }], "stop");
    case "turn without words":
      return turn([], "stop");
    case "aborted turn":
      return turn([{ type: "text", text: chapter.says }], "aborted");
    case "subagent's turn": {
      if (!isOmp) return [];
      const helper = { session: "s-helper", hasUI: false, tools: ["bash", "yield"] };
      const said = turn([{ type: "text", text: chapter.says }], "stop", helper, 2);
      return [event("session_start", {}, helper, 2), ...said];
    }
    case "unknown event":
      return [event("tomorrow_invented", { prompt: PRIVATE.prompt }, context)];
    case "end":
      return [event("session_shutdown", {}, context)];
    default:
      return [];
  }
}

function event(name: string, payload: object, context: Partial<Recorded["context"]>, agent = 1): Recorded {
  return { agent, event: name, payload: { ...payload }, context: { session: "s-1", cwd: FOLDER, hasUI: true, ...context } };
}
