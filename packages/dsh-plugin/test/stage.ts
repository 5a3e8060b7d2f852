/** A dsh that asks, with moth's plugin in it and a real moth behind that. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createOutbox } from "@moth-companion/core/outbox";
import type { Session, Wait } from "@moth-companion/core/protocol";
import { expect, vi } from "vitest";
import { started, tempHome } from "../../server/test/support.ts";
import { createAnswering } from "../src/answering.ts";
import { readHappening, readPlace } from "../src/door.ts";
import { createListener } from "../src/listener.ts";
import { type Dialog, type Door, dshDoor } from "./dsh-door.ts";
import { ROOT } from "./events.ts";

export const PATIENCE: { timeout: number } = { timeout: 10_000 };

export interface Stage extends Door {
  /** An event of the session's log. */
  hear: (type: string, data?: object) => void;
  leave: () => void;
  /** Gives an answer as a display does; the error's code, or "ok". */
  give: (answer: { wait: string; choice?: string; text?: string }) => Promise<string>;
  /** The wait that moth shows, once it can be answered or not. */
  shows: (answerable: boolean) => Promise<Wait>;
  is: (state: string) => Promise<void>;
  turn: (how: "on" | "off") => void;
  stop: () => Promise<void>;
  restart: () => Promise<void>;
}

export async function stage(how: "on" | "off" = "on"): Promise<Stage> {
  const home = tempHome();
  const turn = (to: "on" | "off"): void => writeFileSync(join(home, "config.json"), JSON.stringify({ answers: to }));
  turn(how);
  let server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const door = dshDoor();
  const answering = createAnswering("dsh", env);
  const leave = answering.enter(door.door);
  const reports = createOutbox({ env });
  const listener = createListener({
    source: "dsh",
    pid: process.pid,
    reports,
    answering,
    orders: () => undefined,
    later: () => {},
  });
  const events: object[] = [];
  const session = { id: ROOT, header: { id: ROOT, cwd: "/home/ada/code/repo" }, events };
  const hear = (type: string, data: object = {}): void => {
    events.push({ type, data });
    const happening = readHappening(session, events.at(-1));
    if (happening) listener.hear(readPlace(session)!, happening);
  };
  hear("turn/start", { turn: 1 });
  const headers = { "X-Moth-Token": server.token, "Content-Type": "application/json" };
  const row = async (): Promise<Session | undefined> => {
    const answered = await fetch(`${env.MOTH_URL}/api/sessions`, { headers });
    return ((await answered.json()) as { sessions: Session[] }).sessions[0];
  };
  return {
    ...door,
    hear,
    leave,
    turn,
    async give(answer) {
      const body = JSON.stringify({ source: "dsh", session: ROOT, by: "test", ...answer });
      const answered = await fetch(`${env.MOTH_URL}/api/answer`, { method: "POST", headers, body });
      return ((await answered.json()) as { error?: { code: string } }).error?.code ?? "ok";
    },
    shows: (answerable) =>
      vi.waitFor(async () => {
        const session = await row();
        expect(session).toMatchObject({ state: "waiting", wait: { answerable } });
        return (session as Session & { state: "waiting" }).wait;
      }, PATIENCE),
    is: (state) => vi.waitFor(async () => expect(await row()).toMatchObject({ state }), PATIENCE),
    stop: () => server.stop(),
    async restart() {
      await server.stop();
      // Away for as long as it takes to be missed.
      const away = createServer((socket) => void socket.destroy()).listen(server.port, "127.0.0.1");
      await once(away, "connection");
      away.close();
      server = await started({ env: { MOTH_HOME: home }, port: server.port });
    },
  };
}

const BASH = { command: "touch made.txt", description: "Make it" };

/** The model wants to run something that is not allowed by itself. */
export function approve({ hear, open }: Stage, id = "a-1", args: object | null = BASH, reason = "it must be"): Promise<unknown> {
  const callId = `call ${id}`;
  if (args) hear("tool/call", { callId, name: "bash", arguments: JSON.stringify(args) });
  hear("approval/asked", { id, toolName: "bash", callId, reason });
  return open({
    rpcId: `rpc ${id}`,
    payload: { type: "approval/requested", sessionId: ROOT, approvalId: id, toolName: "bash", callId },
  });
}

export function question(id: string, questions: object[], shown: object[] = questions): { call: object; dialog: Dialog } {
  return {
    call: { callId: id, name: "ask_user_question", arguments: JSON.stringify({ questions }) },
    dialog: { rpcId: `rpc ${id}`, payload: { type: "question/requested", sessionId: ROOT, questions: shown } },
  };
}

export function ask({ hear, open }: Stage, id: string, questions: object[], shown?: object[]): Promise<unknown> {
  const { call, dialog } = question(id, questions, shown);
  hear("tool/call", call);
  return open(dialog);
}

export function review({ hear, open }: Stage, plan: string): Promise<unknown> {
  hear("tool/call", { callId: "p-1", name: "exit_plan_mode", arguments: JSON.stringify({ plan }) });
  const intent = { kind: "plan-review", approve: "Approve" };
  const options = [{ label: "Approve" }, { label: "Keep planning" }];
  return open(question("p-1", [{ id: "plan-review", question: "Approve it?", detail: plan, options, intent }]).dialog);
}
