/** Messages to a session, sent on the page: a real browser, a real server, and an adapter that fetches orders as a plugin does. */
import { listenForOrders } from "@moth-companion/core/orders";
import type { Order } from "@moth-companion/core/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { post, started, tempHome } from "../support.ts";
import { violations } from "./axe.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";

const { newPage } = useBrowser();
const PI = { source: "pi", session: "8c1f3f2a", label: "api" };
const OMP = { source: "omp", session: "3f2a91bc", label: "moth-repo" };

test.skipIf(!hasChromium)(
  "the session that was pressed takes a message and can be stopped; the others, and moth, hear nothing",
  async () => {
    const home = tempHome();
    const server = await started({ env: { MOTH_HOME: home, MOTH_ANSWERS: "on" } });
    const env = { MOTH_HOME: home, MOTH_URL: server.url, MOTH_ANSWERS: "on" };
    const orders: Order[] = [];
    let isFull = true;
    const listener = listenForOrders({
      ...PI,
      takes: ["prompt", "abort"],
      env,
      async take(order) {
        if (isFull) return { taken: false, problem: "It is <b>full</b>." };
        orders.push(order);
        await post(server, "/api/state", { ...PI, state: order.do === "abort" ? "idle" : "working" });
        return { taken: true };
      },
    });
    onTestFinished(() => listener.stop());
    for (const who of [PI, OMP]) await post(server, "/api/state", { ...who, state: "idle" });
    listener.look();
    const page = await newPage();
    await enter(page, server);
    await page.getByRole("button", { name: /moth-repo/ }).click();
    expect(await page.getByRole("form").count()).toBe(0);
    await page.getByRole("button", { name: /moth-repo/ }).click();
    await page.getByRole("button", { name: /^api/ }).first().click();

    const field = page.getByRole("textbox", { name: /Your message to pi · api/ });
    await field.fill("and now <i>the</i> docs\n");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Send to pi · api" }).click();
    await page.getByText("It is <b>full</b>.").waitFor();
    isFull = false;
    await field.press("Enter");
    await page.getByText(/pi · api was told: and now <i>the<\/i> docs \(page\) \d/).waitFor();
    expect(await field.inputValue()).toBe("");
    await page.getByRole("button", { name: "End the turn of pi · api" }).click();
    await page.getByText(/pi · api was told to stop \(page\) \d/).waitFor();
    expect(orders).toEqual([{ do: "prompt", text: "and now <i>the</i> docs" }, { do: "abort" }]);
    await vi.waitFor(async () => expect(await page.getByRole("button", { name: /End the turn/ }).count()).toBe(0));
  },
);

test.skipIf(!hasChromium)(
  "what is begun to be written to a session is there again after another one was looked at; what is too long is refused and stays",
  async () => {
    const home = tempHome();
    const server = await started({ env: { MOTH_HOME: home, MOTH_ANSWERS: "on" } });
    const env = { MOTH_HOME: home, MOTH_URL: server.url, MOTH_ANSWERS: "on" };
    const orders: Order[] = [];
    for (const who of [PI, OMP]) {
      // oxlint-disable-next-line no-await-in-loop -- one adapter after the other
      await post(server, "/api/state", { ...who, state: "idle" });
      const listener = listenForOrders({
        ...who,
        takes: ["prompt"],
        env,
        take(order) {
          orders.push(order);
          return Promise.resolve({ taken: true });
        },
      });
      onTestFinished(() => listener.stop());
      listener.look();
    }
    const page = await newPage();
    await enter(page, server);
    const choose = (name: RegExp): Promise<void> => page.getByRole("button", { name }).first().click();
    await choose(/^api/);
    const toPi = page.getByRole("textbox", { name: /Your message to pi · api/ });
    await toPi.fill("a long thought");
    await choose(/^moth-repo/);
    const toOmp = page.getByRole("textbox", { name: /Your message to omp/ });
    expect(await toOmp.inputValue()).toBe("");
    await toOmp.fill("another");
    await choose(/^api/);
    expect(await toPi.inputValue()).toBe("a long thought");
    const long = "x".repeat(70_000);
    await toPi.fill(long);
    await toPi.press("Enter");
    await page.getByText(/more than the 64 KB that moth carries at once/).waitFor();
    expect([await toPi.inputValue(), orders]).toEqual([long, []]);
    await toPi.fill("y".repeat(20_000));
    await toPi.press("Enter");
    await vi.waitFor(() => expect(orders).toEqual([{ do: "prompt", text: "y".repeat(20_000) }]));
    await choose(/^moth-repo/);
    expect(await toOmp.inputValue()).toBe("another");
    await choose(/^api/);
    await expect.poll(() => toPi.inputValue(), { timeout: 10_000 }).toBe("");
  },
);
