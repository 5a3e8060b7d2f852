/** The shapes of the document: JSON Schema of the schemas, with what `core` says of their types and fields. */
import * as z from "zod/mini";
import { type Note, readNotes } from "./notes.ts";

export interface Schema {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

/** Types whose fields are told under another name. */
const TOLD_AS: Record<string, string> = {
  WaitingSession: "SessionBase",
  WorkingSession: "SessionBase",
  RestingSession: "SessionBase",
};

export function ref(kind: "schemas" | "responses", name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` };
}

/** By name. @param io `input`: what may be sent. `output`: what comes back, to which fields may be added */
export function componentsOf(registry: z.core.$ZodRegistry<{ id: string }>, io: "input" | "output"): Record<string, Schema> {
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io });
  const notes = readNotes();
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const tidied = tidy(schema as Schema, io);
      return [name, described(tidied, notes.get(TOLD_AS[name] ?? name), notes, notes.get(name)?.text)];
    }),
  );
}

/** Without what says nothing to a reader. */
function tidy(schema: Schema, io: "input" | "output"): Schema {
  const { anyOf, properties, items, oneOf, $schema: _dialect, $id: _place, ...rest } = schema;
  const [one, none] = anyOf ?? [];
  if (one && none?.type === "null" && typeof one.type === "string") return tidy(nullable(one), io);
  const tidied: Schema = {
    ...rest,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, tidy(of, io)])) }),
    ...(items && { items: tidy(items, io) }),
    ...(anyOf && { anyOf: anyOf.map((of) => tidy(of, io)) }),
    ...(oneOf && { oneOf: oneOf.map((of) => tidy(of, io)) }),
  };
  if (io === "output") delete tidied["additionalProperties"];
  // The bounds of all numbers that JSON can tell apart.
  if (io === "output" && tidied["maximum"] === Number.MAX_SAFE_INTEGER) delete tidied["maximum"];
  return tidied;
}

/** null counts as not given. */
function nullable({ type, ...one }: Schema): Schema {
  const words = one["enum"];
  return { type: [String(type), "null"], ...one, ...(Array.isArray(words) && { enum: [...(words as unknown[]), null] }) };
}

function described(schema: Schema, note: Note | undefined, notes: Map<string, Note>, text?: string): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, of]) => {
    const field = note?.fields.get(name);
    const type = notes.get(field?.type ?? "");
    return [name, described(of, type, notes, field?.text ?? ("$ref" in of ? undefined : type?.text))] as const;
  });
  return {
    ...(text !== undefined && { description: text }),
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  };
}
