/** How to be refused: for each code that does not depend on what sessions do, good requests made bad. */
import { bodyOf, type Operation } from "./document.ts";
import type { Request } from "./wire.ts";

const AS_GIVEN: Record<string, string> = { source: "my-agent", session: "s1", wait: "w1", takes: "prompt", key: "k", since: "0" };
/** Each of another kind than the others: no field takes them all. */
const NOT_FITTING = [-5, "", "word", true, [{}], { a: 1 }];

/** A request as the document describes it. */
export function goodRequest(operation: Operation, headers: Record<string, string>): Request {
  const { method, path, requestBody } = operation;
  const query = Object.fromEntries(requiredOf(operation).map((name) => [name, AS_GIVEN[name]!]));
  return {
    method,
    target: targetOf(path, query),
    headers,
    ...(requestBody && { body: JSON.stringify(requestBody.content["application/json"].example) }),
  };
}

const WITH: Record<string, (good: Request, operation: Operation) => Request[]> = {
  BAD_REQUEST: (good) => [withHeaders(good, { "A header": "x" })],
  UPGRADE: (good) => [withHeaders(good, { Connection: "Upgrade", Upgrade: "websocket" })],
  HOST: (good) => [withHeaders(good, { Host: "evil.example" }), withHeaders(good, { Host: undefined })],
  TIMEOUT: (good) => [{ ...good, cutAt: -1 }],
  EXPECT: (good) => [withHeaders(good, { Expect: "tea" })],
  HEADERS: (good) => [withHeaders(good, { "X-Long": "x".repeat(9000) })],
  TOKEN: (good) => [undefined, "wrong"].map((token) => withHeaders(good, { "X-Moth-Token": token })),
  ORIGIN: (good) => [
    ...["https://evil.example", "null"].map((Origin) => withHeaders(good, { Origin })),
    ...("Sec-Fetch-Site" in (good.headers ?? {}) ? [withHeaders(good, { "Sec-Fetch-Site": undefined })] : []),
  ],
  CONTENT_TYPE: (good) => ["text/plain", undefined].map((type) => withHeaders(good, { "Content-Type": type })),
  TOO_LARGE: (good) => [{ ...good, body: JSON.stringify({ ...exampleIn(good), more: "x".repeat(65_536) }) }],
  BAD_JSON: (good) => ["[]", "null", "{", ""].map((body) => ({ ...good, body })),
  BAD_FIELD: (good, operation) => badBodies(operation).map((body) => ({ ...good, body: JSON.stringify(body) })),
  BAD_QUERY: (good, operation) => badQueries(operation).map((query) => ({ ...good, target: targetOf(operation.path, query) })),
};

/** Undefined: it takes more than one request. */
export function badRequests(code: string, good: Request, operation: Operation): Request[] | undefined {
  return WITH[code]?.(good, operation);
}

/** Every field of every wrong kind, and every one left out that must be there. */
function badBodies(operation: Operation): object[] {
  const { names, fits, example } = bodyOf(operation);
  const wrong = names.flatMap((name) => NOT_FITTING.map((value) => ({ ...example, [name]: value })));
  const missing = names.map((name) => ({ ...example, [name]: undefined }));
  return [...wrong, ...missing].filter((body) => !fits(JSON.parse(JSON.stringify(body))));
}

function badQueries(operation: Operation): Record<string, string>[] {
  const needed = requiredOf(operation);
  const good = Object.fromEntries(needed.map((name) => [name, AS_GIVEN[name]!]));
  const numbers = (operation.parameters ?? []).filter(({ schema }) => schema.type === "integer" || schema.type === "number");
  const missing = needed.map((name) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name)));
  const empty = needed.map((name) => ({ ...good, [name]: "" }));
  return [...numbers.flatMap(({ name }) => ["x", "-1"].map((value) => ({ ...good, [name]: value }))), ...missing, ...empty];
}

function requiredOf({ parameters = [] }: Operation): string[] {
  return parameters.filter((one) => one.in === "query" && one.required).map(({ name }) => name);
}

function targetOf(path: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString();
  return search === "" ? path : `${path}?${search}`;
}

function withHeaders(request: Request, headers: Request["headers"]): Request {
  return { ...request, headers: { ...request.headers, ...headers } };
}

function exampleIn({ body = "{}" }: Request): object {
  return JSON.parse(body) as object;
}
