import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessDriver, StartOptions } from "../driver.ts";
import { hand, pressUntil } from "../hands.ts";
import { squash } from "../terminal.ts";

const PLUGIN = fileURLToPath(new URL("../../../packages/claude-mod/", import.meta.url));
const PERMISSION = "Do you want to proceed?";
const QUESTION = "Enter to select";
const PLAN = "Would you like to proceed?";
const DIALOGS = [PERMISSION, QUESTION, PLAN];

/** Claude Code 2.1.332. What is known of it, and how: `docs/harness/claude-code.md`. */
export const claudeCode: HarnessDriver = {
  id: "claude-code",
  program: join("node_modules", "@anthropic-ai", "claude-code", "bin", "claude.exe"),

  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    // A token rather than a key: for a key it asks whether to use it.
    ANTHROPIC_AUTH_TOKEN: "scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
  }),

  seed({ home }, projects) {
    mkdirSync(join(home, ".claude"), { recursive: true });
    const trusted = projects.map((folder) => [folder, { hasTrustDialogAccepted: true }]);
    const seen = {
      hasCompletedOnboarding: true,
      hasSeenAutoDefaultNotice: true,
      projects: Object.fromEntries(trusted) as unknown,
    };
    writeFileSync(join(home, ".claude.json"), JSON.stringify(seen));
  },

  oneShot: (prompt, options = {}) => ["-p", ...continued(options), prompt],
  // Left to itself it decides about permissions without asking.
  interactive: (options = {}) => ["--permission-mode", options.mode === "plan" ? "plan" : "manual", ...continued(options)],
  ready,
  shown: (reply) => `● ${reply}`,
  error: "● API Error: ",
  errors: [400, 529],

  submit: async (terminal, prompt) => {
    await terminal.waitForScreen("its composer", ready);
    terminal.type(prompt);
    const end = squash(prompt).slice(-12);
    // Enter too close behind the text would be taken for a line break of a pasted text.
    await terminal.waitForScreen(`the typed prompt, …${end}`, (screen) =>
      squash(screen.slice(screen.lastIndexOf("❯"))).includes(end),
    );
    terminal.press("enter");
  },

  interrupt: (terminal) => {
    terminal.press("escape");
    return Promise.resolve();
  },
  clearComposer: "ctrl+u",
  commands: { clear: "/clear", compact: "/compact", quit: "/exit" },

  harmless: tool("Bash", { command: "echo harmless", description: "Say something" }),
  lastingShell: tool("Bash", { command: "sleep 600", description: "A server", run_in_background: true }),
  subagent: (script) => tool("Agent", { description: "A helper", prompt: script, subagent_type: "general-purpose" }),
  permission: {
    tool: "Bash",
    shown: PERMISSION,
    script: (file) => tool("Bash", { command: `touch ${file}`, description: "Make a file" }),
    allow: hand("1", PERMISSION, command),
    oneByOne: true,
    deny: hand("\x1b", PERMISSION),
    denyWith: async (terminal, advice) => {
      // Up from the first choice is the last one, "No"; Tab opens a field in it.
      await pressUntil(terminal, "up", "❯ 4. No");
      await pressUntil(terminal, "tab", "No, and tell Claude what to do differently");
      terminal.type(advice);
      await terminal.waitForText(`No, ${advice}`);
      await hand("\r", PERMISSION)(terminal);
    },
  },
  question: {
    tool: "AskUserQuestion",
    shown: QUESTION,
    script: (question, options) =>
      tool("AskUserQuestion", {
        questions: [
          {
            question,
            header: "Choice",
            multiSelect: false,
            options: options.map((label) => ({ label, description: `${label}, please` })),
          },
        ],
      }),
    answer: hand("1", QUESTION),
    cancel: hand("\x1b", QUESTION),
  },
  plan: {
    tool: "ExitPlanMode",
    shown: PLAN,
    script: (plan) =>
      // The plan lives in a file of the harness's own, whose path the request tells.
      tool("Write", { file_path: "{{find (?<=create your plan at ).+?[.]md}}", content: plan }) +
      tool("ExitPlanMode", {}, "then"),
    approve: hand("2", PLAN),
    cancel: hand("\x1b", PLAN),
  },
  inside: {
    args: (folder) => {
      cpSync(join(PLUGIN, "engine"), join(folder, "engine"), { recursive: true });
      return plugin(join(PLUGIN, "band"), folder);
    },
    checks: (folder) => [
      ["plugin", "validate", "--strict", folder],
      ["plugin", "test", folder],
    ],
    shows: (screen, line) => squash(screen).includes(squash(`moth> ${line}`)),
    talk: async (terminal, text) => {
      terminal.type("\x18\t");
      await terminal.waitForText("⏎ send");
      terminal.type(text);
      await terminal.waitForText(text);
      terminal.press("enter");
      // Back to the prompt.
      terminal.press("escape");
    },
  },
  answers: { door: "its `PermissionRequest` hook, which waits", permission: true, question: true, plan: true },
  orders: { door: "what a mod may submit", abort: true, refused: ["/"], args: (folder) => plugin(join(PLUGIN, "band"), folder) },
  settings: (home) => join(home, ".claude", "settings.json"),
  handWritten: (home) => ({
    file: join(home, ".claude", "settings.json"),
    text: '{\r\n   "includeCoAuthoredBy": false,\r\n\t"env": { "OWN": "1" },   "hooks": {}}',
  }),
  secondWay: (folder) => plugin(PLUGIN, folder),
  notApplicable: {},
};

/** Loads a copy: in a terminal it writes its type declarations into a plugin's folder. */
function plugin(from: string, folder: string): string[] {
  for (const part of [".claude-plugin", "dist", "hooks"]) cpSync(join(from, part), join(folder, part), { recursive: true });
  return ["--plugin-dir", folder];
}

function ready(screen: string): boolean {
  return screen.includes("❯") && !screen.includes("esc to interrupt") && !DIALOGS.some((dialog) => screen.includes(dialog));
}

/** The command a permission is asked for: it stands between two dashed rules. */
function command(screen: string): string {
  return screen.split(/╌{20,}/).at(-2) ?? "";
}

function continued(options: StartOptions): string[] {
  return [...(options.resume ? ["--resume", options.resume] : []), ...(options.fork ? ["--fork-session"] : [])];
}

function tool(name: string, input: object, first?: "then"): string {
  return `${first ? `[[${first}]]` : ""}[[tool: ${name} ${JSON.stringify(input)}]]`;
}
