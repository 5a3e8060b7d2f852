/** The half for Hermes Desktop, in a real browser with a real moth: a stand-in for the app, loading the plugin as the app does. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { hasChromium, useBrowser } from "../../server/test/page/chromium.ts";
import { post, started } from "../../server/test/support.ts";

const PLUGIN = join(import.meta.dirname, "..", "plugin", "desktop", "plugin.js");
const source = readFileSync(PLUGIN, "utf8");
const { newPage } = useBrowser();

/** The app: the modules a plugin may import, a session in front, a status bar, a pet, and an off switch. */
const APP = `
const listeners = new Set();
let front = null;
window.app = { said: [], parts: [], disposers: [], timers: new Set(), open: (id) => (front = id) };
const sdk = "export const host = { state: { focusedStoredSessionId: { get: () => window.app.front() } } };";
const react = "export const useState = (first) => [window.app.state ??= first, (next) => (window.app.state = next)];" +
  "export const useEffect = (effect) => { window.app.listening ||= (effect(), true); };";
const jsx = "export const jsx = (type, props) => typeof type === 'function' ? type(props) : { type, ...props };";
window.app.front = () => front;
const { setInterval: start, clearInterval: stop } = window;
window.setInterval = (act, ms) => { const timer = start(act, ms); window.app.timers.add(timer); return timer; };
window.clearInterval = (timer) => { window.app.timers.delete(timer); stop(timer); };
const asModule = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
window.app.load = async (text) => {
  const modules = { "@hermes/plugin-sdk": sdk, react, "react/jsx-runtime": jsx };
  const own = text.replace(/from "([^"]+)"/g, (_, name) => 'from "' + asModule(modules[name]) + '"');
  const { default: plugin } = await import(asModule(own));
  const pet = { say: (line, options) => window.app.said.push([line, options.id, options.ttlMs]) };
  plugin.register({
    pet: window.app.petless ? undefined : pet,
    register: (part) => window.app.parts.push(part),
    onDispose: (dispose) => window.app.disposers.push(dispose),
  });
  return { id: plugin.id, defaultEnabled: plugin.defaultEnabled };
};
window.app.bar = () => window.app.parts.map((part) => part.area + ": " + (part.render()?.children ?? "")).join();
`;

interface App {
  bar(): string;
  said: [string, string, number][];
  open(session: string | null): void;
  load(text: string): Promise<object>;
  disposers: (() => void)[];
  timers: Set<number>;
}
declare const window: { app: App; fetch: typeof fetch };

/** Opens the app on `file://` with the plugin in it, which asks this moth and does so ten times as often. */
async function desktop(url: string) {
  const folder = mkdtempSync(join(tmpdir(), "moth desktop "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "index.html");
  writeFileSync(file, `<!doctype html><script>${APP}</script>`);
  const page = await newPage();
  await page.goto(pathToFileURL(file).href);
  const asks: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(url)) asks.push(`${request.method()} ${request.url().slice(url.length)}`);
  });
  const plugin = source.replace("http://127.0.0.1:4747", url).replace("EVERY_MS = 2500", "EVERY_MS = 250");
  expect(plugin).toContain(url);
  const about = await page.evaluate((text) => window.app.load(text), plugin);
  return {
    about,
    asks: () => asks,
    bar: () => page.evaluate(() => window.app.bar()),
    said: () => page.evaluate(() => window.app.said),
    open: (session: string) => page.evaluate((id) => window.app.open(id), session),
    timers: () => page.evaluate(() => window.app.timers.size),
    off: () => page.evaluate(() => window.app.disposers.forEach((dispose) => dispose())),
  };
}

test("it keeps to what Hermes lets a desktop plugin do", () => {
  const code = source.replaceAll(/^\s*\/\/.*$|\/\*\*.*?\*\//gm, "");
  const imports = [...code.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)/g)].map(([, name = ""]) => name);
  expect(imports.toSorted((a, b) => a.localeCompare(b))).toEqual(["@hermes/plugin-sdk", "react", "react/jsx-runtime"]);
  expect(code).not.toMatch(
    /\bimport\s*\(|\beval\b|\bFunction\b|prototype|__proto__|setPrototypeOf|defineProperty|<script|innerHTML|hermesDesktop/,
  );
  expect(code.match(/https?:[^"`]*/g)).toEqual(["http://127.0.0.1:4747"]);
});

test.skipIf(!hasChromium)("it shows moth's line about the session in front, and no other session's or harness's", async () => {
  const moth = await started();
  const mine = { source: "hermes", session: "20261130_051048_357b6a", label: "repo" };
  await post(moth, "/api/agent", { ...mine, text: "Done before it was switched on." });
  const app = await desktop(moth.url);
  expect(app.about).toEqual({ id: "moth", defaultEnabled: false });
  await app.open(mine.session);
  await expect.poll(() => app.asks().length).toBeGreaterThan(2);
  expect(await app.bar()).toBe("statusBar.right: ");

  await post(moth, "/api/agent", { ...mine, session: "20261130_051048_other1", text: "Another conversation." });
  await post(moth, "/api/agent", { ...mine, source: "pi", text: "Another harness." });
  await post(moth, "/api/agent", { ...mine, text: "Which of the two is it?" });
  await expect.poll(app.bar, { timeout: 10_000 }).toBe("statusBar.right: moth> a question from your session");
  expect(await app.said()).toEqual([["a question from your session", "line", 30_000]]);
  expect(app.asks().every((ask) => ask.startsWith(`GET /api/says?source=hermes&session=${mine.session}&after=`))).toBe(true);

  // Another one in front has a line of its own, which has had its time in the bubble.
  await app.open("20261130_051048_other1");
  await expect.poll(app.bar, { timeout: 10_000 }).toBe("statusBar.right: moth> a done from your session");
  await app.open("20261130_051048_other2");
  await expect.poll(app.bar, { timeout: 10_000 }).toBe("statusBar.right: ");
  expect(await app.said()).toHaveLength(1);

  expect(await app.timers()).toBe(1);
  await app.off();
  expect(await app.timers()).toBe(0);
});

test.skipIf(!hasChromium)("a moth that is asleep shows nothing, and is heard again when it wakes", async () => {
  const moth = await started();
  const mine = { source: "hermes", session: "s-1", label: "repo" };
  const app = await desktop(moth.url);
  await app.open("s-1");
  await expect.poll(() => app.asks().length).toBeGreaterThan(1);
  await post(moth, "/api/agent", { ...mine, text: "Done." });
  await expect.poll(app.bar, { timeout: 10_000 }).toBe("statusBar.right: moth> a done from your session");
  const port = Number(new URL(moth.url).port);
  await moth.stop();
  await expect.poll(app.bar, { timeout: 10_000 }).toBe("statusBar.right: ");
  const again = await started({ port });
  await post(again, "/api/agent", { ...mine, text: "What now?" });
  await expect.poll(app.bar, { timeout: 10_000 }).toBe("statusBar.right: moth> a question from your session");
});
