import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessDriver, StartOptions } from "../driver.ts";
import { hand, insist } from "../hands.ts";
import { squash } from "../terminal.ts";
import { PATIENCE } from "../wait.ts";
import { tool } from "./pi.ts";

const EXTENSION = fileURLToPath(new URL("../../../packages/qwen-extension/", import.meta.url));
const TELL = fileURLToPath(new URL("tell-session.mjs", import.meta.url));
const PERMISSION = "Allow execution of";
const QUESTION = "Enter: Select | Esc: Cancel";
const PLAN = "Would you like to proceed?";
const DIALOGS = [PERMISSION, QUESTION, PLAN];
const EMPTY = "Type your message";

/** Qwen Code 0.24.4. What is known of it, and how: `docs/harness/qwen.md`. */
export const qwen: HarnessDriver = {
  id: "qwen",
  program: join("node_modules", ".bin", "qwen"),

  env: ({ home, modelUrl }) => ({
    OPENAI_API_KEY: "scripted",
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: "fake-1",
    // Settings of an administrator, beside the person's own: those stay free for `moth hook`.
    QWEN_CODE_SYSTEM_SETTINGS_PATH: managed(home),
  }),

  seed({ home }) {
    const command = `"${process.execPath}" "${TELL}"`;
    const settings = {
      $version: 4,
      security: { auth: { selectedType: "openai" } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      tools: { useRipgrep: false, approvalMode: "default" },
      permissions: { allow: ["Agent"] },
      ui: { enableFollowupSuggestions: false },
      memory: { enableManagedAutoMemory: false },
      hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", name: "tell", command, timeout: 30_000 }] }] },
    };
    for (const folder of [dirname(managed(home)), join(home, ".qwen")]) mkdirSync(folder, { recursive: true });
    writeFileSync(managed(home), JSON.stringify(settings));
  },

  oneShot: (prompt, options = {}) => [...common(options), "-p", prompt],
  interactive: (options = {}) => common(options),
  ready,
  shown: (reply) => `◆\u{FE0E} ${reply}`,
  error: "[API Error: ",
  errors: [400, 401],
  withoutOwnNoise: (run) => ({ ...run, stderr: run.stderr.replace(/^Warning: Tool .* was not run: .*\n+/gm, "") }),

  submit: async (terminal, prompt) => {
    await terminal.waitForScreen("its composer", ready);
    const end = squash(prompt).slice(-12);
    const holds = (screen: string): boolean => squash(composer(screen)).includes(end);
    // A prompt that was stopped is back in it.
    if (!isEmpty(terminal.screen()))
      await insist(
        () => terminal.press("ctrl+u"),
        (within) => terminal.waitForScreen("an empty composer", isEmpty, within),
      );
    await insist(
      () => {
        if (isEmpty(terminal.screen())) terminal.type(prompt);
      },
      (within) => terminal.waitForScreen(`the typed prompt, …${end}`, holds, within),
      PATIENCE / 4,
    );
    // While it draws everything anew, for a moment nothing is typed. A command may end it.
    const isSent = (screen: string): boolean => !holds(screen) && (prompt.startsWith("/") || isEmpty(screen) || isBusy(screen));
    await insist(
      () => terminal.press("enter"),
      (within) => terminal.waitForScreen("that the prompt is sent", isSent, within),
      PATIENCE / 4,
    );
  },

  interrupt: (terminal) => {
    terminal.press("escape");
    return Promise.resolve();
  },
  commands: { clear: "/clear", compact: "/compress", quit: "/quit" },

  harmless: tool("glob", { pattern: "*" }),
  subagent: (script) => tool("agent", { description: "A helper", prompt: script, subagent_type: "general-purpose" }),
  permission: {
    tool: "run_shell_command",
    shown: PERMISSION,
    script: (file) => tool("run_shell_command", { command: `touch ${file}`, description: "Make a file", is_background: false }),
    allow: hand("1", PERMISSION, (screen) => /\? {1,2}Shell .*/.exec(screen)?.[0] ?? ""),
    deny: hand("\x1b", PERMISSION),
    notForSubagents: true,
  },
  question: {
    tool: "ask_user_question",
    shown: QUESTION,
    script: (question, options) =>
      tool("ask_user_question", {
        questions: [
          {
            question,
            header: "Choice",
            multiSelect: false,
            options: options.map((label) => ({ label, description: `${label}, please` })),
          },
        ],
      }),
    answer: hand("\r", QUESTION),
    cancel: hand("\x1b", QUESTION),
  },
  plan: {
    tool: "exit_plan_mode",
    shown: PLAN,
    script: (plan) => tool("exit_plan_mode", { plan }),
    approve: hand("\r", PLAN),
    cancel: hand("\x1b", PLAN),
  },
  away: {},
  settings: (home) => join(home, ".qwen", "settings.json"),
  // Without a version it would lay the file out anew by itself.
  handWritten: (home) => ({
    file: join(home, ".qwen", "settings.json"),
    text: '{\r\n   "$version": 4, // mine\r\n\t"ui": { "hideTips": true },   "hooks": {}}',
  }),
  secondWay: (_folder, home) => {
    cpSync(EXTENSION, join(home, ".qwen", "extensions", "moth"), { recursive: true });
    return [];
  },
  notApplicable: {
    "empty-reply": "it asks the model again for half a minute, and then takes it for a failure",
  },
};

function managed(home: string): string {
  return join(home, "qwen-system-settings", "settings.json");
}

/** Nothing runs and no dialog is open. */
function ready(screen: string): boolean {
  return composer(screen) !== "" && !isBusy(screen);
}

function isBusy(screen: string): boolean {
  return screen.includes("esc to cancel") || DIALOGS.some((dialog) => screen.includes(dialog));
}

function isEmpty(screen: string): boolean {
  return composer(screen).includes(EMPTY);
}

/** What stands in the composer: between the last two lines that go across. */
function composer(screen: string): string {
  return screen.split(/^─{80,}$/m).at(-2) ?? "";
}

function common({ mode, resume, fork }: StartOptions): string[] {
  return [
    ...(mode === "plan" ? ["--approval-mode", "plan"] : []),
    ...(resume ? ["--resume", resume] : []),
    ...(fork ? ["--fork-session"] : []),
  ];
}
