/** The OpenAPI document, made from the routes and the schemas that the server works with. */
import {
  DEFAULT_HOST,
  DEFAULT_PORT,
  MAX_BODY_BYTES,
  MAX_ID_LENGTH,
  MAX_LABEL_LENGTH,
  PAGE_HEADER,
  PROTOCOL,
  TOKEN_HEADER,
} from "@moth-companion/core/protocol";
import type { Route } from "../src/route.ts";
import { ROUTES } from "../src/routes.ts";
import { named } from "./answers.ts";
import { RULES, sent } from "./bodies.ts";
import { type Operation, OPERATIONS } from "./operations.ts";
import type { Parameter } from "./parameters.ts";
import { CODES } from "./refusals.ts";
import { responsesOf } from "./responses.ts";
import { componentsOf, ref, type Schema } from "./schemas.ts";

const ABOUT = `What moth's server answers on this machine. docs/protocol.md says how it treats what it is told; it is the same contract in words.

- Reports may also be written into a named pipe, where there is one: see "The pipe" in docs/protocol.md.
- In what is sent, \`null\` is the same as not given, and fields that have no name here are passed over. In what is answered, fields may be added: pass over those you do not know.
- Ids keep letters, digits and \`. _ : / @ + = -\` (others become \`_\`) and ${MAX_ID_LENGTH} characters; a label is one line of ${MAX_LABEL_LENGTH}; texts lose escape sequences and control characters, and what is empty then counts as empty.
- The Host header must be \`127.0.0.1:<port>\`, \`localhost:<port>\` or \`[::1]:<port>\`. A browser's page must be one of this machine.
- A path that is not here is refused with 404 \`NOT_FOUND\`, another method with 405 \`METHOD\`. Only pages may ask with OPTIONS, before what they ask.
- Every answer carries \`X-Frame-Options: DENY\`, \`X-Content-Type-Options: nosniff\` and \`Cache-Control: no-store\`.`;

export function openApi(): Record<string, unknown> {
  const responses: Parameters<typeof responsesOf>[2] = {};
  const paths = Object.fromEntries(
    Object.entries(ROUTES).map(([path, route]) => {
      const operation = OPERATIONS[path];
      if (!operation)
        throw new Error(`${route.method} ${path} is not described. Describe it in packages/server/openapi/operations.ts.`);
      return [path, { [route.method.toLowerCase()]: operationOf(path, route, operation, responses) }];
    }),
  );
  return {
    openapi: "3.1.1",
    info: {
      title: "moth",
      version: String(PROTOCOL),
      summary: "Hears coding agents and tells which one finished, failed, or waits.",
      description: ABOUT,
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "The protocol in words", url: "protocol.md" },
    servers: [
      {
        url: `http://${DEFAULT_HOST}:{port}`,
        description: "The moth of this user on this machine.",
        variables: {
          port: {
            default: String(DEFAULT_PORT),
            description: "`moth up --port`; adapters take the whole address from the variable `MOTH_URL` where it is set.",
          },
        },
      },
    ],
    tags: [
      { name: "adapters", description: "For what stands in or beside a harness. An adapter posts reports." },
      { name: "displays", description: "For what shows events or takes the person's words. A display never posts a report." },
      { name: "page", description: "moth's own page, and how a browser gets in." },
    ],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "apiKey",
          in: "header",
          name: TOKEN_HEADER,
          description:
            "What stands in the file `token` of moth's folder, `~/.moth` unless `MOTH_HOME` says otherwise (the file itself: `MOTH_TOKEN_FILE`). Never in a URL.",
        },
        page: {
          type: "apiKey",
          in: "cookie",
          name: `moth-${DEFAULT_PORT}`,
          description:
            "`moth-<port>`, as `/api/enter` gave it. It counts only with the page's key, and in a request that the browser calls moth's own page's: `Sec-Fetch-Site: same-origin`, or an `Origin` equal to the Host.",
        },
        pageKey: {
          type: "apiKey",
          in: "header",
          name: PAGE_HEADER,
          description: "The `pageKey` that `/api/enter` answered. It counts only with the cookie. Never in a URL.",
        },
      },
      schemas: { ...componentsOf(named, "output"), ErrorAnswer: errorAnswer(), ...bodies() },
      responses: Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function bodies(): Record<string, Schema> {
  const shapes = componentsOf(sent, "input");
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { ...shape, ...RULES[name] }]));
}

function errorAnswer(): Schema {
  const properties = {
    code: { description: "What it is, for a program.", type: "string", enum: CODES },
    message: { description: "What to do, for the person.", type: "string" },
  };
  const error: Schema = { type: "object", required: ["code", "message"], properties };
  return { description: "Body of every refusal.", type: "object", required: ["error"], properties: { error } };
}

function operationOf(path: string, route: Route, operation: Operation, shared: Parameters<typeof responsesOf>[2]): object {
  const { id, tag, summary, more, query = {}, headers = {}, example } = operation;
  const [told, read] = [Object.keys(query), route.query].map((names) => names.toSorted().join(", "));
  if (told !== read) throw new Error(`${path} reads "${read}" behind the ?, and is described with "${told}".`);
  const parameters = [...parametersOf(query, "query"), ...parametersOf(headers, "header")];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(more !== undefined && { description: more }),
    security: securityOf(route, operation),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: true,
        description: `An object of at most ${MAX_BODY_BYTES.toLocaleString("en")} bytes.`,
        content: { "application/json": { schema: ref("schemas", sent.get(route.body.schema)!.id), example } },
      },
    }),
    responses: responsesOf(route, operation, shared),
  };
}

function parametersOf(parameters: Record<string, Parameter>, where: "query" | "header"): object[] {
  return Object.entries(parameters).map(([name, parameter]) => ({ name, in: where, ...parameter }));
}

function securityOf({ needs }: Route, { tellsMoreWithToken }: Operation): object[] {
  if (needs === "nothing" || needs === "link") return tellsMoreWithToken ? [{}, { token: [] }] : [];
  return needs === "page" ? [{ token: [] }, { page: [], pageKey: [] }] : [{ token: [] }];
}
