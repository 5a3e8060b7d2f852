import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { HarnessDriver, StartOptions } from "../driver.ts";
import { escape, hand, write } from "../hands.ts";
import { aboveTheEditor, tool } from "./pi.ts";

const PLUGIN = join(import.meta.dirname, "..", "..", "..", "packages", "dsh-plugin");
const PERMISSION = "Permission for";
const QUESTION = "A question:";
const PLAN = "A plan:";

/** dsh 0.1.0-rc.8, which starts only with help, and has no screen in a terminal. What is known of it, and how: `docs/harness/dsh.md`. */
export const dsh: HarnessDriver = {
  id: "dsh",
  program: join("node_modules", ".bin", process.platform === "win32" ? "dsh.cmd" : "dsh"),

  env: ({ modelUrl }) => ({ DEEPSEEK_BASE_URL: modelUrl, DEEPSEEK_API_KEY: "scripted", DSH_TELEMETRY_DISABLED: "1" }),

  seed({ home }) {
    for (const [profile, files] of [
      ["headless", ["dsh-boots.js"]],
      ["web", ["dsh-boots.js", "dsh-screen.js"]],
    ] as const) {
      const folder = profileFolder(home, profile);
      mkdirSync(folder, { recursive: true });
      const rows = files.map((file) => ({ id: file, name: pathToFileURL(join(import.meta.dirname, file)).href }));
      // JSON is YAML.
      writeFileSync(join(folder, "cordis.patch.yml"), JSON.stringify([{ insert: rows }]));
    }
  },

  oneShot: (prompt) => ["--profile", "headless", prompt],
  interactive: (options = {}) => ["web", "--no-open", "--port", "0", ...told(options)],
  ready,
  shown: (reply) => `dsh: ${reply}`,
  error: "error: scripted error",
  // Others it tries again for half a minute.
  errors: [400],
  silentUntilPrompted: true,
  oneShotBeginsAnew: true,

  submit: (terminal, prompt) => write(terminal, prompt, { ready, text: composer }),

  interrupt: escape(ready),
  commands: { clear: "/new", compact: "/compact", quit: "/quit", fork: "/fork" },
  keepsForked: true,
  keepsLeft: true,

  harmless: tool("bash", { command: "echo harmless", description: "Say something" }),
  subagent: (script) => tool("subagent", { description: "A helper", prompt: script }),
  endsBeforeSubagent: true,
  permission: {
    tool: "bash",
    shown: PERMISSION,
    script: (file) =>
      tool("bash", {
        command: `touch ${file}`,
        description: "Make a file",
        sandbox_permissions: "danger-full-access",
        justification: "It must be",
      }),
    allow: hand("y", PERMISSION, (screen) => /Permission for .*/.exec(screen)?.[0] ?? ""),
    oneByOne: true,
    deny: hand("\x1b", PERMISSION),
    denyWith: (terminal) => hand("n", PERMISSION)(terminal),
    notForSubagents: true,
  },
  question: {
    tool: "ask_user_question",
    shown: QUESTION,
    script: (question, labels) => {
      const options = labels.map((label) => ({ label, description: label }));
      return tool("ask_user_question", { questions: [{ id: "colour", header: "Colour", question, options }] });
    },
    answer: hand("1", QUESTION),
    cancel: hand("\x1b", QUESTION),
  },
  plan: {
    tool: "exit_plan_mode",
    shown: PLAN,
    script: (plan) => tool("exit_plan_mode", { plan }),
    approve: hand("1", PLAN),
    cancel: hand("\x1b", PLAN),
  },
  inside: {
    shows: aboveTheEditor,
    talk: (terminal, text) => dsh.submit(terminal, `/moth ${text}`),
  },
  answers: { door: "the calls its page makes", permission: true, question: true, plan: true },
  orders: { door: "the calls its page makes", abort: true },
  settings: (home) => join(home, ".dsh", "cordis.patch.yml"),
  handWritten: (home) => {
    mkdirSync(join(home, ".dsh"), { recursive: true });
    return {
      file: join(home, ".dsh", "cordis.patch.yml"),
      text: '# mine\r\n-   id:  session-telemetry-otel   # none\r\n    disabled: !!js "1 < 2"',
    };
  },
  // As a bundle of both profiles, as `dsh plugin add` leaves it.
  secondWay: (_folder, home) => {
    for (const [profile, app] of [
      ["headless", "headless"],
      ["web", "web-app"],
    ] as const) {
      const folder = profileFolder(home, profile);
      mkdirSync(join(folder, "node_modules", "@moth-companion"), { recursive: true });
      symlinkSync(PLUGIN, join(folder, "node_modules", "@moth-companion", "dsh"), "junction");
      const bundles = ["@deepseek-ai/dsh-base", `@deepseek-ai/dsh-${app}`, "@moth-companion/dsh"];
      writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dsh: { profile: { bundles } } }));
    }
    return [];
  },
  notApplicable: { "empty-reply": "an empty answer is an error to it, after five more tries in 16 seconds" },
};

function profileFolder(home: string, profile: string): string {
  return join(home, ".dsh", "profiles", profile);
}

/** What the screen is to know: see there. */
function told({ mode, resume }: StartOptions): string[] {
  return [...(mode === "plan" ? ["plan"] : []), ...(resume ? [resume] : [])].map((word) => `--trusted-host=${word}.invalid`);
}

/** Nothing runs, no dialog is open and nothing is typed. */
function ready(screen: string): boolean {
  const lines = screen.split("\n");
  return /^>\s*$/.test(lines.at(-1) ?? "") && /^─{100}$/.test(lines.at(-2) ?? "") && lines.at(-3)?.trim() === "";
}

/** What stands below the line that goes across. */
function composer(screen: string): string {
  return screen.slice(screen.lastIndexOf("─") + 1);
}
