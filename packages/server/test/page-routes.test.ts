import { expect, onTestFinished, test, vi } from "vitest";
import { ROUTES } from "../src/routes.ts";
import { ask, type AskOptions, enterBy, OWN_PAGE, type RawAnswer, started } from "./support.ts";

type Server = Awaited<ReturnType<typeof started>>;
type Headers = NonNullable<AskOptions["headers"]>;

async function linkOf(server: Server): Promise<string> {
  const { body } = await ask(server, { method: "POST", path: "/api/open", body: "{}" });
  return (JSON.parse(body) as { url: string }).url;
}

const pageKeyIn = ({ body }: RawAnswer): string => (JSON.parse(body) as { pageKey: string }).pageKey;

/** A browser that came by the link of `moth open`. `page`: what its page asks with. */
async function opened(server: Server): Promise<{ cookie: string; pageKey: string; link: string; page: Headers }> {
  const link = await linkOf(server);
  const entered = await enterBy(server, link);
  const [cookie, pageKey] = [entered.headers["set-cookie"]!.split(";")[0]!, pageKeyIn(entered)];
  return { cookie, pageKey, link, page: { ...OWN_PAGE, Cookie: cookie, "X-Moth-Page": pageKey } };
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
  const key = link.searchParams.get("key")!;
  // Whoever looks where it leads, and a browser that loads ahead, is given the page without a secret, and uses nothing up.
  for (let count = 0; count < 2; count++) {
    const page = await ask(server, { path: link.pathname + link.search, headers: { "X-Moth-Token": undefined } });
    expect([page.status, page.headers["referrer-policy"], page.headers["set-cookie"]]).toEqual([200, "no-referrer", undefined]);
    expect(page.body).not.toContain(key);
  }
  const first = await enterBy(server, link.href);
  expect([first.status, first.headers["cache-control"], first.headers["access-control-allow-origin"]]).toEqual([
    200,
    "no-store",
    undefined,
  ]);
  const cookie = first.headers["set-cookie"]!;
  expect(cookie).not.toContain(pageKeyIn(first));
  for (const given of [cookie, first.body]) expect(given).not.toContain(server.token);
  // Another browser, and then the same one once more.
  for (const headers of [{}, { Cookie: cookie.split(";")[0], "X-Moth-Page": pageKeyIn(first) }]) {
    const second = await enterBy(server, link.href, headers);
    expect([second.status, code(second), second.headers["set-cookie"]]).toEqual([403, "LINK", undefined]);
  }
});

test.each<[string, Headers, string]>([
  ["no browser", { "Sec-Fetch-Site": undefined }, "ORIGIN"],
  ["a page of another port", { "Sec-Fetch-Site": "same-site", Origin: "http://127.0.0.1:3000" }, "ORIGIN"],
  ["a page of another site", { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }, "ORIGIN"],
  ["a link typed in", { "Sec-Fetch-Site": "none" }, "ORIGIN"],
  ["a form", { "Content-Type": "text/plain" }, "CONTENT_TYPE"],
])("%s swaps no link, and uses none up", async (_who, headers, expected) => {
  const server = await started();
  const link = await linkOf(server);
  expect(code(await enterBy(server, link, headers))).toBe(expected);
  expect((await enterBy(server, link)).status).toBe(200);
});

test("only who has the token gets a link, and only by the right name of this machine", async () => {
  const server = await started();
  const { page } = await opened(server);
  const open: AskOptions = { method: "POST", path: "/api/open", body: "{}" };
  expect(code(await ask(server, { ...open, headers: { ...page, Origin: server.url } }))).toBe("TOKEN");
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
])("the page: %s %s %s gives %i", async (method, path, body, expected) => {
  const server = await started();
  const { page: headers } = await opened(server);
  expect((await ask(server, { method, path, body, headers })).status).toBe(expected);
});

test("the cookie without its key is refused on every route that the page may ask, and so is the key without its cookie", async () => {
  const server = await started();
  const [{ page }, { page: other }] = [await opened(server), await opened(server)];
  const value = page["Cookie"]!.split("=")[1]!;
  const wrong: Headers[] = [
    { "X-Moth-Page": undefined },
    ...["", "x", value, page["Cookie"]!, other["X-Moth-Page"]!, server.token].map((key) => ({ "X-Moth-Page": key })),
    ...[undefined, "", other["Cookie"], `moth-${server.port}=${page["X-Moth-Page"]}`].map((Cookie) => ({ Cookie })),
  ];
  const asked = Object.entries(ROUTES).filter(([, { needs }]) => needs === "page");
  expect(asked.length).toBeGreaterThan(8);
  for (const [path, { method }] of asked)
    for (const more of wrong) {
      const given = await ask(server, { method, path, body: method === "POST" ? "{}" : "", headers: { ...page, ...more } });
      expect([path, more, given.status, code(given)]).toEqual([path, more, 401, "TOKEN"]);
    }
  for (const headers of [page, other]) expect((await ask(server, { path: "/api/log", headers })).status).toBe(200);
  // Behind the `?` it is nothing.
  const headers = { ...page, "X-Moth-Page": undefined };
  const path = `/api/log?X-Moth-Page=${page["X-Moth-Page"]}&key=${page["X-Moth-Page"]}`;
  expect((await ask(server, { path, headers })).status).toBe(401);
});

test("no page of another port may send the page's key, not even one that it knows", async () => {
  const server = await started();
  const headers = {
    Origin: "http://127.0.0.1:3000",
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "x-moth-page",
  };
  const { status, headers: answered } = await ask(server, { method: "OPTIONS", path: "/api/log", headers });
  expect(status).toBe(204);
  expect(answered["access-control-allow-headers"]!.toLowerCase()).not.toContain("x-moth-page");
  expect(answered["access-control-allow-credentials"]).toBeUndefined();
});

test("a browser that comes by another link goes on in all its tabs", async () => {
  const server = await started();
  const { page, cookie } = await opened(server);
  const again = await enterBy(server, await linkOf(server), { Cookie: cookie });
  expect([again.status, again.headers["set-cookie"]]).toEqual([200, undefined]);
  for (const key of [page["X-Moth-Page"], pageKeyIn(again)]) {
    const headers = { ...page, "X-Moth-Page": key };
    expect((await ask(server, { path: "/api/log", headers })).status).toBe(200);
  }
});

test("the folder a session runs in is for whoever has the token: neither the page, nor the log, nor moth's lines tell it", async () => {
  const server = await started();
  const { page } = await opened(server);
  const where = { source: "pi", session: "s1", label: "app", cwd: "/home/ada/app" };
  await ask(server, { method: "POST", path: "/api/state", body: JSON.stringify({ ...where, state: "working" }) });
  await ask(server, { method: "POST", path: "/api/agent", body: JSON.stringify({ ...where, text: "Done." }) });
  expect((await ask(server, { path: "/api/sessions" })).body).toContain(`"cwd":"/home/ada/app"`);
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
])("cookie and key with %s are not taken", async (_who, more) => {
  const server = await started();
  const { page } = await opened(server);
  const headers: Headers = { ...page, "Sec-Fetch-Site": undefined, ...more };
  if (more["Origin"] === "own") headers["Origin"] = server.url;
  const answer = await ask(server, { path: "/api/log", headers });
  expect([answer.status, code(answer)]).toEqual([401, "TOKEN"]);
  const post = await ask(server, { method: "POST", path: "/api/chat", body: `{"text":"x"}`, headers });
  expect([post.status, code(post)]).toEqual([401, "TOKEN"]);
});

test("an older browser, which names only the page a post comes from, may post", async () => {
  const server = await started();
  const { page } = await opened(server);
  const headers = { ...page, "Sec-Fetch-Site": undefined, Origin: server.url };
  expect((await ask(server, { method: "POST", path: "/api/chat", body: `{"text":"x"}`, headers })).status).toBe(200);
});

test("after a restart neither link nor cookie and key open anything", async () => {
  const server = await started();
  const { page } = await opened(server);
  const link = await linkOf(server);
  await server.stop();
  const next = await started({ port: server.port });
  expect((await ask(next, { path: "/api/log", headers: page })).status).toBe(401);
  expect(code(await enterBy(next, link))).toBe("LINK");
});

test("neither a key nor the cookie is ever written out", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => (written.mockRestore(), out.mockRestore()));
  const server = await started();
  const { cookie, link, pageKey, page } = await opened(server);
  await ask(server, { path: link.slice(server.url.length) });
  await ask(server, { path: "/api/log", headers: page });
  const all = [...written.mock.calls, ...out.mock.calls].flat().map(String).join("");
  for (const secret of [cookie.split("=")[1], link.split("=")[1], pageKey]) expect(all).not.toContain(secret);
});
