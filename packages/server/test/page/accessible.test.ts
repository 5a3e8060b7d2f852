import { expect, test } from "vitest";
import type { Voice } from "../../src/voice/voice.ts";
import { echoVoice, started } from "../support.ts";
import { violations } from "./axe.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";
import { fourSessions } from "./four-sessions.ts";

const { newPage } = useBrowser();

/** Looks something up before it answers. */
const voice: Voice = {
  ...echoVoice,
  chat(text, roster, did) {
    did?.({ text: "cat ../likes.md", error: "There are no folders." });
    return echoVoice.chat(text, roster);
  },
};

const VIEWS = [
  { name: "dark", colorScheme: "dark", viewport: { width: 1100, height: 800 } },
  { name: "light", colorScheme: "light", viewport: { width: 1100, height: 800 } },
  { name: "on a phone", colorScheme: "dark", viewport: { width: 380, height: 780 } },
] as const;

test.skipIf(!hasChromium).for(VIEWS)(
  "$name: axe finds nothing, in any of the page's states",
  async ({ colorScheme, viewport }) => {
    const server = await started({ voice });
    const page = await newPage({ colorScheme, viewport });
    await page.goto(server.url);
    await page.getByText("moth open").waitFor();
    expect(await violations(page)).toEqual([]);

    await enter(page, server);
    expect(await violations(page)).toEqual([]);
    await fourSessions(server);
    await page.getByText("4 agents active · 2 wait for you").waitFor();
    await page.getByRole("article").nth(1).waitFor();
    expect(await violations(page)).toEqual([]);
    // Nothing is wider than the screen, apart from what scrolls by itself.
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);

    await page.getByRole("button", { name: /moth-repo new claude/ }).click();
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByRole("dialog", { name: "Begin a new chat?" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await server.stop();
    await page.getByText("moth is asleep.").waitFor();
    expect(await violations(page)).toEqual([]);
  },
);
