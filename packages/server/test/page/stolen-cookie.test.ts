/** What a web server on another port gets by the cookie that browsers hand it: it asks from outside a browser, with headers as it likes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { LogAnswer } from "@moth-companion/core/protocol";
import type { RunningServer } from "../../src/server.ts";
import { ask, get, post, type RawAnswer, started } from "../support.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";

const { newPage } = useBrowser();

/** A page there asks its own server again and again, from before moth's page is opened on, and so has each new cookie at once. */
const GREEDY = `<!doctype html><title>other</title><script>
(async () => { for (;;) await fetch("/again").catch(() => undefined); })();
</script>`;

/** Everything that the page of moth may ask, and the way to be let in, as the page would ask it. */
async function attack(moth: RunningServer, Cookie: string): Promise<RawAnswer[]> {
  const own = { "X-Moth-Token": undefined, Cookie, Host: `127.0.0.1:${moth.port}`, Origin: moth.url };
  const forged = { ...own, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", Referer: `${moth.url}/` };
  const value = Cookie.split("=")[1] ?? "";
  const pageKeys = [undefined, "", value, Cookie];
  const reads = ["/api/sessions", "/api/log", "/api/events", "/api/last?source=pi&session=s", "/api/notify"];
  const chat = JSON.stringify({ text: "from a stranger" });
  return Promise.all([
    ...pageKeys.flatMap((key) => [
      ...reads.map((path) => ask(moth, { path, headers: { ...forged, "X-Moth-Page": key } })),
      ask(moth, { method: "POST", path: "/api/chat", body: chat, headers: { ...forged, "X-Moth-Page": key } }),
      ask(moth, { method: "POST", path: "/api/reset", body: "{}", headers: { ...forged, "X-Moth-Page": key } }),
    ]),
    ...["", value, Cookie].map((key) =>
      ask(moth, { method: "POST", path: "/api/enter", body: JSON.stringify({ key }), headers: forged }),
    ),
    ask(moth, { method: "POST", path: "/api/open", body: "{}", headers: forged }),
    ask(moth, { path: `/open?key=${value}`, headers: forged }),
  ]);
}

test.skipIf(!hasChromium)(
  "a server on another port that is handed the cookie reads nothing, says nothing and gets no key, while the page is opened and after",
  async () => {
    const moth = await started();
    await post(moth, "/api/agent", { source: "pi", session: "s", text: "A secret." });
    const answers: RawAnswer[] = [];
    const attacks = new Map<string, Promise<unknown>>();
    const again = (cookie: string): Promise<unknown> => attack(moth, cookie).then((given) => answers.push(...given));
    const server = createServer((request, response) => {
      const { cookie } = request.headers;
      if (cookie !== undefined && !attacks.has(cookie)) attacks.set(cookie, again(cookie));
      response.setHeader("Content-Type", "text/html").end(GREEDY);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => (server.closeAllConnections(), void server.close()));

    const page = await newPage();
    const stranger = await page.context().newPage();
    await stranger.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (const count of [1, 2]) {
      await enter(page, moth);
      await page.getByText("A secret.").first().waitFor();
      // It has it, or this test tries nothing.
      await vi.waitFor(() => expect(attacks.size).toBeGreaterThan(0), { timeout: 20_000 });
      await Promise.all([...attacks.values(), ...[...attacks.keys()].map(again)]);
      expect(answers.length).toBeGreaterThan(30 * count);
    }
    const got = answers.filter(
      ({ status, headers }) => (status < 400 && !headers["content-type"]?.includes("html")) || headers["set-cookie"],
    );
    expect(got).toEqual([]);
    expect(answers.map(({ body }) => body).join("\n")).not.toContain("A secret.");
    // And the page is none the worse for it.
    await page.getByRole("textbox", { name: "Talk to moth" }).fill("still here");
    await page.keyboard.press("Enter");
    await page.getByText("still here").waitFor();
    const { events } = await get<LogAnswer>(moth, "/api/log");
    expect(events.flatMap((event) => (event.kind === "chat" ? [event.text] : []))).toEqual(["still here"]);
  },
);
