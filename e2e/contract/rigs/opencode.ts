import { join } from "node:path";
import { type BusEvent, type Given, run } from "../../../packages/plugin-opencode/test/harness.ts";
import { type Chapter, FOLDER, type Life, PRIVATE, type Rig, type Surroundings } from "../adapter.ts";

const ROOT = "ses_1";
const HELPER = "ses_2";

/** The plugin as OpenCode 1.18.33 runs it. */
export const openCode: Rig = {
  name: "plugin-opencode in OpenCode",
  source: "opencode",
  program: "plugin-opencode",
  live: (chapters, surroundings) => life(chapters, surroundings, {}),
};

/** The same file as Kilo 7.7.7 runs it. */
export const kilo: Rig = {
  name: "plugin-opencode in Kilo",
  source: "kilo",
  program: "plugin-opencode",
  live: (chapters, surroundings) => life(chapters, surroundings, { KILO: "1" }),
};

async function life(
  chapters: readonly Chapter[],
  { home, url, env: theirs }: Surroundings,
  own: Record<string, string>,
): Promise<Life> {
  const events: Given[] = [event("session.created", { info: { id: ROOT, directory: FOLDER } })];
  for (const [at, chapter] of chapters.entries())
    events.push(
      ...(chapter.is === "new token" ? [{ write: { file: join(home, "token"), text: chapter.token } }] : tell(chapter, at)),
    );
  const hostile = chapters.some(({ is }) => is === "garbage");
  const { code, stdout, stderr, threw, returned, late, shutdown } = await run(events, url, {
    home,
    env: { ...theirs, ...own },
    hostile,
  });
  return { traces: `${code || ""}${stdout}${stderr}`, meddled: threw + returned, late, slowest: shutdown };
}

function tell(chapter: Chapter, at: number): BusEvent[] {
  const id = `msg_${at}`;
  switch (chapter.is) {
    case "turn": {
      const input = { command: PRIVATE.input };
      const asked = { id: `per_${at}`, permission: "bash", metadata: input, patterns: [PRIVATE.input] };
      const used = { type: "tool", tool: "bash", state: { status: "completed", input, output: PRIVATE.result } };
      return [
        ...prompt(at),
        event("permission.asked", asked),
        event("permission.replied", { requestID: asked.id, reply: "once" }),
        event("message.part.updated", { part: { ...used, id: `prt_t${at}`, messageID: id } }),
        ...message(id, chapter.says),
        ...idle(ROOT),
      ];
    }
    case "turn without words":
      return [...prompt(at), ...message(id), ...idle(ROOT)];
    case "subagent's turn":
      return [
        ...prompt(at),
        event("session.created", { info: { id: HELPER, parentID: ROOT, directory: FOLDER } }, HELPER),
        status("busy", HELPER),
        ...message(`${id}_h`, chapter.says, HELPER),
        ...idle(HELPER),
        ...message(id),
        ...idle(ROOT),
      ];
    case "aborted turn": {
      const error = { name: "MessageAbortedError", data: { message: "Aborted" } };
      const [begun, said] = message(id, chapter.says);
      const broken = { id, role: "assistant", error, time: { created: 1, completed: 2 } };
      return [
        ...prompt(at),
        ...[begun, said].filter((one) => one !== undefined),
        event("session.error", { error }),
        event("message.updated", { info: broken }),
        ...idle(ROOT),
      ];
    }
    case "unknown event":
      return [event("tomorrow.invented", { prompt: PRIVATE.prompt, deep: { er: true } })];
    default:
      return [];
  }
}

function prompt(at: number): BusEvent[] {
  const id = `msg_u${at}`;
  return [
    event("message.updated", { info: { id, role: "user", time: { created: 1 } } }),
    event("message.part.updated", { part: { id: `prt_u${at}`, messageID: id, type: "text", text: PRIVATE.prompt } }),
    status("busy", ROOT),
  ];
}

function message(id: string, text?: string, session: string = ROOT): BusEvent[] {
  const info = { id, role: "assistant", path: { cwd: FOLDER }, time: { created: 1 } };
  return [
    event("message.updated", { info }, session),
    ...(text === undefined
      ? []
      : [event("message.part.updated", { part: { id: `prt_${id}`, messageID: id, type: "text", text } }, session)]),
    event("message.updated", { info: { ...info, finish: "stop", time: { created: 1, completed: 2 } } }, session),
  ];
}

function idle(session: string): BusEvent[] {
  return [status("idle", session), event("session.idle", {}, session)];
}

function status(type: string, session: string): BusEvent {
  return event("session.status", { status: { type } }, session);
}

function event(type: string, properties: object, sessionID: string = ROOT): BusEvent {
  return { type, properties: { sessionID, ...properties } };
}
