/** Asks what holds a port, for the person who wanted it. */
import type { Address } from "@moth-companion/core/paths";
import { oneLine } from "@moth-companion/core/text";
import { http } from "@moth-companion/core/node-http";

const PROBE_MS = 1000;
const MAX_ANSWER = 4096;

/**
 * Who answers at an address, as the subject of a sentence: "another moth (version 1.2.0, pid 42)". Takes at most a second, follows
 * no proxy, never rejects.
 */
export function probe(address: Address, timeoutMs: number = PROBE_MS): Promise<string> {
  return new Promise((resolve) => {
    // An agent of its own: the global one may be told by the environment to use a proxy.
    const agent = new http.Agent();
    let body = "";
    const done = (who: string): void => {
      clearTimeout(timer);
      request.destroy();
      agent.destroy();
      resolve(who);
    };
    const request = http.get({ agent, host: address.host, port: address.port, path: "/api/health" }, (response) => {
      const { statusCode, headers } = response;
      const finish = (): void => done(mothOf(body) ?? otherServer(statusCode, headers.server?.toString()));
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        body += chunk;
        if (body.length > MAX_ANSWER) finish();
      });
      response.on("end", finish);
      response.on("error", finish);
    });
    const timer = setTimeout(() => done("something that takes connections but does not answer"), timeoutMs);
    request.on("error", (error: NodeJS.ErrnoException) => {
      done(error.code?.startsWith("HPE_") ? "something that does not speak HTTP" : "something that hangs up at once");
    });
  });
}

function mothOf(body: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    const { name, version, pid } = answer as Record<string, unknown>;
    if (name !== "moth" || typeof version !== "string" || typeof pid !== "number") return undefined;
    return `another moth (version ${oneLine(version).slice(0, 40)}, pid ${pid})`;
  } catch {
    return undefined;
  }
}

function otherServer(status: number | undefined, server: string | undefined): string {
  return `an HTTP server (it answered ${status}${server ? `, Server: ${oneLine(server).slice(0, 80)}` : ""})`;
}
