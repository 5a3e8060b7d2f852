/** A session of Copilot's as its SDK hands it out, with dialogs that the person and calls can end; and a real moth behind it. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createOutbox } from "@moth-companion/core/outbox";
import type { Session as Row, Wait } from "@moth-companion/core/protocol";
import { vi } from "vitest";
import { started, tempHome } from "../../server/test/support.ts";
import { answerThroughMoth } from "../src/answering.ts";
import { takeOrders } from "../src/orders.ts";
import { join as joinCopilot } from "../src/session.ts";

export const SESSION = "282fe94a-40f7-494f-89e1-894bfb4e98ae";

type Kind = "permission" | "elicitation" | "exit_plan_mode";

export interface Stage {
  /** What was handed to Copilot, in order. */
  handed: object[];
  /** What was asked of Copilot when the extension joined. */
  joined: object[];
  emit: (type: string, data: object, more?: object) => void;
  /** A tool starts, and asks. */
  asks: (kind: Kind, request: string, tool: string, data: object, more?: object) => void;
  /** As moth's hooks tell it. */
  works: () => void;
  permits: (request?: string, permission?: object, more?: object) => void;
  /** The person ends a dialog in the window. */
  window: (kind: Kind, request: string) => void;
  /** Gives an answer as a display does; the error's code, or "ok". */
  give: (answer: { wait: string; choice?: string; text?: string }) => Promise<string>;
  /** The wait that moth shows, once it is told whole. */
  shows: (id: string) => Promise<Wait>;
  roster: () => Promise<Row[]>;
  /** Has the session do something as a display does; the error's code, or "ok". */
  order: (order: { do: "prompt" | "abort"; text?: string }) => Promise<string>;
  /** What of that reached Copilot. */
  done: string[];
  turn: (how: "on" | "off") => void;
  stop: () => Promise<void>;
  restart: () => Promise<void>;
}

interface Options {
  answers?: "on" | "off";
  /** The person does not let it handle permissions. */
  denied?: boolean;
  /** What a call does instead of ending the dialog. */
  call?: () => Promise<unknown>;
}

export async function stage({ answers = "on", denied = false, call }: Options = {}): Promise<Stage> {
  const home = tempHome();
  const turn = (to: "on" | "off"): void => writeFileSync(join(home, "config.json"), JSON.stringify({ answers: to }));
  turn(answers);
  let server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const [handed, joined, open]: [object[], object[], Set<string>] = [[], [], new Set()];
  const done: string[] = [];
  const does = (what: string): Promise<unknown> => (call ? call() : Promise.resolve(done.push(what)));
  const hearers: ((event: unknown) => void)[] = [];
  const hear = (event: unknown): void => hearers.forEach((one) => one(event));
  const emit: Stage["emit"] = (type, data, more = {}) => hear({ type, data, ...more });
  const record = createOutbox({ env });
  const over: Stage["window"] = (kind, request) => {
    if (!open.delete(request)) return;
    emit(`${kind}.completed`, { requestId: request });
    // As Copilot's own record tells it.
    const ended = kind === "permission" ? request : `call-${request}`;
    record.state({ source: "copilot", session: SESSION, state: "working", ended });
  };
  const ends =
    (kind: Kind) =>
    (asked: { requestId: string }): Promise<unknown> => {
      if (call) return call();
      if (!open.has(asked.requestId)) return Promise.resolve({ success: false });
      handed.push(asked);
      over(kind, asked.requestId);
      return Promise.resolve({ success: true });
    };
  const copilot = {
    sessionId: SESSION,
    on: (heard: (event: unknown) => void) => hearers.push(heard),
    send: ({ prompt }: { prompt: string }) => does(`prompt ${prompt}`),
    abort: () => does("abort"),
    rpc: {
      permissions: { handlePendingPermissionRequest: ends("permission") },
      ui: { handlePendingElicitation: ends("elicitation"), handlePendingExitPlanMode: ends("exit_plan_mode") },
    },
  };
  const joinSession = (config: object): Promise<unknown> => {
    joined.push(config);
    return denied && "onPermissionRequest" in config
      ? Promise.reject(new Error("denied permission access"))
      : Promise.resolve(copilot);
  };
  const session = await joinCopilot(joinSession);
  answerThroughMoth(session, env);
  takeOrders(session, "copilot", env);

  const headers = { "X-Moth-Token": server.token, "Content-Type": "application/json" };
  const asks: Stage["asks"] = (kind, request, tool, data, more) => {
    open.add(request);
    emit("tool.execution_start", { toolCallId: `call-${request}`, toolName: tool }, more);
    emit(`${kind}.requested`, { requestId: request, toolCallId: `call-${request}`, ...data }, more);
  };
  const roster = async (): Promise<Row[]> => {
    const answered = await fetch(`${server.url}/api/sessions`, { headers });
    return ((await answered.json()) as { sessions: Row[] }).sessions;
  };
  const post = async (path: string, body: object): Promise<string> => {
    const whose = { source: "copilot", session: SESSION, by: "test" };
    const answered = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ ...whose, ...body }),
    });
    return ((await answered.json()) as { error?: { code: string } }).error?.code ?? "ok";
  };
  return {
    handed,
    done,
    order: (order) => post("/api/order", order),
    joined,
    emit,
    asks,
    works: () => record.state({ source: "copilot", session: SESSION, state: "working" }),
    permits(request = "p-1", permission = { kind: "shell", fullCommandText: "touch made.txt" }, more = {}) {
      asks("permission", request, "bash", { permissionRequest: { toolCallId: `call-${request}`, ...permission } }, more);
    },
    window: over,
    give: (answer) => post("/api/answer", answer),
    shows: (id) =>
      vi.waitFor(
        async () => {
          const [row] = await roster();
          if (row?.state !== "waiting" || row.wait.id !== id || row.wait.text === undefined) throw new Error("not yet");
          return row.wait;
        },
        { timeout: 10_000 },
      ),
    roster,
    turn,
    async restart() {
      await server.stop();
      // Away for as long as it takes to be missed.
      const away = createServer((socket) => void socket.destroy()).listen(server.port, "127.0.0.1");
      await once(away, "connection");
      away.close();
      server = await started({ env: { MOTH_HOME: home }, port: server.port });
    },
    stop: () => server.stop(),
  };
}
