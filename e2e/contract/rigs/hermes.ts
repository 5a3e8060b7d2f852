import {
  end,
  type Event,
  finalize,
  model,
  one,
  play,
  python,
  reply,
  start,
  type Step,
  tool,
} from "../../../packages/hermes-plugin/test/play.ts";
import type { Chapter, Rig } from "../adapter.ts";

/** What Hermes could hand over in place of what it should. */
const ODD: readonly Event[] = [
  {},
  { session_id: null, turn_id: 7, platform: [], completed: "yes", surface: {}, tool_call_id: null },
  { ...one, unknown: { deep: [] }, assistant_response: ["a", "list"], response: "text", reason: 5 },
  { ...one, response: { assistant_message: { content: [1], tool_calls: [null, 1, { id: 1 }] } } },
];

/** The plugin for Hermes, in Python. Calls as Hermes 0.19.0 makes them; its own prompts and inputs are private, too. */
export const hermes: Rig = {
  name: "hermes-plugin in Hermes",
  source: "hermes",
  program: "hermes-plugin",
  ...(!python.found && { skip: python.reason }),
  async live(chapters, { home, url, env }) {
    const calls = chapters.some(({ is }) => is === "garbage") ? (await play([])).hooks : [];
    const garbage: Step[] = calls.flatMap((call) =>
      ODD.map((event) => ({ call, event: { ...event, session_id: null } as Event })),
    );
    const steps = chapters.flatMap((chapter, at) => (chapter.is === "garbage" ? garbage : tell(chapter, at)));
    const began = performance.now();
    const { returned, printed } = await play(steps, { url, env: { MOTH_HOME: home, ...env }, token: false });
    const slowest = (performance.now() - began) / Math.max(1, steps.length);
    return { traces: printed, meddled: returned.filter((value) => value !== null).length, late: 0, slowest };
  },
};

function tell(chapter: Chapter, at: number): Step[] {
  const its = { turn_id: `turn-${at}` };
  switch (chapter.is) {
    case "turn": {
      const calls = [{ id: `c${at}`, name: "terminal" }];
      return [
        start(its),
        model("", calls, its),
        tool(`c${at}`, "terminal"),
        model(chapter.says, [], its),
        reply(chapter.says, its),
        end(its),
      ];
    }
    case "turn without words":
      return [start(its), model("", [], its), end(its)];
    case "aborted turn":
      return [start(its), reply(chapter.says, its), end({ ...its, interrupted: true })];
    case "subagent's turn": {
      const child = { session_id: "child", turn_id: "child-turn", platform: "subagent" };
      const both = { parent_session_id: one.session_id, child_session_id: "child" };
      return [
        start(its),
        { call: "subagent_start", event: both },
        start(child),
        model(chapter.says, [], child),
        reply(chapter.says, child),
        end(child),
        { call: "subagent_stop", event: both },
        model("", [], its),
        end(its),
      ];
    }
    case "unknown event":
      return [start({ ...its, tomorrow: { invented: true } }), end({ ...its, tomorrow: [] })];
    case "new token":
      return [{ token: chapter.token }];
    case "end":
      return [finalize(one.session_id)];
    default:
      return [];
  }
}
