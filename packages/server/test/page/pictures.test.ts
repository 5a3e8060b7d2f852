/** Makes the page's pictures in `docs/pictures`. Only when asked: `MOTH_PICTURES=1 npx vitest run packages/server/test/page/pictures` */
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBuiltinVoice } from "../../src/voice/builtin.ts";
import { get, post, started, tempHome } from "../support.ts";
import { fakeModel, streaming, streamingCalls } from "../voice-model.ts";
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

test.skipIf(!hasChromium || !process.env["MOTH_PICTURES"])("page-home", async () => {
  const note = { name: "write", args: { file: "likes.md", text: "short answers" } };
  const entry = { name: "write", args: { file: "diary.md", text: "the suite is green at last, after three evenings." } };
  const { url } = await fakeModel((response, asked) => {
    const { tools = [] } = asked.body;
    const [call, line] = tools.length === 1 ? [entry, "forty-one bulbs, all lit."] : [note, "noted."];
    (tools.length > 0 ? streamingCalls([call], line) : streaming([line]))(response, asked);
  });
  const server = await started({ voice: undefined, model: { url, model: "small", keyEnv: "", home: true } });
  const page = await newPage({ colorScheme: "dark", viewport: { width: 1000, height: 520 }, locale: "en-GB" });
  await enter(page, server);
  await post(server, "/api/agent", {
    source: "claude-code",
    session: "3f2a91bc",
    label: "moth-repo",
    text: "All **41** tests pass, in 7 files. The clock of the fake server runs now.",
  });
  await page.getByText("forty-one bulbs, all lit.").first().waitFor();
  await post(server, "/api/chat", { text: "i like short answers" });
  await page.getByText("noted.").first().waitFor();
  await page.getByText("1 agent active").waitFor();
  expect(await page.screenshot({ path: join(folder, "page-home.png"), animations: "disabled" })).toBeDefined();
});

test.skipIf(!hasChromium || !process.env["MOTH_PICTURES"])("page-answers", async () => {
  const server = await started({ env: { MOTH_HOME: tempHome(), MOTH_ANSWERS: "on" }, voice: createBuiltinVoice(() => 0.3) });
  const page = await newPage({ colorScheme: "dark", viewport: { width: 1000, height: 760 }, locale: "en-GB" });
  await enter(page, server);
  const asks = async (source: string, label: string, wait: object): Promise<unknown> =>
    await post(server, "/api/state", { source, session: label, label, state: "waiting", wait: { id: "w1", ...wait } });
  await asks("pi", "notes", { kind: "permission", tool: "bash", text: "git push origin main", answerable: true });
  const answered = post(server, "/api/answer", { source: "pi", session: "notes", wait: "w1", choice: "allow", by: "tail" });
  const query = "/api/answers?source=pi&session=notes&wait=w1&for=5";
  const { id } = await get<{ id: string }>(server, query);
  await post(server, "/api/taken", { id, taken: true });
  await answered;
  await post(server, "/api/state", { source: "pi", session: "notes", label: "notes", state: "working" });
  await asks("codex", "api", { kind: "permission", tool: "shell", text: "npm publish --access public", answerable: true });
  const options = ["A clock of their own", "Let the fake clock run"];
  await asks("omp", "moth-repo", { kind: "question", text: "How shall the tests tell the time?", options, answerable: true });
  await asks("claude-code", "web", { kind: "question", answerable: false, why: "It asks several questions at once." });
  await page.getByText("It asks several questions at once.").waitFor();
  await page.getByText("omp · moth-repo asks you").waitFor();
  await page.getByText(/and was told/).waitFor();
  expect(await page.screenshot({ path: join(folder, "page-answers.png"), animations: "disabled" })).toBeDefined();
});
