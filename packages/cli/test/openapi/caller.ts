/** Calls operations of the document, and holds every answer to it. */
import { operations, type Operation, recognised } from "./document.ts";
import { type Answer, type Request, send } from "./wire.ts";

export interface Caller {
  port: number;
  token: string;
  /** What was answered, as `answersOf` names it. */
  seen: Set<string>;
  call: (path: string, how?: How) => Promise<Called>;
  /** Sends a request as it is, as one to this operation. */
  send: (operation: Operation, request: Request) => Promise<Answer & { what: string }>;
}

interface How {
  query?: Record<string, string>;
  body?: object;
  headers?: Request["headers"];
}

export interface Called {
  answer: Answer;
  /** The code of a refusal, or the media type. */
  what: string;
  json: Record<string, unknown>;
}

export function createCaller(port: number, token: string): Caller {
  const seen = new Set<string>();

  async function sendTo(operation: Operation, request: Request): Promise<Answer & { what: string }> {
    const answer = await send(port, request);
    const what = recognised(operation, answer);
    seen.add(what);
    return { ...answer, what: what.split(" ").at(-1)! };
  }

  return {
    port,
    token,
    seen,
    send: sendTo,
    async call(path, { query = {}, body, headers } = {}) {
      const operation = operations.find((one) => one.path === path)!;
      const search = new URLSearchParams(query).toString();
      const request: Request = {
        method: operation.method,
        target: search === "" ? path : `${path}?${search}`,
        headers: { ...credentials(operation, token), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      };
      const { what, ...answer } = await sendTo(operation, request);
      return { answer, what, json: what.endsWith("/json") ? (JSON.parse(answer.body) as Record<string, unknown>) : {} };
    },
  };
}

/** The token, where it is asked for, and headers that must be there. */
export function credentials({ security, parameters = [] }: Operation, token: string): Record<string, string> {
  const needed = parameters.filter((one) => one.in === "header" && one.required);
  return {
    ...Object.fromEntries(needed.map(({ name, schema }) => [name, String(schema.enum?.[0])])),
    ...(security.some((one) => "token" in one) && { "X-Moth-Token": token }),
  };
}
