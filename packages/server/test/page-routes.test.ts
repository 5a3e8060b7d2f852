import { expect, onTestFinished, test, vi } from "vitest";
import { ask, type AskOptions, started } from "./support.ts";

type Server = Awaited<ReturnType<typeof started>>;

/** A browser that came by the link of `moth open`. */
async function opened(server: Server): Promise<{ cookie: string; link: string }> {
  const { body } = await ask(server, { method: "POST", path: "/api/open", body: "{}" });
  const link = new URL((JSON.parse(body) as { url: string }).url);
  const { headers } = await ask(server, { path: link.pathname + link.search, headers: { "X-Moth-Token": undefined } });
  return { cookie: headers["set-cookie"]!.split(";")[0]!, link: link.pathname + link.search };
}

const code = ({ body }: { body: string }): unknown => (JSON.parse(body) as { error?: { code: string } }).error?.code;

test("a browser gets the page at the front door, a program the few words", async () => {
  const server = await started();
  const page = await ask(server, { path: "/", headers: { "X-Moth-Token": undefined, Accept: "text/html,*/*;q=0.8" } });
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers).toMatchObject({
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
  });
  expect(page.headers["content-security-policy"]).not.toContain("unsafe");
  expect(page.body).not.toContain(server.token);
  expect(await ask(server, { path: "/", headers: { Accept: "*/*" } })).toMatchObject({
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: expect.stringContaining("moth open") as string,
  });
});

test("the page names moth's command as the person calls it, as text", async () => {
  const server = await started({ self: 'node "/a <b>&/moth.mjs"' });
  const page = await ask(server, { path: "/", headers: { Accept: "text/html" } });
  const name = "node &quot;/a &lt;b>&amp;/moth.mjs&quot;";
  expect(page.body).toContain(`<meta name="moth-command" content="${name}"`);
  expect(page.body).toContain(`look with: ${name} tail`);
  expect(page.body.includes("{{moth}}")).toBe(false);
});

test("the link of `moth open` leads to the page, once", async () => {
  const server = await started();
  const { body } = await ask(server, { method: "POST", path: "/api/open", body: "{}" });
  const link = new URL((JSON.parse(body) as { url: string }).url);
  expect([link.origin, link.pathname]).toEqual([server.url, "/open"]);
  const path = link.pathname + link.search;
  const first = await ask(server, { path, headers: { "X-Moth-Token": undefined } });
  expect([first.status, first.headers["location"], first.headers["referrer-policy"]]).toEqual([303, "/", "no-referrer"]);
  const cookie = first.headers["set-cookie"]!;
  expect(cookie).not.toContain(server.token);
  // Another browser, and then the same one once more.
  const second = await ask(server, { path });
  expect([second.status, second.headers["set-cookie"]]).toEqual([403, undefined]);
  const again = await ask(server, { path, headers: { Cookie: cookie.split(";")[0] } });
  expect([again.status, again.headers["location"]]).toEqual([303, "/"]);
});

test("only who has the token gets a link, and only by the right name of this machine", async () => {
  const server = await started();
  const { cookie } = await opened(server);
  const open: AskOptions = { method: "POST", path: "/api/open", body: "{}" };
  const own = { Cookie: cookie, "Sec-Fetch-Site": "same-origin", Origin: server.url };
  expect(code(await ask(server, { ...open, headers: { "X-Moth-Token": undefined, ...own } }))).toBe("TOKEN");
  expect(code(await ask(server, { ...open, headers: { Host: "evil.example" } }))).toBe("HOST");
  const { body } = await ask(server, { ...open, headers: { Host: `localhost:${server.port}` } });
  expect(body).toContain(`http://localhost:${server.port}/open?key=`);
});

test.each<[string, string, string, number]>([
  ["GET", "/api/sessions", "", 200],
  ["GET", "/api/log", "", 200],
  ["POST", "/api/chat", `{"text":"hello"}`, 200],
  ["POST", "/api/reset", "{}", 200],
  // A display never posts turns.
  ["POST", "/api/agent", `{"text":"Done.","source":"pi"}`, 401],
  ["POST", "/api/state", `{"state":"idle","source":"pi"}`, 401],
])("the page's cookie: %s %s %s gives %i", async (method, path, body, expected) => {
  const server = await started();
  const { cookie } = await opened(server);
  const headers = { "X-Moth-Token": undefined, Cookie: cookie, "Sec-Fetch-Site": "same-origin" };
  expect((await ask(server, { method, path, body, headers })).status).toBe(expected);
});

test("the folder a session runs in is for whoever has the token: neither the page, nor the log, nor moth's lines tell it", async () => {
  const server = await started();
  const { cookie } = await opened(server);
  const where = { source: "pi", session: "s1", label: "app", cwd: "/home/ada/app" };
  await ask(server, { method: "POST", path: "/api/state", body: JSON.stringify({ ...where, state: "working" }) });
  await ask(server, { method: "POST", path: "/api/agent", body: JSON.stringify({ ...where, text: "Done." }) });
  expect((await ask(server, { path: "/api/sessions" })).body).toContain(`"cwd":"/home/ada/app"`);
  const page = { "X-Moth-Token": undefined, Cookie: cookie, "Sec-Fetch-Site": "same-origin" };
  const told = await Promise.all([
    ask(server, { path: "/api/sessions", headers: page }),
    ask(server, { path: "/api/log?since=0&wait=2" }),
    ask(server, { path: "/api/says" }),
  ]);
  expect(told.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(told.map(({ body }) => body).join("\n")).not.toContain("/home/ada");
});

// Browsers send a cookie to all ports of its host, and with what pages from any of these ports ask.
test.each<[string, Record<string, string>]>([
  ["no browser's word who asks", {}],
  ["a page of another port", { "Sec-Fetch-Site": "same-site" }],
  ["a page of another port that names itself", { Origin: "http://127.0.0.1:3000" }],
  ["another site", { "Sec-Fetch-Site": "cross-site" }],
  ["an address typed in", { "Sec-Fetch-Site": "none" }],
  ["two words that differ", { "Sec-Fetch-Site": "same-site", Origin: "own" }],
  ["two words that differ the other way", { "Sec-Fetch-Site": "same-origin", Origin: "http://127.0.0.1:3000" }],
])("the cookie with %s is not taken", async (_who, more) => {
  const server = await started();
  const { cookie } = await opened(server);
  const headers = { "X-Moth-Token": undefined, Cookie: cookie, ...more };
  if (headers["Origin" as never] === "own") Object.assign(headers, { Origin: server.url });
  const answer = await ask(server, { path: "/api/log", headers });
  expect([answer.status, code(answer)]).toEqual([401, "TOKEN"]);
  const post = await ask(server, { method: "POST", path: "/api/chat", body: `{"text":"x"}`, headers });
  expect([post.status, code(post)]).toEqual([401, "TOKEN"]);
});

test("an older browser, which names only the page a post comes from, may post", async () => {
  const server = await started();
  const { cookie } = await opened(server);
  const headers = { "X-Moth-Token": undefined, Cookie: cookie, Origin: server.url };
  expect((await ask(server, { method: "POST", path: "/api/chat", body: `{"text":"x"}`, headers })).status).toBe(200);
});

test("after a restart the cookie opens nothing", async () => {
  const server = await started();
  const { cookie } = await opened(server);
  await server.stop();
  const next = await started({ port: server.port });
  const headers = { "X-Moth-Token": undefined, Cookie: cookie, "Sec-Fetch-Site": "same-origin" };
  expect((await ask(next, { path: "/api/log", headers })).status).toBe(401);
});

test("neither key nor cookie is ever written out", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => (written.mockRestore(), out.mockRestore()));
  const server = await started();
  const { cookie, link } = await opened(server);
  await ask(server, { path: link });
  const all = [...written.mock.calls, ...out.mock.calls].flat().map(String).join("");
  expect(all).not.toContain(cookie.split("=")[1]);
  expect(all).not.toContain(link.split("=")[1]);
});
