import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessDriver, StartOptions } from "../driver.ts";
import { hand, insist } from "../hands.ts";
import { squash } from "../terminal.ts";
import { PATIENCE } from "../wait.ts";
import { tool } from "./pi.ts";

const EXTENSION = fileURLToPath(new URL("../../../packages/gemini-extension/", import.meta.url));
const TELL = fileURLToPath(new URL("tell-session.mjs", import.meta.url));
const PERMISSION = "Allow execution of";
const QUESTION = "Answer Questions";
const PLAN = "Ready to start implementation?";
const EMPTY = "Type your message";
/** A line that goes across, above the composer. */
const ACROSS = /^ ?[─━]{80,} ?$/m;
const DIALOGS = [PERMISSION, QUESTION, PLAN];

/** Gemini CLI 0.61.0. What is known of it, and how: `docs/harness/gemini.md`. */
export const gemini: HarnessDriver = {
  id: "gemini",
  program: join("node_modules", ".bin", "gemini"),

  env: ({ modelUrl }) => ({
    GEMINI_API_KEY: "scripted",
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    // Else it warns of a terminal with few colours.
    COLORTERM: "truecolor",
  }),

  seed({ home }, projects) {
    const trusted = Object.fromEntries(projects.map((folder) => [folder, "TRUST_FOLDER"]));
    write(join(home, ".gemini", "trustedFolders.json"), trusted);
    // In the projects: the person's own stay free for `moth hook`, and an administrator's may not lie in a folder for temporary files.
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false, maxAttempts: 1 },
      privacy: { usageStatisticsEnabled: false },
      tools: { useRipgrep: false },
    };
    for (const folder of projects) write(join(folder, ".gemini", "settings.json"), settings);
    // As an extension: of a project's hooks it warns.
    const extension = join(home, ".gemini", "extensions", "tell");
    write(join(extension, "gemini-extension.json"), { name: "tell", version: "1.0.0" });
    const command = `${process.platform === "win32" ? "& " : ""}"${process.execPath}" "${TELL}"`;
    const hooks = { BeforeAgent: [{ hooks: [{ type: "command", name: "tell", command, timeout: 30_000 }] }] };
    write(join(extension, "hooks", "hooks.json"), { hooks });
  },

  oneShot: (prompt, options = {}) => [...common(options), "-p", prompt],
  interactive: (options = {}) => common(options),
  ready,
  shown: (reply) => `✦ ${reply}`,
  printsEveryText: true,
  error: "[API Error: ",
  // Others it tries again, 500 without an end.
  errors: [400, 403],
  withoutOwnNoise: (run) => ({ ...run, stderr: run.stderr.replace(/^(?:\[STARTUP\]|Error executing tool) .*\n/gm, "") }),

  submit: async (terminal, prompt) => {
    await terminal.waitForScreen("its composer", ready);
    const end = squash(prompt).slice(-12);
    const holds = (screen: string): boolean => squash(composer(screen)).includes(end);
    // At its start it draws everything anew: for a moment nothing is typed, and then it is again. A command may end it.
    const isSent = (screen: string): boolean => !holds(screen) && (prompt.startsWith("/") || isEmpty(screen) || isBusy(screen));
    // While it draws a new conversation, nobody reads what is typed.
    await insist(
      () => {
        terminal.press("ctrl+u");
        terminal.type(prompt);
      },
      (within) => terminal.waitForScreen(`the typed prompt, …${end}`, holds, within),
    );
    // Enter within 30 ms of another key is taken for a line break of a pasted text, and is seen as one. It can be lost, too; pressed again too
    // soon, it would answer a dialog.
    let before = 0;
    const isBroken = (screen: string): boolean => lineBreaks(screen) > before;
    await insist(
      () => {
        before = lineBreaks(terminal.screen());
        terminal.press("enter");
      },
      async (within) => {
        await terminal.waitForScreen("that the prompt is sent", (screen) => isSent(screen) || isBroken(screen), within);
        if (isBroken(terminal.screen())) throw new Error("Enter was taken for a line break.");
      },
      PATIENCE / 4,
    );
  },

  emptyReplyFails: true,

  interrupt: (terminal) => {
    terminal.press("escape");
    return Promise.resolve();
  },
  commands: { clear: "/clear", compact: "/compress", quit: "/quit" },

  harmless: tool("glob", { pattern: "*" }),
  subagent: (script) =>
    tool("invoke_agent", { agent_name: "generalist", prompt: `${script}${tool("complete_task", { result: "Done." })}` }),
  waitsForSubagent: true,
  permission: {
    tool: "run_shell_command",
    shown: PERMISSION,
    script: (file) => tool("run_shell_command", { command: `touch ${file}`, description: "Make a file" }),
    allow: hand("1", PERMISSION, (screen) => /\? {1,2}Shell .*/.exec(screen)?.[0] ?? ""),
    deny: hand("\x1b", PERMISSION),
  },
  question: {
    tool: "ask_user",
    shown: QUESTION,
    script: (question, options) =>
      tool("ask_user", {
        questions: [
          {
            question,
            header: "Choice",
            type: "choice",
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
    script: (plan) =>
      // The plan lives in a folder of the session's own, whose path the request tells. No question mark: typed, it asks for help.
      tool("write_file", { file_path: "{{find [.]{2}/[^ `]+/plans/}}plan.md", content: plan }) +
      `[[then]]${tool("exit_plan_mode", { plan_filename: "plan.md" })}`,
    approve: hand("\r", PLAN),
    cancel: hand("\x1b", PLAN),
  },
  // It sums up the one before.
  addsToOlder: /^\{"\$set":\{"summary":.*\n/gm,
  settings: (home) => join(home, ".gemini", "settings.json"),
  handWritten: (home) => ({
    file: join(home, ".gemini", "settings.json"),
    text: '{\r\n   "ui": { "hideTips": true }, // mine\r\n\t"context": {},   "hooks": {}}',
  }),
  secondWay: (_folder, home) => {
    cpSync(EXTENSION, join(home, ".gemini", "extensions", "moth"), { recursive: true });
    return [];
  },
  notApplicable: {},
};

function write(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

/** Nothing runs and no dialog is open. At its start the composer is there before all else, and what is typed or sent then can be lost. */
function ready(screen: string): boolean {
  const [above = "", ...below] = screen.split(ACROSS);
  return below.length > 0 && above.trim() !== "" && !isBusy(screen);
}

function isBusy(screen: string): boolean {
  return screen.includes("esc to cancel") || DIALOGS.some((dialog) => screen.includes(dialog));
}

function isEmpty(screen: string): boolean {
  return composer(screen).includes(EMPTY);
}

/** What stands in and below the composer: what follows the last line that goes across. */
function composer(screen: string): string {
  return screen.split(ACROSS).at(-1) ?? "";
}

/** Line breaks at the end of what stands in the composer. */
function lineBreaks(screen: string): number {
  const typed = composer(screen).split(/^ ?[▄▀]{80,} ?$/m)[1] ?? "";
  return (/(?:\n *)+$/.exec(typed)?.[0].split("\n").length ?? 2) - 2;
}

function common({ mode, ...from }: StartOptions): string[] {
  return [
    // By itself it asks a second model which one to use.
    "--model",
    "gemini-2.5-flash",
    ...(mode === "plan" ? ["--approval-mode", "plan"] : []),
    ...continued(from),
  ];
}

/** A copy is made by loading the recording of a session. */
function continued({ resume, fork, home = "" }: StartOptions): string[] {
  if (!resume) return [];
  if (!fork) return ["--resume", resume];
  const recordings = join(home, ".gemini", "tmp");
  const all = readdirSync(recordings, { recursive: true, encoding: "utf8" });
  return ["--session-file", join(recordings, all.find((name) => name.endsWith(`-${resume.slice(0, 8)}.jsonl`)) ?? "")];
}
