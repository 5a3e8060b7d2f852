/** What is sent, by name: the schemas the server reads with, and what holds of several of their fields together. */
import * as z from "zod/mini";
import * as bodies from "../src/schema.ts";
import type { Schema } from "./schemas.ts";

export const sent: z.core.$ZodRegistry<{ id: string }> = z.registry<{ id: string }>();

const NAMES = {
  TurnReport: bodies.turnBody,
  StateReport: bodies.stateBody,
  EnterRequest: bodies.enterBody,
  ChatRequest: bodies.chatBody,
  AnswerRequest: bodies.answerBody,
  OrderRequest: bodies.orderBody,
  TakenReport: bodies.takenBody,
  ResetRequest: bodies.resetBody,
  SeenRequest: bodies.seenBody,
  MuteRequest: bodies.muteBody,
  Nothing: bodies.emptyBody,
};
for (const [id, { schema }] of Object.entries(NAMES)) sent.add(schema, { id });

const filled = { type: "string", pattern: "\\S" };

/** `src/schema.ts` holds to the same in code; a test tries the two against each other. */
export const RULES: Readonly<Record<string, Schema>> = {
  TurnReport: {
    anyOf: [
      { required: ["text"], properties: { text: filled } },
      { required: ["chars"], properties: { chars: { type: "integer" } } },
    ],
  },
  StateReport: {
    if: { required: ["state"], properties: { state: { const: "waiting" } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ["wait"], properties: { wait: { type: "object" } } },
  },
  AnswerRequest: {
    anyOf: [
      { required: ["choice"], properties: { choice: { type: "string", minLength: 1 } } },
      { required: ["text"], properties: { text: filled } },
    ],
  },
  OrderRequest: {
    if: { required: ["do"], properties: { do: { const: "prompt" } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ["text"], properties: { text: filled } },
  },
};
