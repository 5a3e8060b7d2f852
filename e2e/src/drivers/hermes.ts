import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessDriver, StartOptions } from "../driver.ts";
import { hand, write } from "../hands.ts";
import { onItsOwnLine, tool } from "./pi.ts";

const PERMISSION = "Dangerous Command";
const QUESTION = "Hermes needs your input";

/** Hermes Agent 0.19.0. What is known of it, and how: `docs/harness/hermes.md`. */
export const hermes: HarnessDriver = {
  id: "hermes",
  program: process.platform === "win32" ? join("venv", "Scripts", "hermes.exe") : join("venv", "bin", "hermes"),

  env: ({ home }) => ({
    // Settings of an administrator, beside the person's own: those stay free for `moth hook`.
    HERMES_MANAGED_DIR: managed(home),
    // Else it fetches packages while it runs.
    HERMES_DISABLE_LAZY_INSTALLS: "1",
    // It reads every known certificate fourteen times, and nothing here is encrypted.
    SSL_CERT_DIR: managed(home),
  }),

  seed({ home, modelUrl }) {
    mkdirSync(join(home, ".hermes"), { recursive: true });
    mkdirSync(managed(home), { recursive: true });
    const settings = {
      model: { default: "fake-1", provider: "custom", base_url: `${modelUrl}/v1`, api_key: "scripted", context_length: 131_072 },
      auxiliary: { title_generation: { enabled: false } },
      approvals: { mode: "manual", destructive_slash_confirm: false },
      security: { tirith_enabled: false },
      // The probe starts five programs to see what Python there is.
      agent: { api_max_retries: 1, environment_probe: false },
      display: { streaming: true },
      // By itself it never sums up a conversation's first words.
      compression: { protect_first_n: 0 },
    };
    // JSON is YAML.
    writeFileSync(join(managed(home), "config.yaml"), JSON.stringify(settings));
  },

  // Not `-z`: there the model is not told which session asks. That it is heard is a test of the plugin's.
  oneShot: (prompt, options = {}) => ["chat", "-Q", ...common(options), "-q", prompt],
  interactive: (options = {}) => ["chat", "--cli", ...common(options)],
  ready,
  shown: (reply) => onItsOwnLine(reply),
  showsWholeLines: true,
  error: "scripted error",
  errors: [400, 529],
  // It names the session it resumes, and at the end the one it was.
  withoutOwnNoise: (run) => ({ ...run, stderr: run.stderr.replace(/^\s*(?:session_id: \S+|↻ Resumed session .*)\s*$/gm, "") }),
  silentUntilPrompted: true,

  // What it did not answer it sends again, in one text with the next prompt. While a command such as `/compress` runs it takes no keys, and
  // its screen says so a moment later.
  submit: (terminal, prompt) =>
    write(
      terminal,
      prompt,
      { ready, text: composer, empties: "ctrl+u" },
      prompt.startsWith("/") ? prompt : `[[forget]]${prompt}`,
    ),

  // Once: a second time would end the program.
  interrupt: (terminal) => Promise.resolve(terminal.press("ctrl+c")),
  interruptTwiceQuits: true,
  commands: { clear: "/new", compact: "/compress", fork: "/branch", quit: "/exit" },

  harmless: tool("terminal", { command: "echo harmless" }),
  subagent: (script) => tool("delegate_task", { goal: script }),
  endsBeforeSubagent: true,
  permission: {
    tool: "terminal",
    shown: PERMISSION,
    // It asks only for what looks dangerous.
    script: (file) => tool("terminal", { command: `touch ${file} && rm -rf nothing-of-the-kind` }),
    allow: hand("1", PERMISSION),
    oneByOne: true,
    asksInVain: true,
    notForSubagents: true,
    denyWith: (terminal) => hand("4", PERMISSION)(terminal),
  },
  question: {
    tool: "clarify",
    shown: QUESTION,
    script: (question, choices) => tool("clarify", { question, choices }),
    answer: hand("1", QUESTION),
    cancel: hand("\x03", QUESTION),
  },
  answers: { door: "its window's own dialogs, answered by moth's plugin", permission: true, question: true },
  settings: (home) => join(home, ".hermes", "config.yaml"),
  handWritten: (home) => ({
    file: join(home, ".hermes", "config.yaml"),
    text: "# mine\r\nskills:\r\n    auto_load:   []   # none\r\nplugins: {disabled: [ spotify ]}\r\nx_own: 'yes'",
  }),
  notApplicable: {
    plan: "it has no plans to be approved",
    "installed-twice": "it loads one plugin of a name, whichever way it came",
    "shown-inside": "its terminal has no place where a plugin can show a line",
  },
};

function managed(home: string): string {
  return join(home, "managed");
}

/** Nothing runs, no dialog is open and nothing is typed. */
function ready(screen: string): boolean {
  return /^❯$/m.test(composer(screen)) && !screen.includes(PERMISSION) && !screen.includes(QUESTION);
}

/** What stands in the composer: between the last two lines that go across. */
function composer(screen: string): string {
  const lines = screen.split("\n");
  const rules = lines.flatMap((line, at) => (/^─{100,}$/.test(line) ? [at] : []));
  const [top = 0, bottom = 0] = rules.slice(-2);
  return lines
    .slice(top + 1, bottom)
    .map((line) => line.trimEnd())
    .join("\n");
}

function common({ resume }: StartOptions): string[] {
  return ["--pass-session-id", ...(resume ? ["--resume", resume] : [])];
}
