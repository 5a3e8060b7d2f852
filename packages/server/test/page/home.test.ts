import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { post, started, tempHome } from "../support.ts";
import { type Answering, fakeModel, streaming, streamingCalls } from "../voice-model.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";

const { newPage } = useBrowser();

/** Notes what the person says when it has not yet, writes its diary about a turn, then speaks. */
const model: Answering = (response, asked) => {
  const isDone = asked.body.messages.at(-1)?.role === "tool";
  const isTurn = asked.body.tools?.length === 1;
  const call = isTurn
    ? { name: "write", args: { file: "diary.md", text: "a long day <img src=x onerror=alert(1)>" } }
    : { name: "write", args: { file: "../likes.md", text: "tea" } };
  (isDone || !asked.body.tools ? streaming(["so it is."]) : streamingCalls([call]))(response, asked);
};

test.skipIf(!hasChromium)("what moth did in its home shows as a command, under the card or above its answer", async () => {
  const { url } = await fakeModel(model);
  const root = tempHome();
  const server = await started({
    voice: undefined,
    model: { url, model: "small", keyEnv: "", home: true },
    env: { MOTH_HOME: root },
  });
  const page = await newPage();
  await enter(page, server);
  await post(server, "/api/agent", { source: "pi", session: "s1", label: "api", text: "All tests pass." });
  const card = page.getByRole("article", { name: /api said/ });
  await card.getByText("$ echo 'a long day <img src=x onerror=alert(1)>' >> diary.md").waitFor();
  await card.getByText("so it is.").waitFor();
  expect(await page.locator("img").count()).toBe(0);
  expect(readFileSync(join(root, "home/diary.md"), "utf8")).toContain("a long day");

  await post(server, "/api/chat", { text: "i like tea" });
  await page.getByText("$ echo 'tea' > ../likes.md").waitFor();
  await page.getByText("(A name is letters, digits, - and _ and ends in .md; there are no folders.)").waitFor();
  await page.locator("li", { hasText: "so it is." }).nth(1).waitFor();
  expect(readdirSync(join(root, "home"))).toEqual([".made-by-moth", "diary.md"]);
  const says = await (await fetch(`${server.url}/api/says`)).text();
  expect(says).toContain("so it is.");
  expect(says).not.toMatch(/diary|likes|tea/);
});
