/** What stands behind the `?`, and the one header that is not the same for all. */
import { ORDER_KINDS } from "@moth-companion/core/protocol";
import type { Schema } from "./schemas.ts";

export interface Parameter {
  description: string;
  schema: Schema;
  required?: true;
  /** A list with commas. */
  explode?: false;
  example?: unknown;
}

const text: Schema = { type: "string" };
const WHOLE: Schema = { type: "integer", minimum: 0, maximum: 999_999_999_999_999, default: 0 };

export const since: Parameter = {
  description: "The first event wanted: the `next` of the answer before. One past the log's end reads the log from its start.",
  schema: WHOLE,
};
export const epoch: Parameter = {
  description: "The `epoch` of the answer before. One that is not the log's any more reads the log from its start.",
  schema: text,
};
export const after: Parameter = {
  description: "Milliseconds since 1970: leaves out what was said before.",
  schema: WHOLE,
};
export const source: Parameter = { description: "The harness's id.", schema: text };
export const session: Parameter = {
  description: "The harness's own id of the conversation. Left out: the session of a harness that tells of one only.",
  schema: text,
};

export function seconds(description: string): Parameter {
  return { description: `${description} Seconds; more than 60 count as 60.`, schema: { type: "number", minimum: 0, default: 0 } };
}

export const wait: Parameter = { description: "The id of the wait.", schema: { type: "string", minLength: 1 }, required: true };
export const takes: Parameter = {
  description: "What it can have the session do, with a comma between two.",
  schema: { type: "array", items: { type: "string", enum: [...ORDER_KINDS] }, minItems: 1 },
  required: true,
  explode: false,
  example: [...ORDER_KINDS],
};
export const sameOrigin: Parameter = {
  description:
    "The browser's word that moth's own page asks. Of one that does not say it, an `Origin` equal to the Host is taken.",
  schema: { type: "string", enum: ["same-origin"] },
  required: true,
};
export const key: Parameter = { description: "The one-time key.", schema: text, required: true };

export const lastEventId: Parameter = {
  description:
    "The `id` of the last event that arrived: goes on behind it. Stands above `since` and `epoch`; one that is none of moth's is passed over.",
  schema: text,
};

export function required(parameter: Parameter): Parameter {
  return { ...parameter, schema: { ...parameter.schema, minLength: 1 }, required: true };
}
