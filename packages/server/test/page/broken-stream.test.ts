import { expect, test, vi } from "vitest";
import { post, started } from "../support.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";

const { newPage } = useBrowser();

/** Lets no stream of events live longer than so many bytes: it ends in good order or breaks, in turn, wherever that is. */
const CUT = `
  const whole = window.fetch;
  window.cuts = 0;
  window.fetch = async (target, options) => {
    const answer = await whole(target, options);
    if (!String(target).startsWith("/api/events")) return answer;
    let left = 700 + 13 * cuts;
    const cut = new TransformStream({
      transform(chunk, control) {
        if (left <= 0) return;
        control.enqueue(chunk.slice(0, left));
        left -= chunk.length;
        if (left > 0) return;
        if (++cuts % 2 === 0) control.terminate();
        else setTimeout(() => control.error(new TypeError("network error")), 20);
      },
    });
    return new Response(answer.body.pipeThrough(cut), answer);
  };`;

test.skipIf(!hasChromium)("a stream that breaks goes on where it broke: nothing is missing, nothing shows twice", async () => {
  const server = await started();
  const turns = (from: number, to: number): Promise<unknown> =>
    Array.from({ length: to - from }, (_, n) => from + n).reduce<Promise<unknown>>(
      (before, n) =>
        before.then(() => post(server, "/api/agent", { source: "pi", session: "s", label: "s", text: `Done, 家 🦋. (${n})` })),
      Promise.resolve(),
    );
  await turns(0, 12);
  const page = await newPage();
  await page.addInitScript(CUT);
  await enter(page, server);
  await page.getByText("(5)").first().waitFor();
  await turns(12, 20);
  const shown = async (): Promise<string[]> =>
    (await page.locator("main > ol > li").allInnerTexts()).flatMap((text) => /家 🦋\. \(\d+\)/.exec(text)?.[0] ?? []);
  const all = Array.from({ length: 20 }, (_, n) => `家 🦋. (${n})`);
  await vi.waitFor(async () => expect(await shown()).toEqual(all), { timeout: 30_000, interval: 200 });
  expect(await page.evaluate<number>("cuts")).toBeGreaterThan(5);
});
