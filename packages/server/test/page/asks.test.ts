/** What agents ask, answered on the page: a real browser, a real server, and an adapter that fetches answers as a plugin does. */
import { type Arrived, awaitAnswer } from "@moth-companion/core/answers";
import type { Wait } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { post, started, tempHome } from "../support.ts";
import { violations } from "./axe.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";

const { newPage } = useBrowser();
const PI = { source: "pi", session: "8c1f3f2a", label: "api" };
const OMP = { source: "omp", session: "3f2a91bc", label: "moth-repo" };

async function asking(...waits: [typeof PI, Wait][]): Promise<{
  page: Awaited<ReturnType<typeof newPage>>;
  server: Awaited<ReturnType<typeof started>>;
  arriving: Promise<Arrived | undefined>[];
}> {
  const home = tempHome();
  const server = await started({ env: { MOTH_HOME: home, MOTH_ANSWERS: "on" } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url, MOTH_ANSWERS: "on" };
  const arriving = waits.map(async ([who, wait]) => {
    await post(server, "/api/state", { ...who, state: "waiting", wait });
    return await awaitAnswer({ ...who, wait: wait.id }, { env, signal: new AbortController().signal });
  });
  const page = await newPage();
  await enter(page, server);
  return { page, server, arriving };
}

test.skipIf(!hasChromium)(
  "a command is allowed by the button that names it, and the dialog goes when the agent works on",
  async () => {
    const wait: Wait = { id: "w1", kind: "permission", tool: "bash", text: "npm publish", answerable: true };
    const { page, server, arriving } = await asking([PI, wait]);
    const ask = page.getByRole("article", { name: "pi · api asks" });
    await ask.getByText("npm publish", { exact: true }).waitFor();
    await ask.getByRole("button", { name: "Allow: npm publish" }).click();
    const answer = await arriving[0];
    expect(answer).toMatchObject({ choice: "allow" });
    expect(await ask.getByRole("button", { name: "Deny it" }).isDisabled()).toBe(true);
    answer?.taken();
    await post(server, "/api/state", { ...PI, state: "working", ended: "w1" });
    await ask.waitFor({ state: "detached" });
  },
);

test.skipIf(!hasChromium)("two sessions ask at once; each gets its own answer, by keyboard alone", async () => {
  const question: Wait = { id: "q", kind: "question", text: "Which colour?", options: ["Red", "Blue"], answerable: true };
  const plan: Wait = { id: "p", kind: "plan", text: "1. Look\n2. Leap", answerable: true };
  const { page, arriving } = await asking([PI, question], [OMP, plan]);
  await page.getByRole("button", { name: "Blue" }).focus();
  await page.keyboard.press("Enter");
  expect(await arriving[0]).toMatchObject({ choice: "Blue" });
  await page.getByRole("textbox", { name: "What omp · moth-repo should plan otherwise" }).fill("look / twice");
  await page.keyboard.press("Enter");
  expect(await arriving[1]).toMatchObject({ choice: "reject", text: "look / twice" });
});

test.skipIf(!hasChromium)("why an answer was not taken stands there, and another can be given", async () => {
  const wait: Wait = { id: "w1", kind: "permission", text: "rm -r build\nIt is needed.", answerable: true };
  const { page, arriving } = await asking([PI, wait]);
  await page.getByRole("button", { name: "Allow what stands above" }).click();
  (await arriving[0])?.refused("It is about to end.");
  await page.getByRole("alert").getByText("It is about to end.").waitFor();
  await vi.waitFor(async () => expect(await page.getByRole("button", { name: "Deny it" }).isEnabled()).toBe(true));
});

test.skipIf(!hasChromium)("what cannot be answered here has no buttons, and an agent's words are words", async () => {
  const text = '<img src=x onerror="alert(1)"> **bold** [x](javascript:alert(1))';
  const { page } = await asking(
    [PI, { id: "w1", kind: "permission", text, answerable: true }],
    [OMP, { id: "w2", kind: "permission", text: "secret", answerable: false, why: "It asks for *several* <b>things</b>." }],
  );
  await page.getByText(text, { exact: true }).waitFor();
  await page
    .getByText("omp · moth-repo waits for a permission in its own window. It asks for *several* <b>things</b>.")
    .waitFor();
  expect(await page.locator(".ask img, .ask a, .ask strong").count()).toBe(0);
  expect(await page.getByRole("article", { name: "omp · moth-repo asks" }).count()).toBe(0);
});

test.skipIf(!hasChromium)(
  "what was answered, by whom and when, is part of the session's history, also for who comes later",
  async () => {
    const question: Wait = { id: "q", kind: "question", text: "Which colour?", answerable: true };
    const permission: Wait = { id: "p", kind: "permission", text: "npm publish", answerable: true };
    const { page, server, arriving } = await asking([PI, question], [OMP, permission]);
    const answers = [
      { ...PI, wait: "q", text: "<b>Teal</b>", by: "tail" },
      { ...OMP, wait: "p", choice: "deny", by: "notification" },
    ];
    const posted = answers.map((answer) => post(server, "/api/answer", answer));
    for (const one of arriving) (await one)?.taken();
    await Promise.all(posted);
    for (const who of [PI, OMP]) await post(server, "/api/state", { ...who, state: "working" });
    const told = page.getByText(/pi · api asked, and was told: <b>Teal<\/b> \(tail\) \d/);
    await told.waitFor();
    const denied = page.getByText(/omp · moth-repo asked for a permission, and was told: deny \(notification\)/);
    await denied.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await told.waitFor();
    await page.getByRole("button", { name: /moth-repo/ }).click();
    await told.waitFor({ state: "detached" });
    await denied.waitFor();
  },
);
