import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import type { RunningServer } from "../../src/server.ts";
import { get, started } from "../support.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";

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

/** @param turns of which each gives four events */
async function manyTurns(server: RunningServer, turns: number): Promise<void> {
  let next = 0;
  const worker = async (session: string): Promise<void> => {
    while (next < turns) await turn(server, session, `${REPLY} (${next++})`);
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => worker(`agent-${index}`)));
}

/** Milliseconds of the longest gap between two frames, while 50 events a second arrive for `ms`. */
async function longestGap(page: Page, server: RunningServer, ms: number): Promise<number> {
  const gap = page.evaluate<number>(`new Promise((resolve) => {
    const end = performance.now() + ${ms};
    let [last, longest] = [performance.now(), 0];
    const frame = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      if (now < end) requestAnimationFrame(frame);
      else resolve(longest);
    };
    requestAnimationFrame(frame);
  })`);
  const timer = setInterval(() => void turn(server, `agent-${Math.floor(Math.random() * 8)}`, `${REPLY} ${Math.random()}`), 80);
  try {
    return await gap;
  } finally {
    clearInterval(timer);
  }
}

test.skipIf(!hasChromium)(
  "after 10,000 events the page is small, follows without a hitch, and goes back as far as one likes",
  { timeout: 90_000 },
  async () => {
    const server = await started();
    const page = await newPage();
    await enter(page, server);
    await manyTurns(server, 2500);
    expect((await get<{ next: number }>(server, "/api/log?since=999999999")).next).toBeGreaterThan(9_900);
    const shown = (): Promise<number> => page.locator("main > ol > li").count();
    await page.getByRole("button", { name: "Older (2,440)" }).waitFor({ timeout: 20_000 });
    expect(await shown()).toBe(60);

    // The machine may be busy with other things: a hitch of the page's own comes every time.
    const gaps: number[] = [];
    for (let tries = 0; tries < 4 && !gaps.some((gap) => gap < 100); tries++) gaps.push(await longestGap(page, server, 2500));
    expect(Math.min(...gaps), `longest gaps between frames: ${gaps.map(Math.round).join(", ")} ms`).toBeLessThan(100);

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
    await vi.waitFor(async () => expect(await shown()).toBe(60));
    await news.waitFor({ state: "detached" });
  },
);
