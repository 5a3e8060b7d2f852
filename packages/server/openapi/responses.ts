/** What a route answers, by status: when all is well, and when it refuses. */
import type { Route } from "../src/route.ts";
import type { Operation } from "./operations.ts";
import { type Code, refusalsOf, WHY } from "./refusals.ts";
import { ref } from "./schemas.ts";

interface Response {
  description: string;
  headers?: object;
  content?: Record<string, object>;
}

/** @param shared is given the refusals that several routes have in common, by name */
export function responsesOf(route: Route, { answers }: Operation, shared: Record<string, Response>): Record<string, object> {
  const responses: Record<string, object> = {};
  const refusals = refusalsOf(route);
  for (const [status, answer] of Object.entries(answers)) responses[status] = answered(answer);
  for (const [status, codes] of refusals) {
    const refusal = refused(codes);
    const own: Response | undefined = answers[status] && answered(answers[status]);
    const name = codes.join(".");
    if (!own) shared[name] = refusal;
    responses[status] = own
      ? { description: `${own.description}\n\n${refusal.description}`, content: { ...own.content, ...refusal.content } }
      : ref("responses", name);
  }
  return responses;
}

function answered({ says, json, media = [], headers = {} }: Operation["answers"][number]): Response {
  const told = Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]);
  const content: Record<string, object> = Object.fromEntries(media.map((type) => [type, textOf(type)]));
  if (json !== undefined) content["application/json"] = { schema: ref("schemas", json) };
  return {
    description: says,
    ...(told.length > 0 && { headers: Object.fromEntries(told) as object }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

/** OpenAPI 3.1 has no word for what the lines of a stream hold. */
function textOf(type: string): object {
  const schema = { type: "string" };
  if (type !== "text/event-stream") return { schema };
  return { schema, "x-moth-data": { message: ref("schemas", "MothEvent"), epoch: ref("schemas", "StreamEpoch") } };
}

function refused(codes: readonly Code[]): Response {
  const description = codes.map((code) => `- \`${code}\`: ${WHY[code]}`).join("\n");
  const narrowed = { properties: { error: { properties: { code: { enum: codes } } } } };
  return { description, content: { "application/json": { schema: { ...ref("schemas", "ErrorAnswer"), ...narrowed } } } };
}
