/** Makes the page's pictures in `docs/pictures`. Only when asked: `MOTH_PICTURES=1 npx vitest run packages/server/test/page/pictures` */
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBuiltinVoice } from "../../src/voice/builtin.ts";
import { started } from "../support.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";
import { fourSessions } from "./four-sessions.ts";

const { newPage } = useBrowser();
const folder = join(import.meta.dirname, "../../../../docs/pictures");

test.skipIf(!hasChromium || !process.env["MOTH_PICTURES"]).for([
  { name: "page-dark", colorScheme: "dark", viewport: { width: 1000, height: 900 }, deviceScaleFactor: 1 },
  { name: "page-light", colorScheme: "light", viewport: { width: 1000, height: 900 }, deviceScaleFactor: 1 },
  { name: "page-phone", colorScheme: "dark", viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
] as const)("$name", async ({ name, ...options }) => {
  // The voice that people hear, and dice that always fall the same.
  const server = await started({
    voice: createBuiltinVoice(() => 0.3),
    batch: { reactEvery: 120, quietAfter: 0, batchWindow: 0.2 },
  });
  const page = await newPage({ ...options, locale: "en-GB" });
  await enter(page, server);
  await fourSessions(server);
  await page.getByText("4 agents active · 2 wait for you").waitFor();
  await page
    .getByText(/skipped$/)
    .first()
    .waitFor();
  await page.getByText("who is at work?").waitFor();
  expect(await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" })).toBeDefined();
});
