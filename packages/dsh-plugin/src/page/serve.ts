/** Gives dsh's page, where dsh has one, moth's row, and the row its line. */
import type { Lines } from "../lines.ts";
import { row } from "./row.ts";

const ID = "@moth-companion/dsh/page";
const SCRIPT = "/moth/row.js";
const LINE = "/moth/line";

/** What is used of dsh's web server. Shape as in dsh 0.1.0-rc.8. */
export interface WebServer {
  register(route: { kind: "exact"; path: string; handler: (request: Request, response: Response) => void }): unknown;
  /** What it is given stands before every index page that dsh sends. */
  tapIndex(change: (html: string) => string): unknown;
}

interface Request {
  url?: string | undefined;
  method?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface Response {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  end(body?: string): unknown;
}

/** @returns what takes it out again */
export function servePage(server: WebServer, lines: Pick<Lines, "of">): () => void {
  const undo = [
    server.register({
      kind: "exact",
      path: SCRIPT,
      handler: (request, response) => answer(request, response, "text/javascript", registration()),
    }),
    server.register({
      kind: "exact",
      path: LINE,
      handler(request, response) {
        const session = new URL(request.url ?? "/", "http://page").searchParams.get("session") ?? "";
        void lines
          .of(session)
          .then((line) => answer(request, response, "application/json", JSON.stringify({ line: line ?? null })))
          .catch(() => {});
      },
    }),
    server.tapIndex(withRow),
  ];
  return () => {
    for (const act of undo) if (typeof act === "function") act();
  };
}

/** Only to dsh's own page: dsh asks nobody who he is, and another page of the browser could be told a line about an agent's turn. */
function answer(request: Request, response: Response, type: string, body: string): void {
  const own = request.headers["sec-fetch-site"] === "same-origin" && request.method === "GET";
  response.writeHead(own ? 200 : 403, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" });
  response.end(own ? body : "");
}

/** The script as the loader of dsh's page wants one. */
function registration(): string {
  return `window.__ModuleLoader__.load({id:${JSON.stringify(ID)},factory:${row.toString()}})`;
}

/**
 * Lists the script among the parts of the page. dsh itself lists only packages, and `moth.mjs` is one file.
 * The page's own script is a module, which runs after all that stands in the head.
 */
function withRow(html: string): string {
  const needs = ["@deepseek-ai/dsh-client-runtime", "@deepseek-ai/dsh-client-ui-conversation"];
  const entry = JSON.stringify({ id: ID, url: SCRIPT, rev: "1", inject: needs });
  return html.replace("</head>", () => `<script>try{window.__DSH_BOOT__.entries.push(${entry})}catch{}</script></head>`);
}
