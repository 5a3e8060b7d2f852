import { join } from "node:path";
import { expect, it } from "vitest";
import { hasChromium, launch } from "../../../packages/server/test/page/chromium.ts";
import { card } from "../expectations.ts";
import { chosen } from "../scenario.ts";
import { openWorld } from "../world.ts";

const pictures = process.env["MOTH_E2E_PICTURES"];
const dsh = chosen.find(({ harness }) => harness.id === "dsh");

// The rest of the suite does without a browser: see dsh-screen.js. This one looks at the real page, and makes its picture.
it.runIf(pictures && dsh && hasChromium)("dsh's page in a browser shows moth's line above its composer", async () => {
  const world = await openWorld(dsh!.harness, { program: dsh!.program });
  await world.moths("config", "show_in_harness", "on");
  const tui = await world.open();
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(tui.output())?.[0];
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 700 }, locale: "en-US" });
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    await page.goto(address!);
    await page.getByRole("button", { name: "Continue" }).click();
    await tui.submit("[[reply: The schema is at version 12.]]");
    await card(world, "The schema is at version 12.");
    await page.getByText("Ungrouped").click();
    await page.getByText("scripted session").first().click();
    const composer = page.getByPlaceholder("Message the agent");
    const row = page.locator("[data-moth]");
    for (const reply of ["The migration is done.", "Two of 41 tests failed in auth.test.ts."]) {
      await composer.fill(`[[reply: ${reply}]]`);
      await composer.press("Enter");
      const { id } = await card(world, reply);
      const say = await world.moth.event("moth's line", (event) => event.kind === "say" && event.card === id);
      await expect.poll(() => row.allInnerTexts(), { timeout: 20_000 }).toEqual([`moth> ${say.kind === "say" ? say.text : ""}`]);
    }
    await page.screenshot({ path: join(pictures!, "dsh-inside.png"), clip: { x: 280, y: 0, width: 820, height: 700 } });
    await composer.fill("/moth are you awake?");
    await composer.press("Enter");
    const answer = await world.moth.event("moth's answer", (event) => event.kind === "say" && event.chat !== undefined);
    await expect
      .poll(() => row.allInnerTexts(), { timeout: 20_000 })
      .toEqual([`moth> ${answer.kind === "say" ? answer.text : ""}`]);
    for (const { body } of world.model.requests) expect(body).not.toContain("awake");
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
});
