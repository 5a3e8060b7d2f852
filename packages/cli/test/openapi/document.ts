/** `docs/openapi.json` as a client reads it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { ROOT } from "../docs/markdown.ts";
import type { Answer } from "./wire.ts";

interface Schema {
  [keyword: string]: unknown;
  type?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
}

interface Response {
  $ref?: string;
  content?: Record<string, { schema: Schema; "x-moth-data"?: Record<string, Schema> }>;
}

interface Parameter {
  name: string;
  in: "query" | "header";
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

interface Described {
  operationId: string;
  security: object[];
  parameters?: Parameter[];
  requestBody?: { content: { "application/json": { schema: Schema; example: Record<string, unknown> } } };
  responses: Record<string, Response>;
}

export interface Operation extends Described {
  method: string;
  path: string;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

const text = readFileSync(join(ROOT, "docs", "openapi.json"), "utf8").replaceAll("#/components/schemas/", "openapi#/$defs/");
const { paths, components } = JSON.parse(text) as Document;

export const operations: readonly Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
);

const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: "openapi", $defs: closed(components.schemas) });

const checks = new WeakMap<Schema, ValidateFunction>();

function validate(schema: Schema): ValidateFunction {
  const check = checks.get(schema) ?? ajv.compile(closed(schema));
  checks.set(schema, check);
  return check;
}

/** What an operation takes: the fields by name, and whether a body fits. What is not described does no harm there. */
export function bodyOf({ requestBody }: Operation): { names: string[]; fits: ValidateFunction; example: object } {
  const { schema, example } = requestBody!.content["application/json"];
  const shape = components.schemas[String(schema["$ref"]).split("/").at(-1)!]!;
  return { names: Object.keys(shape.properties ?? {}), fits: new Ajv2020({ strict: false }).compile(shape), example };
}

/** The same, but that nothing may come that is not described: a reader passes it over, a test does not. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, key === "enum" ? value : closed(value)] as const);
  const isWhole = "properties" in schema && "type" in schema && schema.type === "object";
  return { ...(Object.fromEntries(entries) as T), ...(isWhole && { additionalProperties: false }) };
}

function responseOf({ responses }: Operation, status: number): Response | undefined {
  const found = responses[status];
  return found?.$ref === undefined ? found : components.responses[found.$ref.split("/").at(-1)!];
}

/** What an operation may answer: each status with each media type, and each code of a refusal. */
export function answersOf(operation: Operation): string[] {
  return Object.keys(operation.responses).flatMap((status) => {
    const { content = { nothing: { schema: {} } } } = responseOf(operation, Number(status))!;
    return Object.entries(content).flatMap(([type, { schema }]) => {
      const codes = schema.properties?.["error"]?.properties?.["code"]?.enum ?? [type];
      return codes.map((what) => `${operation.method} ${operation.path} ${status} ${String(what)}`);
    });
  });
}

/** Which of `answersOf` an answer is. Throws when it is none, or not as described. */
export function recognised(operation: Operation, { status, headers, body }: Answer): string {
  const name = `${operation.method} ${operation.path} ${status}`;
  const response = responseOf(operation, status);
  if (!response) throw new Error(`${name} is not described: ${body}`);
  const type = headers["content-type"]?.split(";")[0] ?? "nothing";
  const content = response.content?.[type];
  if (response.content ? !content : body !== "") throw new Error(`${name} is not described as ${type}: ${body}`);
  if (type !== "application/json") return `${name} ${type}`;
  const json = JSON.parse(body) as { error?: { code: string } };
  const check = validate(content!.schema);
  if (!check(json)) throw new Error(`${name} is not as described: ${ajv.errorsText(check.errors)}\n${body}`);
  return `${name} ${json.error?.code ?? type}`;
}

/** The checks of what a stream carries, by the name of its events. */
export function streamed(operation: Operation): Record<string, ValidateFunction> {
  const data = responseOf(operation, 200)?.content?.["text/event-stream"]?.["x-moth-data"] ?? {};
  return Object.fromEntries(Object.entries(data).map(([name, schema]) => [name, validate(schema)]));
}
