/** moth's row in dsh's page: which line it gets, who else may ask for it, and what the page's part draws. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import { startMoth, story, TOKEN } from "../../core/test/listening-moth.ts";
import { bringCommand } from "../src/command.ts";
import { createLines, type Lines } from "../src/lines.ts";
import type { PagePart, row } from "../src/page/row.ts";
import { servePage } from "../src/page/serve.ts";
import { began, ended, ROOT, said } from "./events.ts";
import { run } from "./harness.ts";

const TURN = [began(), said("Done."), ended("completed")];
const ON = { MOTH_SHOW_IN_HARNESS: "on" };

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Lines of sessions, asked of a moth that says something about each. */
async function lines(): Promise<{ lines: Lines; asked: string[]; turn: (how: "on" | "off") => void }> {
  const asked: string[] = [];
  const url = await listen((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? "", "http://moth");
    if (pathname === "/api/chat") return response.end('{"ok":true,"chat":7,"epoch":"e"}');
    if (pathname === "/api/log")
      return response.end('{"epoch":"e","next":9,"events":[{"kind":"say","chat":7,"text":"Wide awake."}]}');
    asked.push(`${request.headers["x-moth-token"] === TOKEN ? "" : "a stranger: "}${searchParams.get("session")}`);
    // About this one it never says anything.
    if (searchParams.get("session") === "quiet") return undefined;
    const says = [{ text: `About ${searchParams.get("source")} ${searchParams.get("session")}\u001b[31m.`, quote: "Done." }];
    return response.end(JSON.stringify({ epoch: "e", next: 1, says }));
  });
  const home = mkdtempSync(join(tmpdir(), "moth dsh "));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, "token"), TOKEN);
  const turn = (how: string): void => writeFileSync(join(home, "config.json"), JSON.stringify({ show_in_harness: how }));
  const made = createLines("dsh", { MOTH_HOME: home, MOTH_URL: url });
  onTestFinished(() => made.close());
  return { lines: made, asked, turn };
}

test("a session has moth's line about its last turn, clean, and no other session has it", async () => {
  const { lines: all, asked, turn } = await lines();
  turn("on");
  all.drop("s-1");
  all.ended("s-1", Date.now());
  expect(await all.of("s-1")).toEqual({ text: "About dsh s-1.", quote: "Done." });
  expect(await all.of("s-2")).toBeUndefined();
  expect(asked).toEqual(["s-1"]);
});

test("moth is asked nothing until it is turned on, and what was said before never shows", async () => {
  const { lines: all, asked, turn } = await lines();
  all.drop("s-1");
  all.ended("s-1", Date.now());
  turn("on");
  expect(await all.of("s-1")).toBeUndefined();
  expect(asked).toEqual([]);
});

test("a line goes with the next turn, and at once when it is turned off; one that is on its way then does not come", async () => {
  const { lines: all, turn } = await lines();
  turn("on");
  all.ended("s-1", Date.now());
  expect(await all.of("s-1")).toBeDefined();
  all.drop("s-1");
  expect(await all.of("s-1")).toBeUndefined();
  all.ended("s-1", Date.now());
  const line = all.of("s-1");
  turn("off");
  expect(await line).toBeUndefined();
  all.ended("s-1", Date.now());
  turn("on");
  expect(await all.of("s-1")).toBeUndefined();
});

test("what the person says to moth is answered in the row, or, where that is off, in the answer of the command", async () => {
  const { lines: all, turn } = await lines();
  const command = commandOf(all);
  expect(await command("s-1", " are you awake?")).toEqual({ kind: "success", text: "moth> Wide awake." });
  expect(await all.of("s-1")).toBeUndefined();
  turn("on");
  const answer = command("s-1", "are you awake?");
  expect(await all.of("s-1")).toEqual({ text: "Wide awake." });
  expect(await answer).toEqual({ kind: "success" });
  expect(await all.of("s-2")).toBeUndefined();
  expect(await command("s-1", "  ")).toEqual({ kind: "success", text: expect.stringContaining("/moth <text>") as string });
});

test("a moth that is asleep is said to be, in the answer of the command", async () => {
  const answer = await commandOf(createLines("dsh", { MOTH_HOME: tmpdir(), MOTH_URL: "http://127.0.0.1:1" }))("s-1", "hello");
  expect(answer).toEqual({ kind: "error", text: expect.stringContaining("moth up -d") as string });
});

test("whoever waits for a line that no longer comes is not kept waiting", async () => {
  const { lines: all, turn, asked } = await lines();
  turn("on");
  all.ended("quiet", Date.now());
  const line = all.of("quiet");
  await vi.waitFor(() => expect(asked).toEqual(["quiet"]));
  all.drop("quiet");
  expect(await line).toBeUndefined();
});

test("dsh's page gets its row and its line; another page, and what is no page, gets nothing", async () => {
  const routes = new Map<string, RequestListener>();
  let index: ((html: string) => string) | undefined;
  const undone: string[] = [];
  const stop = servePage(
    {
      register({ path, handler }) {
        routes.set(path, handler);
        return () => undone.push(path);
      },
      tapIndex(change) {
        index = change;
        return () => undone.push("index");
      },
    },
    { of: (session) => Promise.resolve(session === ROOT ? { text: "Well done." } : undefined) },
  );
  const url = await listen((request, response) => {
    routes.get(new URL(request.url ?? "", "http://dsh").pathname)?.(request, response);
  });
  const ask = async (path: string, site?: string, method = "GET"): Promise<string> => {
    const answer = await fetch(`${url}${path}`, { method, headers: site === undefined ? {} : { "sec-fetch-site": site } });
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await ask(`/moth/line?session=${ROOT}`, "same-origin")).toBe('200 {"line":{"text":"Well done."}}');
  expect(await ask("/moth/line?session=another", "same-origin")).toBe('200 {"line":null}');
  for (const site of ["cross-site", "same-site", "none", undefined]) {
    expect(await ask(`/moth/line?session=${ROOT}`, site)).toBe("403 ");
    expect(await ask("/moth/row.js", site)).toBe("403 ");
  }
  expect(await ask(`/moth/line?session=${ROOT}`, "same-origin", "POST")).toBe("403 ");

  const entry = '{"id":"@moth-companion/dsh/page","url":"/moth/row.js","rev":"1"';
  expect(index?.("<html><head><title>$&</title></head><body></body></html>")).toContain(`<title>$&</title><script>`);
  expect(index?.("<head></head>")).toContain(`window.__DSH_BOOT__.entries.push(${entry}`);
  expect(index?.("no page")).toBe("no page");
  stop();
  expect(undone.toSorted()).toEqual(["/moth/line", "/moth/row.js", "index"]);
});

test("the built row needs nothing but the page's React: it draws the line of the session that is shown, asked for when a run ends", async () => {
  const script = await builtScript();
  const asked: string[] = [];
  const fetched = (path: string): Promise<{ json: () => unknown }> => {
    asked.push(path);
    return Promise.resolve({ json: () => ({ line: path.endsWith(ROOT) ? { text: "<b>Well</b> done." } : null }) });
  };
  let made: ReturnType<typeof row> | undefined;
  const load = (registration: { factory: typeof row }): void => {
    let at = 0;
    const state: unknown[] = [];
    made = registration.factory(() => ({
      createElement: (type: string, props: { title?: string }, ...children: unknown[]) => [type, ...children],
      useState: (first: unknown) => {
        const here = at++ % 2;
        return [state[here] ?? first, (next: unknown) => (state[here] = next)];
      },
      useEffect: (effect: () => () => void) => void (at++, effect()),
    }));
  };
  runInNewContext(script, { window: { __ModuleLoader__: { load } }, fetch: fetched, AbortController });
  type Draw = Parameters<Parameters<PagePart["apply"]>[0]["slots"]["register"]>[1];
  let draw: Draw | undefined;
  const slots = { inject: (_: string, start: () => unknown) => start(), register: (_: object, one: Draw) => (draw = one) };
  made?.apply({ slots });
  const shown = (sessionId: string): unknown => draw?.({ sessionId, useSession: (of) => of({ running: true }) });

  expect(made?.inject).toEqual(["slots"]);
  expect(shown(ROOT)).toBeNull();
  expect(asked).toEqual([`/moth/line?session=${ROOT}`]);
  await vi.waitFor(() => expect(shown(ROOT)).toEqual(["div", "moth> <b>Well</b> done."]));
  expect(shown("another")).toBeNull();
});

test("in a dsh with a page it takes two paths, the index and a command, and gives them back; in one without, nothing, and asks moth nothing", async () => {
  const moth = await startMoth();
  const ran = await run([...TURN, { wait: 300 }], moth.url, { page: true, env: ON });
  expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "", threw: 0, returned: 0, late: 0, left: [] });
  expect(ran.taken).toEqual(["/moth/row.js", "/moth/line", "index", "/moth"]);
  expect(story(moth.heard())).toEqual(["working", '"Done."', "gone"]);
  expect(moth.bytes()).toContain(`GET /api/says?source=dsh&session=${ROOT}&after=`);

  const other = await startMoth();
  expect(await run([...TURN, { wait: 300 }], other.url, { env: ON })).toMatchObject({ taken: [], code: 0 });
  const off = await startMoth();
  expect(await run([...TURN, { wait: 300 }], off.url, { page: true })).toMatchObject({ code: 0 });
  expect(`${other.bytes()}${off.bytes()}`).not.toContain("/api/says");
});

/** `/moth` as dsh calls it. */
function commandOf(all: Lines): (session: string, rawInput: string) => Promise<object> {
  let handler: ((call: object) => Promise<object>) | undefined;
  bringCommand({ register: (command) => ((handler = command.handler), () => {}) }, all);
  return async (id, rawInput) => (await handler?.({ agent: { session: { id } }, rawInput })) ?? {};
}

/** The script as the built plugin serves it. */
async function builtScript(): Promise<string> {
  const { apply } = (await import(new URL("../dist/moth.mjs", import.meta.url).href)) as { apply: (host: unknown) => void };
  let handler: RequestListener | undefined;
  const webServer = {
    register: (route: { path: string; handler: RequestListener }) => {
      if (route.path.endsWith(".js")) handler = route.handler;
    },
    tapIndex: () => {},
  };
  const host = { on: () => {}, effect: (start: () => unknown) => start(), webServer };
  apply({ ...host, inject: (services: string[], begin: (there: unknown) => void) => services.length === 1 && begin(host) });
  const url = await listen((request, response) => handler?.(request, response));
  return await (await fetch(url, { headers: { "sec-fetch-site": "same-origin" } })).text();
}
