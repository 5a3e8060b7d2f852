import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hand, HarnessDriver } from "../driver.ts";
import { hand, insist } from "../hands.ts";
import { keepPicture } from "../pictures.ts";
import type { Finished } from "../processes.ts";
import { squash, type Terminal } from "../terminal.ts";

const PLUGIN = fileURLToPath(new URL("../../../packages/plugin-opencode/dist/moth.js", import.meta.url));
/** A list of models without any. */
const MODELS = "models.json";
const PERMISSION = "Permission required";
const ADVICE = "Reject permission";
const QUESTION = "esc dismiss";
/** The field in which moth is talked to. */
const FIELD = "Talk to moth";

/** What differs between OpenCode and Kilo, which began as a copy of it. */
interface Variant {
  id: string;
  program: string;
  /** Of its folders and its settings file. */
  name: string;
  /** Of its environment variables. */
  prefix: string;
  /** The package it would fetch from the registry at every start, and its version. */
  companion: [name: string, version: string];
  /** Empty file in its settings folder that says it has put its settings in order already. */
  inOrder?: string;
  /** More of the environment. */
  env?: Record<string, string>;
  deny: Hand;
  denyWith?: (terminal: Terminal, advice: string) => Promise<void>;
  notApplicable: HarnessDriver["notApplicable"];
}

/** Kilo is driven as OpenCode is, by its own names. What is known of both, and how: `docs/harness/opencode.md` and `kilo.md`. */
export function openCodeLike(variant: Variant): HarnessDriver {
  const { name, prefix } = variant;
  const configDir = (home: string): string => join(home, ".config", name);
  return {
    id: variant.id,
    program: variant.program,

    env: ({ home, modelUrl }) => ({
      ...variant.env,
      // Instead of the thousands of models it carries: they cost one to one and a half seconds of computing at every start.
      [`${prefix}_MODELS_PATH`]: join(home, MODELS),
      [`${prefix}_CONFIG_CONTENT`]: JSON.stringify(settings(modelUrl)),
      [`${prefix}_DISABLE_MODELS_FETCH`]: "1",
      [`${prefix}_DISABLE_AUTOUPDATE`]: "1",
      [`${prefix}_DISABLE_LSP_DOWNLOAD`]: "1",
      [`${prefix}_DISABLE_EXTERNAL_SKILLS`]: "1",
      npm_config_fetch_retries: "0",
    }),

    seed({ home }) {
      writeFileSync(join(home, MODELS), "{}");
      // As an earlier start would have left it: otherwise it installs a package before it loads a plugin.
      mkdirSync(join(configDir(home), "node_modules"), { recursive: true });
      const [companion, version] = variant.companion;
      const lock = { lockfileVersion: 3, packages: { "": { dependencies: { [companion]: version } } } };
      writeFileSync(join(configDir(home), "package-lock.json"), JSON.stringify(lock));
      if (variant.inOrder) writeFileSync(join(configDir(home), variant.inOrder), "");
      // Without the column at the right, whose lines would stand between those of a reply; without tips, which say anything, and without what moves.
      const stateDir = join(home, ".local", "state", name);
      mkdirSync(stateDir, { recursive: true });
      writeFileSync(join(stateDir, "kv.json"), JSON.stringify({ sidebar: "hide", tips_hidden: true, animations_enabled: false }));
    },

    // It puts an argument with spaces in quotes of its own; words it takes as they are.
    oneShot: (prompt, options = {}) => ["run", ...continued(options), ...prompt.split(" ")],
    interactive: (options = {}) => continued(options),
    ready,
    // A reply is followed by the line that names the model, a prompt by other things.
    shown: (reply) => `${reply}▣`,
    error: "scripted error",
    errors: [400, 401],
    withoutOwnNoise,
    printsEveryText: true,
    silentUntilPrompted: true,

    submit,
    runs,
    interrupt: async (terminal) => {
      // The model may be asked before the screen tells so, and until then the key does something else.
      await terminal.waitForScreen("that something runs", (screen) => runs(screen) || screen.includes(PERMISSION));
      // A dialog takes the key, and a refusal ends the turn.
      if (terminal.screen().includes(PERMISSION)) return variant.deny(terminal);
      await insist(
        () => terminal.press("escape"),
        (within) => terminal.waitForScreen("that nothing runs", (screen) => !runs(screen), within / 4),
      );
    },
    commands: { clear: "/new", compact: "/compact", quit: "/exit" },

    harmless: tool("bash", { command: "echo harmless", description: "Say something" }),
    subagent: (script) => tool("task", { description: "A helper", prompt: script, subagent_type: "general" }),
    waitsForSubagent: true,
    permission: {
      tool: "bash",
      shown: PERMISSION,
      script: (file) => tool("bash", { command: `touch ${file}`, description: "Make a file" }),
      allow: hand("\r", PERMISSION),
      deny: variant.deny,
      ...(variant.denyWith && { denyWith: variant.denyWith }),
      refusalEndsTurn: true,
    },
    question: {
      tool: "question",
      shown: QUESTION,
      script: (question, options) =>
        tool("question", {
          questions: [
            { question, header: "Choice", options: options.map((label) => ({ label, description: `${label}, please` })) },
          ],
        }),
      answer: hand("1", QUESTION),
      cancel: hand("\x1b", QUESTION),
    },
    inside: {
      shows: (screen, line) => squash(screen).includes(squash(`moth> ${line}`)),
      talk: async (terminal, text) => {
        await submit(terminal, "/moth");
        await terminal.waitForText(FIELD);
        terminal.type(text);
        await terminal.waitForText(text);
        keepPicture(`${variant.id}-field`, terminal.screen());
        await hand("\r", FIELD)(terminal);
      },
    },
    answers: { door: "the calls its windows make, from moth's plugin", permission: true, question: true },
    orders: { door: "the calls its windows make, from moth's plugin", abort: true },
    settings: (home) => join(configDir(home), "plugins", "moth.js"),
    handWritten: (home) => ({
      file: join(configDir(home), `${name}.jsonc`),
      // With a schema: without one it writes it in.
      text: '{\r\n   "$schema": "https://example.invalid/schema.json", // mine\r\n\t"username": "me",   "plugin": [],}',
    }),
    secondWay: (folder, home) => {
      mkdirSync(folder, { recursive: true });
      const copy = join(folder, "moth.js");
      copyFileSync(PLUGIN, copy);
      writeFileSync(join(configDir(home), `${name}.json`), JSON.stringify({ plugin: [copy] }));
      return [];
    },
    notApplicable: variant.notApplicable,
  };
}

/** OpenCode 1.18.33. */
export const openCode: HarnessDriver = openCodeLike({
  id: "opencode",
  program: join("node_modules", "opencode-ai", "bin", "opencode.exe"),
  name: "opencode",
  prefix: "OPENCODE",
  companion: ["@opencode-ai/plugin", "1.18.33"],
  deny: hand("\x1b", PERMISSION),
  notApplicable: { plan: "its model cannot ask for a plan to be approved" },
});

export const reject: Hand = async (terminal) => {
  await insist(
    () => terminal.press("escape"),
    (within) => terminal.waitForText(ADVICE, within),
  );
  await hand("\r", ADVICE)(terminal);
};

export const rejectWith = async (terminal: Terminal, advice: string): Promise<void> => {
  await insist(
    () => terminal.press("escape"),
    (within) => terminal.waitForText(ADVICE, within),
  );
  terminal.type(advice);
  await terminal.waitForText(advice);
  await hand("\r", ADVICE)(terminal);
};

function settings(modelUrl: string): object {
  const model = { name: "Fake One", tool_call: true, limit: { context: 100_000, output: 4000 } };
  return {
    autoupdate: false,
    share: "disabled",
    lsp: false,
    formatter: false,
    enabled_providers: ["fake"],
    provider: {
      fake: {
        npm: "@ai-sdk/openai-compatible",
        name: "Fake",
        options: { baseURL: `${modelUrl}/v1`, apiKey: "scripted" },
        models: { "fake-1": model },
      },
    },
    model: "fake/fake-1",
    small_model: "fake/fake-1",
    permission: { bash: { "*": "ask", "echo *": "allow" } },
  };
}

async function submit(terminal: Terminal, prompt: string): Promise<void> {
  await terminal.waitForScreen("its composer", ready);
  const command = prompt.startsWith("/");
  // A command is found by typing it; a prompt is pasted, since of keys some would switch modes.
  terminal.type(command ? prompt : `\x1b[200~${prompt}\x1b[201~`);
  const end = squash(prompt).slice(-12);
  const holds = (screen: string): boolean => {
    const typed = squash(composer(screen));
    // A long text is folded up.
    return typed.includes(end) || typed.includes("[Pasted");
  };
  await terminal.waitForScreen(`the typed prompt, …${end}`, holds);
  await insist(
    () => terminal.press("enter"),
    (within) => terminal.waitForScreen("that the prompt is sent", (screen) => !holds(screen), within),
  );
}

function ready(screen: string): boolean {
  return (
    screen.includes("ctrl+p commands") &&
    !runs(screen) &&
    ![PERMISSION, ADVICE, QUESTION].some((dialog) => screen.includes(dialog))
  );
}

function runs(screen: string): boolean {
  return /esc (again )?(to )?interrupt/.test(screen);
}

/** What stands in the composer: the framed lines above the last closed frame. */
function composer(screen: string): string {
  const lines = screen.split("\n");
  const bottom = lines.findLastIndex((line) => line.includes("╹▀"));
  let top = bottom;
  while (top > 0 && lines[top - 1]?.includes("┃")) top--;
  // A word that is broken between two lines must not have the frame in its middle.
  return lines.slice(top, bottom).join("\n").replaceAll("┃", "");
}

function continued({ resume, fork }: { resume?: string; fork?: boolean }): string[] {
  return [...(resume ? ["--session", resume] : []), ...(fork ? ["--fork"] : [])];
}

function tool(name: string, input: object): string {
  return `[[tool: ${name} ${JSON.stringify(input)}]]`;
}

/** Lines in which a one-shot run tells what it does: who answers, a tool and its output, a refusal. */
const NOISE = [
  /^> \w+ · fake-1$/,
  /^\$ echo harmless$/,
  /^harmless$/,
  /^! permission requested: bash \(.*\); auto-rejecting$/,
  /^✗ .* failed$/,
  /^Error: The user rejected permission to use this specific tool call\.$/,
  /^[•✓] A helper/,
  /^$/,
];
/** Kilo calls a run failed whose tool was refused. */
const REFUSED = "Error: run ended with an auto-rejected permission; pass --auto for autonomous use";

function withoutOwnNoise(run: Finished): Finished {
  // oxlint-disable-next-line no-control-regex -- it colours them even where nobody looks
  const lines = run.stderr.replace(/\x1b\[[0-9;]*m/g, "").split("\n");
  const others = lines.filter((line) => !NOISE.some((noise) => noise.test(line.trim())));
  const stderr = others.filter((line) => line !== REFUSED);
  return { ...run, code: others.length > stderr.length && run.code === 1 ? 0 : run.code, stderr: stderr.join("\n") };
}
