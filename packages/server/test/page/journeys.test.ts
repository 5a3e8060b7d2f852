import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionsAnswer } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { get, post, started, tempHome } from "../support.ts";
import { enter, hasChromium, link, useBrowser } from "./chromium.ts";

const { newPage } = useBrowser();

const CLAUDE = { source: "claude-code", session: "3f2a91bc", label: "moth-repo" };
const PI = { source: "pi", session: "8c1f3f2a", label: "api" };

test.skipIf(!hasChromium)("without a link the page says how to open it, and shows nothing", async () => {
  const server = await started();
  await post(server, "/api/agent", { ...CLAUDE, text: "A secret." });
  const page = await newPage();
  await page.goto(server.url);
  await page.getByText("moth open").waitFor();
  const text = await page.locator("body").innerText();
  expect(text).not.toMatch(/secret|moth-repo/);
  // And goes on by itself when the person has opened it elsewhere in this browser.
  const other = await page.context().newPage();
  await enter(other, server);
  await page.getByText("A secret.").first().waitFor();
});

test.skipIf(!hasChromium)("a link opens the page once, and leaves nothing in the address bar", async () => {
  const server = await started();
  const url = await link(server);
  const page = await newPage();
  await page.goto(url);
  await page.getByText("0 agents active").waitFor();
  expect(page.url()).toBe(`${server.url}/`);
  const stranger = await newPage();
  await stranger.goto(url);
  await stranger.getByText("This link has been used, or is older than 60 seconds.").waitFor();
  expect(stranger.url()).toBe(`${server.url}/`);
});

test.skipIf(!hasChromium)("as long as the person is away the page says so, and how to be back", async () => {
  const home = tempHome();
  const settings = join(home, "config.json");
  writeFileSync(settings, '{"answers": true, "away": true}');
  const server = await started({ env: { MOTH_HOME: home } });
  const page = await newPage();
  await enter(page, server);
  await page.getByText("You are away").waitFor();
  expect(await page.getByRole("status").filter({ hasText: "You are away" }).innerText()).toContain("config away off");
  writeFileSync(settings, '{"answers": true}');
  await post(server, "/api/state", { ...PI, state: "working" });
  await page.getByText("You are away").waitFor({ state: "detached" });
});

test.skipIf(!hasChromium)("a card shows as it comes, with moth's line under it", async () => {
  const server = await started();
  const page = await newPage();
  await enter(page, server);
  await post(server, "/api/state", { ...CLAUDE, state: "working" });
  await page.getByRole("button", { name: /moth-repo claude working/ }).waitFor();
  await post(server, "/api/agent", {
    ...CLAUDE,
    text: "**All 12** tests pass.\n\n```ts\nconst a = 1;\n```\n\n3. third\n\n|a|\n|-:|\n|b|",
  });
  const card = page.getByRole("article", { name: /claude · moth-repo said…/ });
  await card.getByText("a done from moth-repo").waitFor();
  expect(await card.locator("strong").innerText()).toBe("All 12");
  expect(await card.locator(".code-keyword").innerText()).toBe("const");
  expect(await card.locator("ol[start='3'] li").innerText()).toBe("third");
  expect(await card.locator("td[align=right]").innerText()).toBe("b");
  await page.getByText("1 agent active").waitFor();
  await page.getByRole("button", { name: /moth-repo new claude idle/ }).waitFor();
});

test.skipIf(!hasChromium)("who waits stands first, and in the title", async () => {
  const server = await started();
  const page = await newPage();
  await enter(page, server);
  await post(server, "/api/state", { ...PI, state: "working" });
  await post(server, "/api/state", { ...CLAUDE, state: "working" });
  const wait = { id: "w", kind: "permission", tool: "Bash", answerable: false };
  await post(server, "/api/state", { ...PI, state: "waiting", wait });
  await vi.waitFor(async () => expect(await page.title()).toBe("(1) moth"), { timeout: 20_000 });
  const first = page.getByRole("navigation", { name: "Sessions" }).getByRole("button").first();
  expect(await first.innerText()).toMatch(/api new\s+pi\s+waits for a permission \(Bash\)/);
  await page.getByText("2 agents active · 1 waits for you").waitFor();
  await page.getByRole("status").getByText("pi · api waits for a permission (Bash)").waitFor({ state: "attached" });
  await post(server, "/api/state", { ...PI, state: "working" });
  await vi.waitFor(async () => expect(await page.title()).toBe("moth"), { timeout: 20_000 });
});

test.skipIf(!hasChromium)("a turn moth let pass is folded to a line, and counted", async () => {
  const server = await started({ batch: { reactEvery: 1000, quietAfter: 0, batchWindow: 0 } });
  const page = await newPage();
  await enter(page, server);
  await post(server, "/api/agent", { ...CLAUDE, text: "Done with the first." });
  await page.getByRole("main").getByText("a done from moth-repo").waitFor();
  await post(server, "/api/agent", { ...PI, text: "Done with the **second**.\n\nAnd more." });
  await page.getByText("· 1 skipped").waitFor();
  const folded = page.locator("details");
  expect(await folded.innerText()).toBe("pi · api said: Done with the second. And more.");
  await folded.locator("summary").click();
  await folded.getByText("skipped: moth had just spoken").waitFor();
  expect(await folded.locator("strong").innerText()).toBe("second");
});

test.skipIf(!hasChromium)("a session is shown alone, with what moth and the person said", async () => {
  const server = await started();
  const page = await newPage();
  await enter(page, server);
  await post(server, "/api/agent", { ...CLAUDE, text: "From the repo." });
  await post(server, "/api/agent", { ...PI, text: "From the api." });
  await post(server, "/api/chat", { text: "hello moth" });
  await page.getByText("From the api.").first().waitFor();
  await page.getByRole("button", { name: /api new pi/ }).click();
  // To choose it is to look at it, for every display.
  await page.getByRole("button", { name: /^api pi/ }).waitFor();
  const { sessions } = await get<SessionsAnswer>(server, "/api/sessions");
  expect(sessions.map(({ label, unread }) => [label, unread])).toEqual([
    ["moth-repo", "finished"],
    ["api", undefined],
  ]);
  await page.getByText("From the repo.").first().waitFor({ state: "detached" });
  expect(await page.getByText("hello moth").count()).toBe(1);
  expect(await page.getByRole("button", { name: /api pi/ }).getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("button", { name: "Show all sessions", exact: true }).last().click();
  await page.getByText("From the repo.").first().waitFor();
});

test.skipIf(!hasChromium)(
  "what the person says to moth shows with its answer; a new chat forgets both, after asking",
  async () => {
    const server = await started();
    const page = await newPage();
    await enter(page, server);
    await page.getByRole("textbox").fill("who is at work?");
    await page.keyboard.press("Enter");
    await page.getByText("0 around").waitFor();
    expect(await page.getByText("who is at work?").count()).toBe(1);
    expect(await page.getByRole("textbox").inputValue()).toBe("");
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    expect(await page.getByText("0 around").count()).toBe(1);
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByRole("button", { name: "Begin anew" }).click();
    await page.getByText("Nothing was said yet.").waitFor();
  },
);

test.skipIf(!hasChromium)(
  "while moth sleeps the page says so and keeps what was not heard; when it is back and opened anew, all goes on",
  async () => {
    const server = await started();
    const page = await newPage();
    await enter(page, server);
    await post(server, "/api/agent", { ...CLAUDE, text: "Before the night." });
    await page.getByText("Before the night.").first().waitFor();
    await page.getByRole("textbox").fill("are you there?");
    await server.stop();
    await page.getByText("moth is asleep.").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("moth is asleep and did not hear you.").waitFor();
    expect(await page.getByRole("textbox").inputValue()).toBe("are you there?");

    const next = await started({ port: server.port });
    await page.getByText("it was started anew").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("Before the night.");
    const other = await page.context().newPage();
    await enter(other, next);
    await page.getByText("0 agents active").waitFor();
    expect(await page.getByRole("textbox").inputValue()).toBe("are you there?");
    await post(next, "/api/agent", { ...CLAUDE, text: "After the night." });
    await page.getByText("After the night.").first().waitFor();
  },
);

test.skipIf(!hasChromium)("everything is done by keyboard alone", async () => {
  const server = await started();
  await post(server, "/api/agent", { ...CLAUDE, text: "From the repo, see [the docs](https://example.com/docs)." });
  await post(server, "/api/agent", { ...PI, text: "From the api." });
  await post(server, "/api/state", { ...PI, state: "working" });
  const page = await newPage();
  await enter(page, server);
  await page.getByText("From the api.").first().waitFor();
  const focused = (): Promise<string> =>
    page.evaluate("document.activeElement.innerText || document.activeElement.ariaLabel || document.activeElement.tagName");
  const order: string[] = [];
  for (let count = 0; count < 7; count++) {
    await page.keyboard.press("Tab");
    order.push((await focused()).replace(/\s+/g, " "));
  }
  expect(order).toEqual([
    "To the field where you talk to moth",
    "New chat",
    expect.stringMatching(/^api pi working/),
    expect.stringMatching(/^moth-repo new claude idle/),
    // What scrolls is reached too, so that the arrow keys scroll it.
    expect.stringMatching(/^What was said/),
    "the docs",
    "Talk to moth. No agent hears it",
  ]);
  await page.keyboard.press("/");
  await page.keyboard.type("hello / moth");
  await page.keyboard.press("Enter");
  await page.getByText("hello / moth").waitFor();
  // moth-repo alone, and back with Escape.
  await page.getByRole("button", { name: /moth-repo new claude/ }).focus();
  await page.keyboard.press("Space");
  await page.getByText("From the api.").first().waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.getByText("From the api.").first().waitFor();
});

test.skipIf(!hasChromium)("of many sessions that are gone the newest show, and the others when asked for", async () => {
  const server = await started();
  for (let n = 0; n < 8; n++) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await post(server, "/api/state", { source: "pi", session: `run-${n}`, label: `run-${n}`, state: "idle" });
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await post(server, "/api/state", { source: "pi", session: `run-${n}`, state: "gone" });
  }
  const page = await newPage();
  await enter(page, server);
  const rows = page.getByRole("navigation", { name: "Sessions" }).getByRole("listitem");
  await page.getByRole("button", { name: "3 more that are gone" }).waitFor();
  expect(await rows.count()).toBe(5);
  await page.getByRole("button", { name: "3 more that are gone" }).click();
  await expect.poll(() => rows.count()).toBe(8);
  // The one that is chosen stays in sight.
  await page.getByRole("button", { name: /^run-0 / }).click();
  await page.getByRole("button", { name: "Fewer that are gone" }).click();
  await expect.poll(() => rows.count()).toBe(6);
});
