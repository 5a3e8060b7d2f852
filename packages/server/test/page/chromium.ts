/** A real browser for the page's tests: Chromium as the system has it. Where there is none, they are skipped and say so. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished, vi } from "vitest";
import type { RunningServer } from "../../src/server.ts";
import { ask } from "../support.ts";
import { findChromium } from "./find-chromium.ts";

export const hasChromium: boolean = findChromium() !== undefined;
if (!hasChromium) {
  process.stderr.write(
    "The page's tests in a browser are skipped: no Chromium here (apt-get install chromium, or MOTH_CHROMIUM).\n",
  );
}

export async function launch(): Promise<Browser> {
  const executablePath = findChromium()!;
  // Chromium's sandbox refuses to work for root.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}

/** One browser for a file's tests, each of which gets a profile of its own. */
export function useBrowser(): { newPage: (options?: Parameters<Browser["newContext"]>[0]) => Promise<Page> } {
  let browser: Browser | undefined;
  // A browser beside other work takes its time. Nothing here is about speed but what is measured in CPU time.
  vi.setConfig({ testTimeout: 90_000 });
  beforeAll(async () => {
    if (hasChromium) browser = await launch();
  }, 60_000);
  afterAll(() => browser?.close());
  return {
    async newPage(options = {}) {
      const context: BrowserContext = await browser!.newContext(options);
      // Shorter than a test may take, so that a failure names what was waited for.
      context.setDefaultTimeout(25_000);
      onTestFinished(() => context.close());
      return context.newPage();
    },
  };
}

/** A link as `moth open` prints it. */
export async function link(server: RunningServer): Promise<string> {
  const { body } = await ask(server, { method: "POST", path: "/api/open", body: "{}" });
  return (JSON.parse(body) as { url: string }).url;
}

/** Goes in by a link and waits until the page is live. */
export async function enter(page: Page, server: RunningServer): Promise<void> {
  await page.goto(await link(server));
  await page.getByRole("heading", { name: "moth", exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Talk to moth" }).waitFor();
}
