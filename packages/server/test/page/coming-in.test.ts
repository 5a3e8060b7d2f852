/** Who is in stays in, and nobody else comes in: tabs, browsers, restarts of the browser, names of this machine. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import type { RunningServer } from "../../src/server.ts";
import { ask, enterBy, post, started } from "../support.ts";
import { enter, hasChromium, link, useBrowser } from "./chromium.ts";
import { findChromium } from "./find-chromium.ts";

const { newPage } = useBrowser();

async function withSecret(): Promise<RunningServer> {
  const server = await started();
  await post(server, "/api/agent", { source: "pi", session: "s", label: "api", text: "A secret." });
  return server;
}

const isIn = (page: Page): Promise<void> => page.getByText("A secret.").first().waitFor();

async function isLocked(page: Page): Promise<void> {
  await page.getByText("This page goes on by itself when you have.").waitFor();
  expect(await page.locator("body").innerText()).not.toContain("A secret.");
}

/** The page is live: what comes now shows. */
async function hears(page: Page, server: RunningServer, text: string): Promise<void> {
  await post(server, "/api/agent", { source: "pi", session: "s", label: "api", text });
  await page.getByText(text).first().waitFor();
}

const keyOf = (page: Page): Promise<string | null> => page.evaluate("localStorage.getItem('moth-page-key')");

/** A browser that keeps what browsers keep on the disk, and forgets the rest, once it is closed. */
async function restartable(): Promise<() => Promise<{ page: Page; context: BrowserContext }>> {
  const profile = mkdtempSync(join(tmpdir(), "moth-profile-"));
  onTestFinished(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  return async () => {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: findChromium()!,
      chromiumSandbox: process.getuid?.() !== 0,
    });
    onTestFinished(() => context.close());
    return { context, page: context.pages()[0] ?? (await context.newPage()) };
  };
}

test.skipIf(!hasChromium)(
  "a reload, another tab and the link once more in the same browser go on; no key stands in any address",
  async () => {
    const server = await withSecret();
    const page = await newPage();
    const asked: string[] = [];
    page.context().on("request", (request) => asked.push(request.url(), request.headers()["referer"] ?? ""));
    const url = await link(server);
    await page.goto(url);
    await isIn(page);
    await page.reload();
    await isIn(page);
    const tab = await page.context().newPage();
    await tab.goto(server.url);
    await isIn(tab);
    await tab.goto(url);
    await isIn(tab);
    for (const one of [page, tab]) await hears(one, server, `Heard by ${String(one === page)}.`);
    const stored = await page.evaluate<string[]>("Object.values(localStorage)");
    expect(stored).toHaveLength(1);
    expect(asked.filter((address) => address.includes(stored[0]!))).toEqual([]);
    expect(asked.filter((address) => address.includes(url.split("=")[1]!))).toEqual([url, url]);
  },
);

test.skipIf(!hasChromium)("two browsers are in by two links, and a third has neither's", async () => {
  const server = await withSecret();
  const [one, two, three] = [await newPage(), await newPage(), await newPage()];
  await enter(one, server);
  await enter(two, server);
  await three.goto(server.url);
  await isLocked(three);
  // Not with the first one's cookie either, nor with its key alone.
  await three.context().addCookies(await one.context().cookies());
  await three.reload();
  await isLocked(three);
  await three.context().clearCookies();
  const key = await keyOf(one);
  expect(key).not.toBe(await keyOf(two));
  await three.evaluate(`localStorage.setItem("moth-page-key", ${JSON.stringify(key)})`);
  await three.reload();
  await isLocked(three);
  for (const page of [one, two]) await hears(page, server, `Heard by ${String(page === one)}.`);
});

test.skipIf(!hasChromium)(
  "a browser that was started anew has the key still, but no cookie: it is locked, until it comes by a link",
  async () => {
    const server = await withSecret();
    const start = await restartable();
    const first = await start();
    await enter(first.page, server);
    await isIn(first.page);
    await first.context.close();
    const { page, context } = await start();
    await page.goto(server.url);
    await isLocked(page);
    expect(await page.evaluate<number>("localStorage.length")).toBe(1);
    await enter(await context.newPage(), server);
    await isIn(page);
  },
);

test.skipIf(!hasChromium)(
  "where the browser stores nothing, each tab that came by a link goes on until it is loaded anew",
  async () => {
    const server = await withSecret();
    const page = await newPage();
    await page
      .context()
      .addInitScript(`Object.defineProperty(window, "localStorage", { get() { throw new Error("refused"); } })`);
    await enter(page, server);
    await isIn(page);
    const tab = await page.context().newPage();
    await enter(tab, server);
    for (const one of [page, tab]) await hears(one, server, `Heard by ${String(one === page)}.`);
    await tab.reload();
    await isLocked(tab);
    expect(tab.url()).toBe(`${server.url}/`);
  },
);

test.skipIf(!hasChromium)("localhost and 127.0.0.1 are two to a browser: one is opened, the other is not", async () => {
  const server = await withSecret();
  const page = await newPage();
  await enter(page, server);
  const host = `localhost:${server.port}`;
  const other = await page.context().newPage();
  await other.goto(`http://${host}/`);
  // It does not say that it goes on by itself: the link that is printed opens the other one.
  await other.getByText(`The link opens http://127.0.0.1:${server.port}/: go on there.`).waitFor();
  const locked = await other.locator("body").innerText();
  expect(locked).not.toContain("A secret.");
  expect(locked).not.toContain("goes on by itself");
  const { body } = await ask(server, { method: "POST", path: "/api/open", body: "{}", headers: { Host: host } });
  const tab = await page.context().newPage();
  await tab.goto((JSON.parse(body) as { url: string }).url);
  await isIn(tab);
  await isIn(other);
  expect(await keyOf(other)).not.toBe(await keyOf(page));
  await hears(page, server, "Heard there too.");
});

test.skipIf(!hasChromium)(
  "an open page that is not known any more, after 32 other browsers, is locked, and goes on once it is opened anew",
  async () => {
    const server = await withSecret();
    const page = await newPage();
    await enter(page, server);
    await isIn(page);
    for (let count = 0; count < 32; count++) {
      // oxlint-disable-next-line no-await-in-loop -- no more than 16 links wait at once
      expect((await enterBy(server, await link(server))).status).toBe(200);
    }
    await post(server, "/api/state", { source: "pi", session: "s", label: "api", state: "working" });
    await isLocked(page);
    expect(await page.locator("body").innerText()).toContain("no longer knows this browser");
    await enter(await page.context().newPage(), server);
    await isIn(page);
    await hears(page, server, "Heard again.");
  },
);
