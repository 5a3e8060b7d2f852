import { existsSync, mkdirSync, readlinkSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessDriver, StartOptions } from "../driver.ts";
import { hand, insist } from "../hands.ts";
import { endGently } from "../processes.ts";
import { squash, type Terminal } from "../terminal.ts";
import { textOf } from "../world.ts";

const HOOK = fileURLToPath(new URL("../../../packages/hook/dist/moth-hook.cjs", import.meta.url));
const PERMISSION = "Would you like to run the following command?";
const QUESTION = "enter to submit answer";
const PLAN = "Implement this plan?";
const DIALOGS = [PERMISSION, QUESTION, PLAN];

/** Codex 0.171.0. What is known of it, and how: `docs/harness/codex.md`. */
export const codex: HarnessDriver = {
  id: "codex",
  program: join("node_modules", ".bin", "codex"),
  hookWith: ["--trust"],

  env: () => ({ FAKE_KEY: "scripted" }),

  seed({ home, modelUrl }, projects) {
    mkdirSync(join(home, ".codex"), { recursive: true });
    const lines = [
      'model = "fake-1"',
      'model_provider = "fake"',
      "[model_providers.fake]",
      'name = "fake"',
      `base_url = "${modelUrl}/v1"`,
      'wire_api = "responses"',
      'env_key = "FAKE_KEY"',
      // It is quick to give up.
      "request_max_retries = 0",
      "stream_max_retries = 0",
      "[tui]",
      "animations = false",
      ...projects.flatMap((folder) => [`[projects.${JSON.stringify(folder)}]`, 'trust_level = "trusted"']),
    ];
    writeFileSync(join(home, ".codex", "config.toml"), `${lines.join("\n")}\n`);
  },

  oneShot: (prompt, options = {}) => ["exec", "--skip-git-repo-check", ...continued(options), prompt],
  // A copy of the program for each home, and processes that outlive the window: only where that is what is looked at.
  interactive: (options = {}) => [...(options.background ? [] : ["--no-daemon"]), ...continued(options)],
  ready,
  shown: (reply) => `• ${reply}`,
  error: "■ ",
  errors: [400, 529],

  submit: async (terminal, prompt) => {
    await terminal.waitForScreen("its composer", ready);
    const [, inPlanMode] = /^\/plan (.*)/s.exec(prompt) ?? [];
    if (inPlanMode !== undefined) await enterPlanMode(terminal);
    await write(terminal, inPlanMode ?? prompt);
    await send(terminal, (screen) => !holds(screen, inPlanMode ?? prompt));
  },

  // It tells on stderr what it does, hooks and all; a hook that fails is no noise.
  withoutOwnNoise: (run) => ({
    ...run,
    stderr: run.stderr
      .split("\n")
      .filter((line) => /hook.*(?:fail|error|time|block|stop)/i.test(line) && line !== "hook: Stop")
      .filter((line) => line !== "hook: Stop Completed")
      .join("\n"),
  }),
  silentUntilPrompted: true,

  interrupt: (terminal) => {
    terminal.press("escape");
    return Promise.resolve();
  },
  commands: { clear: "/new", compact: "/compact", quit: "/quit" },

  harmless: tool("exec_command", { cmd: "echo harmless" }),
  lastingShell: tool("exec_command", { cmd: "sleep 600", yield_time_ms: 300 }),
  subagent: (script) =>
    `${tool("multi_agent_v1.spawn_agent", { message: script })}[[then]]` +
    // Its id is in the first tool's result; without waiting, the turn would end and nothing come afterwards.
    tool("multi_agent_v1.wait_agent", { targets: ["{{find (?<=agent_id...)[0-9a-f-]{36}}}"], timeout_ms: 600_000 }),
  waitsForSubagent: true,
  permission: {
    tool: "Bash",
    shown: PERMISSION,
    script: (file) =>
      tool("exec_command", { cmd: `touch ${file}`, sandbox_permissions: "require_escalated", justification: "It is needed." }),
    allow: hand("y", PERMISSION, (screen) => /\$ touch .*/.exec(screen)?.[0] ?? ""),
    deny: hand("\x1b", PERMISSION),
  },
  question: {
    tool: "request_user_input",
    shown: QUESTION,
    // It asks in plan mode alone.
    script: (question, options) =>
      `/plan ${tool("request_user_input", {
        questions: [
          {
            id: "choice",
            header: "Choice",
            question,
            options: options.map((label) => ({ label, description: `${label}, please` })),
          },
        ],
      })}`,
    answer: hand("\r", QUESTION),
    cancel: hand("\x1b", QUESTION),
  },
  plan: {
    shown: PLAN,
    script: (plan) => `/plan [[reply: <proposed_plan>\\n${plan.replaceAll("\n", "\\n")}\\n</proposed_plan>]][[then]]`,
    endsTurn: true,
    approve: hand("\r", PLAN),
  },
  answers: { door: "its daemon's socket", inBackground: true, permission: true, question: true, plan: true },
  away: {},
  orders: { door: "its daemon's socket", abort: true, inBackground: true },
  settings: (home) => join(home, ".codex", "hooks.json"),
  handWritten: (home) => ({
    file: join(home, ".codex", "hooks.json"),
    text: '{\r\n   "description": "mine",\r\n\t"hooks": { "PostToolUse": [ ] }}',
  }),
  // The older way. In its home no hook program need be installed.
  secondWay: () => ["-c", `notify=${JSON.stringify([process.execPath, HOOK, "codex", "notify"])}`],
  async endBackground(home) {
    const own = join(home, ".codex", "app-server-daemon");
    const sockets = [join(own, "daemon-updater.sock"), join(home, ".codex", "app-server-control", "app-server-control.sock")];
    // They lie in the system's folder for temporary files, wherever TMPDIR is.
    const files = sockets.filter((link) => existsSync(link)).map((link) => readlinkSync(link));
    // The updater goes on waiting for news of a daemon that is no more.
    for (const name of ["daemon.pid", "daemon-updater.pid"]) {
      const pid = Number(/"pid":(\d+)/.exec(textOf(join(own, name)) ?? "")?.[1]);
      if (pid > 0) await endGently(pid);
    }
    for (const file of files) for (const end of ["", ".lock"]) rmSync(file + end, { force: true });
    try {
      for (const folder of new Set(files.map((file) => dirname(file)))) rmdirSync(folder);
    } catch {
      // Another daemon of this person's lives there.
    }
  },
  notApplicable: {},
};

/** Nothing runs and no dialog is open. The line with the model is there once it has loaded. */
function ready(screen: string): boolean {
  return (
    /^›/m.test(screen) &&
    /^ {2}fake-1 /m.test(screen) &&
    !screen.includes("esc to interrupt") &&
    !DIALOGS.some((dialog) => screen.includes(dialog))
  );
}

/**
 * Until its start is over it refuses commands, or takes one and forgets it: what it says of it then stands above its own heading.
 */
function isInPlanMode(screen: string): boolean {
  return /Plan mode (?:\(shift|·)/.test(screen) && screen.lastIndexOf("for Plan mode.") > screen.lastIndexOf(">_ OpenAI Codex");
}

/** `/plan` on its own: what follows it counts as options when it comes slowly. */
async function enterPlanMode(terminal: Terminal): Promise<void> {
  for (let attempt = 1; attempt < 8; attempt++) {
    await write(terminal, "/plan");
    terminal.press("enter");
    try {
      return await terminal.waitForScreen("plan mode", isInPlanMode, 2000);
    } catch {
      // Once more.
    }
  }
  await terminal.waitForScreen("plan mode", isInPlanMode);
}

/** At its start it may lose the first keys. */
function write(terminal: Terminal, text: string): Promise<void> {
  return insist(
    () => {
      terminal.press("ctrl+u");
      terminal.type(text);
    },
    (within) => terminal.waitForScreen(`the typed prompt, ${text}`, (screen) => holds(screen, text), within),
  );
}

/** While it does something of its own, as at its start, it takes no command. */
function send(terminal: Terminal, isSent: (screen: string) => boolean): Promise<void> {
  return insist(
    () => terminal.press("enter"),
    (within) => terminal.waitForScreen("that it is sent", isSent, within),
  );
}

/** Whether the composer holds a text: its end, and its beginning, unless it is too long to be seen whole. */
function holds(screen: string, text: string): boolean {
  const composer = squash(screen.slice(screen.lastIndexOf("\n›") + 1));
  const typed = squash(text);
  return composer.includes(typed.slice(-12)) && (typed.length > 300 || composer.startsWith(`›${typed.slice(0, 12)}`));
}

function continued({ resume, fork }: StartOptions): string[] {
  return resume ? [fork ? "fork" : "resume", resume] : [];
}

function tool(name: string, input: object): string {
  return `[[tool: ${name} ${JSON.stringify(input)}]]`;
}
