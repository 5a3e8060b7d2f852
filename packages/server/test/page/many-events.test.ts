import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import type { RunningServer } from "../../src/server.ts";
import { get, started } from "../support.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";
import { type Busy, busiest } from "./main-thread.ts";

const { newPage } = useBrowser();

const REPLY =
  "I ran **all** the tests, see `auth.test.ts`:\n\n```ts\nconst until = clock.now() + 1; // good\n```\n\n- one\n- two\n\nShall I go on?";

/** One turn of a session: begun, and done. Four events: working, idle, the card, moth's line. */
async function turn(server: RunningServer, session: string, text: string): Promise<void> {
  const send = (path: string, body: object): Promise<Response> =>
    fetch(server.url + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Moth-Token": server.token },
      body: JSON.stringify({ source: "pi", session, label: session, ...body }),
    });
  await send("/api/state", { state: "working" });
  await send("/api/agent", { text });
}

/** How many events there were. */
async function next(server: RunningServer): Promise<number> {
  return (await get<{ next: number }>(server, "/api/log?since=999999999")).next;
}

/** @param turns of which each gives four events */
async function manyTurns(server: RunningServer, turns: number): Promise<void> {
  let next = 0;
  const worker = async (session: string): Promise<void> => {
    while (next < turns) await turn(server, session, `${REPLY} (${next++})`);
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => worker(`agent-${index}`)));
}

/** How busy the page is while 50 events a second arrive for `ms`. */
async function underEvents(page: Page, server: RunningServer, ms: number): Promise<Busy> {
  const timer = setInterval(() => void turn(server, `agent-${Math.floor(Math.random() * 8)}`, `${REPLY} ${Math.random()}`), 80);
  try {
    return await busiest(page, ms);
  } finally {
    clearInterval(timer);
  }
}

test.skipIf(!hasChromium)(
  "after 10,000 events the page is small, follows without a hitch, and goes back as far as one likes",
  { timeout: 240_000 },
  async () => {
    const server = await started();
    const page = await newPage();
    await enter(page, server);
    await manyTurns(server, 2500);
    expect(await next(server)).toBeGreaterThan(9_900);
    const shown = (): Promise<number> => page.locator("main > ol > li").count();
    await page.getByRole("button", { name: "Older (2,440)" }).waitFor({ timeout: 60_000 });
    expect(await shown()).toBe(60);

    const sent = await next(server);
    const { frames, longest } = await underEvents(page, server, 2500);
    expect((await next(server)) - sent).toBeGreaterThan(50);
    expect(frames).toBeGreaterThan(10);
    expect(longest, "milliseconds of work between two frames").toBeLessThan(100);

    // Who reads what was, is left in peace.
    await page.evaluate("document.querySelector('main').scrollTo(0, 0)");
    await page.getByRole("button", { name: /^Older/ }).waitFor();
    const first = (): Promise<string> => page.locator("main > ol > li").first().innerText();
    const news = page.getByRole("button", { name: /new ↓$/ });
    const before = await first();
    await manyTurns(server, 4);
    await news.waitFor();
    expect(await first()).toBe(before);
    for (let count = 0; count < 8; count++) await page.getByRole("button", { name: /^Older/ }).click();
    expect(await shown()).toBeLessThanOrEqual(240);
    expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(12_000);
    await news.click();
    await vi.waitFor(async () => expect(await shown()).toBe(60), { timeout: 10_000 });
    await news.waitFor({ state: "detached" });
  },
);

test.skipIf(!hasChromium)("a page that works for long between two frames is seen to", async () => {
  const page = await newPage();
  await page.goto("data:text/html,<title>busy</title>");
  expect((await busiest(page, 300)).longest).toBeLessThan(100);
  // Work that is counted, not timed: a clock would also count what other programs do.
  await page.evaluate(`setTimeout(() => {
    let sum = 0;
    for (let count = 0; count < 4e8; count++) sum += Math.sqrt(count);
    document.title = String(sum);
  }, 200)`);
  expect((await busiest(page, 400)).longest).toBeGreaterThan(100);
});
