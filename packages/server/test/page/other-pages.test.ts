/** What a page of another port can do in a browser that moth's page is open in. The browser sends moth's cookie along with its requests. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { LogAnswer } from "@moth-companion/core/protocol";
import { get, post, started } from "../support.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";

const { newPage } = useBrowser();

/** A web server of somebody else's on this machine. Tells which cookies it was sent. */
async function otherServer(): Promise<{ url: string; cookies: string[] }> {
  const cookies: string[] = [];
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? "");
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>other</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => (server.closeAllConnections(), void server.close()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cookies };
}

test.skipIf(!hasChromium)("a page of another port reads nothing and says nothing, whatever it tries", async () => {
  const moth = await started();
  await post(moth, "/api/agent", { source: "pi", session: "s", text: "A secret." });
  const page = await newPage();
  await enter(page, moth);
  await page.getByText("A secret.").first().waitFor();

  const other = await otherServer();
  const stranger = await page.context().newPage();
  await stranger.goto(other.url);
  // So it is with cookies. What its server can do with that, outside the browser, is tried in stolen-cookie.test.ts.
  expect(other.cookies[0]).toContain(`moth-${moth.port}=`);
  const tried = await stranger.evaluate<Record<string, string>>(`(async () => {
    const moth = ${JSON.stringify(moth.url)};
    const read = (path, options) => fetch(moth + path, options).then(async (r) => r.status + (await r.text()).slice(0, 400), (e) => e.name);
    const chat = { method: "POST", body: '{"text":"from a stranger"}', credentials: "include" };
    const frame = document.createElement("iframe");
    frame.src = moth + "/";
    const stream = new Promise((resolve) => {
      const source = new EventSource(moth + "/api/events", { withCredentials: true });
      source.onmessage = () => resolve("a message");
      source.onerror = () => (source.close(), resolve("an error"));
    });
    const framed = new Promise((resolve) => {
      const look = () => { try { return frame.contentDocument?.body?.innerText ?? "closed"; } catch { return "closed"; } };
      frame.onload = () => resolve(look());
      document.body.append(frame);
    });
    return {
      read: await read("/api/log", { credentials: "include" }),
      bare: await read("/api/log"),
      keyed: await read("/api/log", { headers: { "X-Moth-Page": "x" } }),
      entered: await read("/api/enter", { ...chat, body: '{"key":"x"}', headers: { "Content-Type": "application/json" } }),
      stored: JSON.stringify(localStorage),
      blind: await read("/api/log", { credentials: "include", mode: "no-cors" }),
      said: await read("/api/chat", { ...chat, headers: { "Content-Type": "application/json" } }),
      blindlySaid: await read("/api/chat", { ...chat, mode: "no-cors" }),
      reset: await read("/api/reset", { ...chat, body: "{}", mode: "no-cors" }),
      link: await read("/api/open", { ...chat, body: "{}", headers: { "Content-Type": "application/json" } }),
      stream: await stream,
      frame: await framed,
    };
  })()`);
  expect(JSON.stringify(tried)).not.toContain("secret");
  expect(tried).toMatchObject({
    read: "TypeError",
    said: "TypeError",
    keyed: "TypeError",
    entered: "TypeError",
    link: "TypeError",
  });
  expect(tried).toMatchObject({ stream: "an error", stored: "{}" });
  // It is a page of this machine, so it may read moth's answers: that its token is missing.
  expect(tried["bare"]).toMatch(/^401/);

  const { events } = await get<LogAnswer>(moth, "/api/log");
  expect(events.filter(({ kind }) => kind === "chat")).toEqual([]);
  expect(events.some((event) => event.kind === "card" && event.text === "A secret.")).toBe(true);
});
