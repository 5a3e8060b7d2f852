import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessDriver, StartOptions } from "../driver.ts";
import { escape, hand, insist, write } from "../hands.ts";
import { squash } from "../terminal.ts";

const EXTENSION = fileURLToPath(new URL("../../../packages/ext-pi/dist/moth.js", import.meta.url));
const ASKS = fileURLToPath(new URL("pi-asks.js", import.meta.url));
const PERMISSION = "May it run this command?";
const QUESTION = "The model asks:";

/** Pi 1.6.0. What is known of it, and how: `docs/harness/pi.md`. */
export const pi: HarnessDriver = {
  id: "pi",
  program: join("node_modules", ".bin", "pi"),
  startsItsSiblings: true,

  env: () => ({ PI_OFFLINE: "1" }),

  seed({ home, modelUrl }) {
    const agent = join(home, ".pi", "agent");
    mkdirSync(join(agent, "extensions"), { recursive: true });
    // The second one names no session: what a helper asks is not the session's.
    const providers = { fake: provider(modelUrl, { promptCacheKeyMode: "enabled" }), helper: provider(modelUrl, {}) };
    writeFileSync(join(agent, "models.json"), JSON.stringify({ providers }));
    // It sums up short conversations, too, and is quick to give up.
    const settings = { compaction: { keepRecentTokens: 1 }, retry: { maxRetries: 1, baseDelayMs: 50 } };
    writeFileSync(join(agent, "settings.json"), JSON.stringify(settings));
    copyFileSync(ASKS, join(agent, "extensions", "asks.js"));
  },

  oneShot: (prompt, options = {}) => ["-p", "--model", "fake/fake-1", ...continued(options), prompt],
  interactive: (options = {}) => ["--model", "fake/fake-1", ...(options.mode === "ask" ? ["--ask"] : []), ...continued(options)],
  ready,
  shown: (reply) => onItsOwnLine(reply),
  error: "scripted error",
  errors: [400, 529],

  submit: (terminal, prompt) => write(terminal, prompt, { ready, text: composer }),

  interrupt: escape(ready),
  commands: { clear: "/new", compact: "/compact", quit: "/quit" },

  harmless: tool("bash", { command: "echo harmless" }),
  // It has none of its own: extensions start a second Pi, as the model may by itself.
  subagent: (script) => tool("bash", { command: `pi -p --model helper/fake-1 '${script}'` }),
  waitsForSubagent: true,
  permission: {
    tool: "bash",
    shown: PERMISSION,
    script: (file) => tool("bash", { command: `touch ${file}` }),
    allow: hand("\r", PERMISSION, (screen) => /May it run this command\?.*/.exec(screen)?.[0] ?? ""),
    oneByOne: true,
    deny: hand("\x1b", PERMISSION),
    denyWith: async (terminal) => {
      await insist(
        () => terminal.press("down"),
        (within) => terminal.waitForText("→ No, go on without it", within),
      );
      await hand("\r", PERMISSION)(terminal);
    },
    notForSubagents: true,
  },
  question: {
    tool: "ask_person",
    shown: QUESTION,
    script: (question, options) => tool("ask_person", { question, options }),
    answer: hand("\r", QUESTION),
    cancel: hand("\x1b", QUESTION),
  },
  inside: {
    shows: aboveTheEditor,
    talk: (terminal, text) => pi.submit(terminal, `/moth ${text}`),
  },
  answers: {
    door: "its own dialogs, closed by moth's extension",
    permission: true,
    question: true,
    says: { allow: "Yes", deny: "No, go on without it" },
  },
  orders: { door: "what extensions may send", abort: true },
  settings: (home) => join(home, ".pi", "agent", "extensions", "moth.js"),
  handWritten: (home) => ({
    file: join(home, ".pi", "agent", "extensions", "mine.js"),
    text: "export default   function mine() {\r\n\t// mine\r\n}",
  }),
  secondWay: () => ["-e", EXTENSION],
  notApplicable: { plan: "it has no plans to be approved" },
};

export function provider(modelUrl: string, compat: object): object {
  const cost = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
  const model = { id: "fake-1", name: "Fake", reasoning: false, input: ["text"], contextWindow: 200_000, maxTokens: 4096, cost };
  return { baseUrl: `${modelUrl}/v1`, api: "openai-completions", apiKey: "scripted", compat, models: [model] };
}

/** Nothing runs and no dialog is open: the composer has both its lines. */
function ready(screen: string): boolean {
  return rules(screen).length === 2 && ![PERMISSION, QUESTION].some((dialog) => screen.includes(dialog));
}

/** What stands in the composer: between the last two lines that go across. */
function composer(screen: string): string {
  const [top = 0, bottom = 0] = rules(screen);
  return screen.split("\n").slice(top, bottom).join("\n");
}

function rules(screen: string): number[] {
  return screen
    .split("\n")
    .flatMap((line, at) => (/^─{100,}$/.test(line) ? [at] : []))
    .slice(-2);
}

/** A reply stands on lines of its own; in the prompt that asks for it, it has neighbours. */
export function onItsOwnLine(reply: string): RegExp {
  return new RegExp(`^\\s*${reply.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`, "m");
}

/** moth's lines stand there in both harnesses, however they are wrapped. */
export function aboveTheEditor(screen: string, line: string): boolean {
  return squash(screen).includes(squash(`moth> ${line}`));
}

function continued({ resume, fork }: StartOptions): string[] {
  return resume ? [fork ? "--fork" : "--session", resume] : [];
}

export function tool(name: string, input: object): string {
  return `[[tool: ${name} ${JSON.stringify(input)}]]`;
}
