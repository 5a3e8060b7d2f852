import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessDriver, StartOptions } from "../driver.ts";
import { escape, hand, write } from "../hands.ts";
import { aboveTheEditor, onItsOwnLine, provider, tool } from "./pi.ts";

const EXTENSION = fileURLToPath(new URL("../../../packages/ext-pi/dist/moth.js", import.meta.url));
const PERMISSION = "Allow tool:";
const QUESTION = "Esc cancel";

/** omp 18.2.3, which began as a copy of Pi. What is known of it, and how: `docs/harness/omp.md`. */
export const omp: HarnessDriver = {
  id: "omp",
  program: join("node_modules", ".bin", "omp"),
  startsItsSiblings: true,

  env: () => ({}),

  seed({ home, modelUrl }) {
    const agent = join(home, ".omp", "agent");
    mkdirSync(agent, { recursive: true });
    const providers = { fake: provider(modelUrl, { supportsPromptCacheKey: true }) };
    writeFileSync(join(agent, "models.json"), JSON.stringify({ providers }));
    // Without what a first start asks, and without tips, which say anything; short conversations are summed up, too.
    const settings = [
      "startup:",
      "  setupWizard: false",
      "  checkUpdate: false",
      "  quiet: true",
      "compaction:",
      "  keepRecentTokens: 1",
      "",
    ];
    writeFileSync(join(agent, "config.yml"), settings.join("\n"));
  },

  oneShot: (prompt, options = {}) => ["-p", "--model", "fake/fake-1", "--no-title", ...continued(options), prompt],
  interactive: (options = {}) => [
    "--model",
    "fake/fake-1",
    "--no-title",
    ...(options.mode === "ask" ? ["--approval-mode", "always-ask"] : []),
    ...continued(options),
  ],
  ready,
  shown: (reply) => onItsOwnLine(reply),
  error: "scripted error",
  // Others it tries again for minutes.
  errors: [400],
  withoutOwnNoise: (run) => ({ ...run, stderr: withoutNoise(run.stderr) }),

  submit: (terminal, prompt) => write(terminal, prompt, { ready, text: composer, insists: true }),

  interrupt: escape(ready),
  commands: { clear: "/new", compact: "/compact", quit: "/exit", fork: "/fork" },

  harmless: tool("bash", { command: "echo harmless" }),
  subagent: (script) => tool("task", { agent: "task", context: "A test", tasks: [{ name: "Helper", task: script }] }),
  endsBeforeSubagent: true,
  permission: {
    tool: "bash",
    shown: PERMISSION,
    script: (file) => tool("bash", { command: `touch ${file}` }),
    allow: hand("\r", PERMISSION, (screen) => /Command: .*/.exec(screen)?.[0] ?? ""),
    oneByOne: true,
    // A denial never ends the turn, and advice cannot be given with it.
    denyWith: (terminal) => hand("\x1b", PERMISSION)(terminal),
    notForSubagents: true,
  },
  question: {
    tool: "ask",
    shown: QUESTION,
    script: (question, options) =>
      tool("ask", { questions: [{ id: "choice", question, options: options.map((label) => ({ label })) }] }),
    answer: hand("\r", QUESTION),
    cancel: hand("\x1b", QUESTION),
  },
  inside: {
    shows: aboveTheEditor,
    talk: (terminal, text) => omp.submit(terminal, `/moth ${text}`),
  },
  answers: { door: "its own dialogs, closed by moth's extension", permission: true, question: true },
  orders: { door: "what extensions may send", abort: true },
  settings: (home) => join(home, ".omp", "agent", "extensions", "moth.js"),
  handWritten: (home) => {
    const folder = join(home, ".omp", "agent", "extensions");
    mkdirSync(folder, { recursive: true });
    return { file: join(folder, "mine.js"), text: "export default   function mine() {\r\n\t// mine\r\n}" };
  },
  secondWay: () => ["-e", EXTENSION],
  notApplicable: {
    "empty-reply": "it takes no answer without words: it asks the model again",
    plan: "a plan that is approved goes on in a new session, and one that is cancelled tells an extension nothing",
  },
};

function ready(screen: string): boolean {
  return /^ π >/m.test(screen) && ![PERMISSION, QUESTION].some((dialog) => screen.includes(dialog));
}

/** What stands in the composer: below the status line. */
function composer(screen: string): string {
  return screen.slice(screen.lastIndexOf(" π >")).split("\n").slice(1).join("\n");
}

function continued({ resume, fork }: StartOptions): string[] {
  return resume ? [...(fork ? ["--fork"] : []), "--resume", resume] : [];
}

/** Without what a one-shot run always says, and what it says every ten seconds while a busy machine has not started it. */
function withoutNoise(stderr: string): string {
  return stderr.replace(/^(?:Still starting after .*\n {2}logs: .*\n)*Working\.\.\.\n/, "");
}
