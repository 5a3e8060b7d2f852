import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { HarnessDriver } from "../driver.ts";
import { hand, insist, write } from "../hands.ts";

const MOTH = fileURLToPath(new URL("../../../packages/cli/bin/moth.mjs", import.meta.url));
const PERMISSION = "Do you want to run this command?";
const QUESTION = "Copilot needs information.";
const PLAN = "Plan Ready for Review";

/** What it says when a command is done. */
const AFTERWARDS: Readonly<Record<string, string>> = { "/clear": "Started a fresh session.", "/fork": "Forked from" };

/** GitHub Copilot CLI 1.0.102. What is known of it, and how: `docs/harness/copilot.md`. */
export const copilot: HarnessDriver = {
  id: "copilot",
  // Not the launcher beside it, which only waits for this one: it would be ended first.
  program: join(
    "node_modules",
    "@github",
    `copilot-${process.platform}-${process.arch}`,
    process.platform === "win32" ? "copilot.exe" : "copilot",
  ),

  env: ({ modelUrl, program }) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_MODEL: "fake-model",
    COPILOT_AUTO_UPDATE: "false",
    // It unpacks 230 MB at its first start.
    COPILOT_CACHE_HOME: join(dirname(program), "..", "..", "..", "unpacked"),
  }),

  seed({ home }, projects) {
    mkdirSync(join(home, ".copilot", "hooks"), { recursive: true });
    writeFileSync(join(home, ".copilot", "config.json"), JSON.stringify({ trustedFolders: projects }));
  },

  oneShot: (prompt, { resume } = {}) => ["-p", prompt, "-s", ...(resume ? [`--resume=${resume}`] : [])],
  interactive: ({ resume, mode } = {}) => [
    "--allow-tool=shell(sleep)",
    ...(mode === "plan" ? ["--plan"] : []),
    ...(resume ? [`--resume=${resume}`] : []),
  ],
  ready,
  shown: (reply) => `● ${reply}`,
  error: "✗ 400 scripted error",
  // Others it tries again for 15 to 50 seconds.
  errors: [400],
  withoutOwnNoise: (run) => ({ ...run, stdout: run.stdout.replace(/\n\n/g, "\n") }),
  printsEveryText: true,
  silentUntilPrompted: true,

  submit: async (terminal, prompt) => {
    await write(terminal, prompt, { ready, text: composer });
    // Meanwhile it takes prompts, for the session there was before.
    const done = AFTERWARDS[prompt];
    if (done !== undefined) await terminal.waitForText(done);
  },

  interrupt: (terminal) =>
    insist(
      () => void escapeTwice((key) => terminal.press(key)),
      (within) => terminal.waitForScreen("that nothing runs", ready, within),
    ),
  clearComposer: "ctrl+u",
  commands: { clear: "/clear", compact: "/compact", quit: "/exit", fork: "/fork" },
  keepsForked: true,

  harmless: tool("bash", { command: "echo harmless", description: "Say something" }),
  lastingShell: tool("bash", { command: "sleep 600", description: "A server", mode: "async" }),
  subagent: (script) =>
    tool("task", { description: "A helper", prompt: script, agent_type: "task", name: "helper", mode: "background" }),
  permission: {
    tool: "bash",
    shown: PERMISSION,
    script: (file) => tool("bash", { command: `touch ${file}`, description: "Make a file" }),
    allow: hand("1", PERMISSION, command),
    oneByOne: true,
    deny: hand("\x1b", PERMISSION),
    denyWith: async (terminal, advice) => {
      await insist(
        () => terminal.press("down"),
        (within) => terminal.waitForText("❯ 3. No, and tell Copilot", within),
      );
      terminal.type(advice);
      await terminal.waitForText(advice);
      await hand("\r", PERMISSION)(terminal);
    },
  },
  question: {
    tool: "ask_user",
    shown: QUESTION,
    script: (question, options) =>
      tool("ask_user", {
        message: question,
        requestedSchema: { properties: { choice: { type: "string", enum: options } }, required: ["choice"] },
      }),
    answer: hand("\r", QUESTION),
    cancel: hand("\x1b", QUESTION),
    goesOnWithout: true,
  },
  plan: {
    tool: "exit_plan_mode",
    shown: PLAN,
    script: (plan) => tool("exit_plan_mode", { summary: plan, recommendedAction: "interactive" }),
    approve: hand("1", PLAN),
    cancel: hand("\x1b", PLAN),
  },
  answers: {
    door: "moth's extension, put in by choice",
    permission: true,
    question: true,
    plan: true,
    hookWith: ["--answers"],
    seed: ({ home }) => letIn(home),
  },
  orders: {
    door: "moth's extension, put in by choice",
    abort: true,
    args(folder) {
      const home = dirname(folder);
      letIn(home);
      hook(home, "--answers");
      return [];
    },
  },
  settings: (home) => join(home, ".copilot", "hooks", "moth.json"),
  handWritten: (home) => ({
    file: join(home, ".copilot", "hooks", "moth.json"),
    text: '{\r\n   "version": 1,\r\n\t"hooks": { "sessionEnd": [{ "type": "command", "bash":"true" }] }   }',
  }),
  // A project's hooks come on top of the person's, in a repository.
  secondWay: (_folder, home, project) => {
    execFileSync("git", ["init", "-q"], { cwd: project, env: at(home), stdio: "pipe" });
    hook(home, "--project", project);
    return [];
  },
  notApplicable: {},
};

function at(home: string): NodeJS.ProcessEnv {
  return { ...process.env, HOME: home, USERPROFILE: home };
}

function hook(home: string, ...how: string[]): void {
  execFileSync(process.execPath, [MOTH, "hook", "copilot", "--yes", ...how], { env: at(home), stdio: "pipe" });
}

/** As it is after a person has turned experimental features on, and has let moth's extension in for good. */
function letIn(home: string): void {
  const folder = join(home, ".copilot");
  const { trustedFolders } = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as { trustedFolders: string[] };
  const leave = { tool_approvals: [{ kind: "extension-permission-access", extensionName: "user:moth" }] };
  const locations = Object.fromEntries(trustedFolders.map((project) => [project, leave]));
  writeFileSync(join(folder, "permissions-config.json"), JSON.stringify({ locations }));
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ experimental: true }));
}

/** The composer stands there, and its foot does not say that a turn runs. */
function ready(screen: string): boolean {
  const foot = screen.split("\n").at(-1) ?? "";
  if (composer(screen) === "" || foot.includes("Working")) return false;
  return (
    /\/ commands|@ files|Waiting for background/.test(foot) &&
    ![PERMISSION, QUESTION, PLAN].some((dialog) => screen.includes(dialog))
  );
}

/** Between the last two lines that go across. */
function composer(screen: string): string {
  const lines = screen.split("\n");
  const [top, bottom] = lines.flatMap((line, at) => (/^─{100,}$/.test(line) ? [at] : [])).slice(-2);
  return top === undefined || bottom === undefined ? "" : lines.slice(top + 1, bottom).join("\n");
}

/** The command a permission is asked for: it stands in a box of its own. */
function command(screen: string): string {
  return /│ │ (.*?) │ │/.exec(screen)?.[1] ?? "";
}

/** It asks for both within half a second, and takes two at once for another key. */
async function escapeTwice(press: (key: "escape") => void): Promise<void> {
  press("escape");
  await sleep(120);
  press("escape");
}

function tool(name: string, input: object): string {
  return `[[tool: ${name} ${JSON.stringify(input)}]]`;
}
