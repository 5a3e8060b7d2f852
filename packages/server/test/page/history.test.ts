import { expect, test } from "vitest";
import { post, started } from "../support.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";

const { newPage } = useBrowser();

test.skipIf(!hasChromium)(
  "what was said before the page came is drawn at once, not read out, and not asked for twice",
  async () => {
    const server = await started();
    const turns = Array.from({ length: 400 }, (_, n) => ({
      source: "pi",
      session: `s${n % 8}`,
      label: `s${n % 8}`,
      text: `Done. (${n})`,
    }));
    for (const turn of turns) {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      await fetch(`${server.url}/api/agent`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Moth-Token": server.token },
        body: JSON.stringify(turn),
      });
    }
    const page = await newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    /** How many cards showed whenever something of the list changed. */
    await page.addInitScript(`
    window.seen = [];
    new MutationObserver(() => {
      const count = document.querySelectorAll("main > ol > li").length;
      if (count > 0) seen.push(document.querySelector("main > ol > li:last-child").textContent);
    }).observe(document, { childList: true, subtree: true });
  `);
    await enter(page, server);
    await page.getByRole("button", { name: "Older (340)" }).waitFor();
    const seen = await page.evaluate<string[]>("seen");
    expect(new Set(seen.map((text) => /\(\d+\)/.exec(text)?.[0]))).toEqual(new Set(["(399)"]));
    expect(await page.locator(".only-read[role=status]").textContent()).toBe("");
    expect(asked.filter((path) => path === "/api/sessions")).toHaveLength(1);
  },
);

test.skipIf(!hasChromium)(
  "of a reply that moth has the beginning of, the page offers that, and says how long the whole is",
  async () => {
    const server = await started();
    const page = await newPage();
    await enter(page, server);
    await post(server, "/api/agent", {
      source: "pi",
      session: "s",
      label: "s",
      text: "A long reply. ".repeat(4000),
      chars: 84_000,
    });
    await page.getByRole("button", { name: /^Show what moth has of it \(\d\d,\d{3} of 84,000 characters\)$/ }).click();
    const rest = page.getByText(/^moth was told the first \d\d,\d{3} of 84,000 characters\. The rest is in its window\.$/);
    await rest.waitFor();
    expect(await page.getByRole("button", { name: /^Show/ }).count()).toBe(0);
  },
);
