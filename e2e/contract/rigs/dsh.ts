import { join } from "node:path";
import { began, disposed, ended, event, ROOT, said } from "../../../packages/dsh-plugin/test/events.ts";
import { type Recorded, run } from "../../../packages/dsh-plugin/test/harness.ts";
import { type Chapter, PRIVATE, type Rig } from "../adapter.ts";

const HELPER = "session-2";

/** The plugin for dsh. Events as dsh 0.1.0-rc.8 makes them. */
export const dsh: Rig = {
  name: "dsh-plugin in dsh",
  source: "dsh",
  program: "dsh-plugin",
  async live(chapters, { home, url, env }) {
    const events = chapters.flatMap((chapter): Recorded[] =>
      chapter.is === "new token" ? [{ write: { file: join(home, "token"), text: chapter.token } }] : tell(chapter),
    );
    const hostile = chapters.some(({ is }) => is === "garbage");
    const { code, stdout, stderr, threw, returned, late, shutdown } = await run(events, url, { home, env, hostile });
    return { traces: `${code || ""}${stdout}${stderr}`, meddled: threw + returned, late, slowest: shutdown };
  },
};

function tell(chapter: Chapter): Recorded[] {
  switch (chapter.is) {
    case "turn":
      return [...prompt(), ...tool(), said(chapter.says), ended("completed")];
    case "turn without words":
      return [...prompt(), ended("completed")];
    case "aborted turn":
      return [...prompt(), said(chapter.says, ROOT, undefined, { interrupted: true }), ended("aborted")];
    case "subagent's turn":
      return [
        ...prompt(),
        began(HELPER, ROOT),
        said(chapter.says, HELPER, ROOT),
        ended("completed", HELPER, ROOT),
        ended("completed"),
      ];
    case "unknown event":
      return [event("tomorrow/invented", { text: PRIVATE.prompt })];
    case "end":
      return [disposed(ROOT)];
    default:
      return [];
  }
}

function prompt(): Recorded[] {
  return [event("user/message", { message: { role: "user", content: [{ type: "text", text: PRIVATE.prompt }] } }), began()];
}

function tool(): Recorded[] {
  const call = { id: "c-1", name: "bash", input: { command: PRIVATE.input } };
  return [event("tool/start", call), event("tool/end", { ...call, output: PRIVATE.result })];
}
