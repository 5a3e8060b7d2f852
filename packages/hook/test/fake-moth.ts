/** A moth of which only what a hook asks it for is real. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import { TOKEN } from "./run-hook.ts";

interface Heard {
  path: string;
  body: { state?: string; ended?: string; wait?: { id: string; text?: string; answerable?: boolean } } & Record<string, unknown>;
}

/** A moth that keeps what it is told, and answers a fetch when the test says so. */
export class Moth {
  heard: Heard[] = [];
  fetches: ServerResponse[] = [];
  server: Server = createServer((request, response) => void this.serve(request, response));

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
    if (request.headers["x-moth-token"] !== TOKEN) throw new Error("a request without moth's token");
    const path = request.url ?? "";
    this.heard.push({ path, body: JSON.parse(text || "{}") as Heard["body"] });
    if (!path.startsWith("/api/answers")) return void response.end('{"ok":true}');
    this.fetches.push(response);
    response.on("close", () => (this.fetches = this.fetches.filter((one) => one !== response)));
  }

  async listen(port = 0): Promise<void> {
    this.server.listen(port, "127.0.0.1");
    await once(this.server, "listening");
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  waits(): NonNullable<Heard["body"]["wait"]>[] {
    return this.heard.flatMap(({ body }) => body.wait ?? []);
  }

  told(path: string): Heard["body"][] {
    return this.heard.filter((one) => one.path === path).map(({ body }) => body);
  }

  /** Answers whoever fetches next. */
  async answer(body: object): Promise<void> {
    await vi.waitUntil(() => this.fetches.length > 0, 5000);
    this.fetches.pop()?.end(JSON.stringify(body));
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, "close");
  }
}
