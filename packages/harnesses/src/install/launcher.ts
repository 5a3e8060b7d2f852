/**
 * moth's stable launcher: what hook entries in harness settings point at. An upgrade, a Node that moved or a new checkout changes this
 * file or the program beside it, never a harness's settings.
 */
import { dirname, join } from "node:path";
import { type Env, mothHome } from "@moth-companion/core/paths";
import type { FileChange, InstallOptions } from "../types.ts";
import { PlanError } from "./plan-error.ts";
import { readBytes } from "./text-file.ts";

/** What a hook entry runs: a program and its arguments, for harnesses that start it without a shell. */
export interface HookCommand {
  command: string;
  args: string[];
}

export function launcherFile(env: Env): string {
  return join(mothHome(env), "bin", "moth-hook");
}

export function programFile(env: Env): string {
  return join(mothHome(env), "lib", "moth-hook.cjs");
}

/** The code that the program file runs, which lies beside it, as built and as installed. */
export function codeFile(program: string): string {
  return join(dirname(program), "moth-hook-program.js");
}

/**
 * How a harness calls moth's hook.
 * @param harness its id, and what else the hook is to know
 */
export function hookCommand(
  { env, node }: InstallOptions,
  harness: readonly string[],
  platform: string = process.platform,
): HookCommand {
  // Windows runs no shell script without a shell; there the settings name the Node themselves.
  if (platform === "win32") return { command: node, args: [programFile(env), ...harness] };
  return { command: launcherFile(env), args: [...harness] };
}

/** Whether a command is moth's own for that harness: of this installation, an older one, or one that moved. */
export function isHookCommand(command: unknown, args: unknown, harness: string): boolean {
  if (typeof command !== "string" || !Array.isArray(args)) return false;
  const words: unknown[] = args;
  if (endsIn(command, "bin", "moth-hook")) return words[0] === harness;
  return typeof words[0] === "string" && endsIn(words[0], "lib", "moth-hook.cjs") && words[1] === harness;
}

/** The moth folder a hook command of moth's belongs to. */
export function hookHome(command: unknown, args: unknown): string | undefined {
  const program: unknown = Array.isArray(args) ? args[0] : undefined;
  if (typeof command === "string" && endsIn(command, "bin", "moth-hook")) return dirname(dirname(command));
  return typeof program === "string" && endsIn(program, "lib", "moth-hook.cjs") ? dirname(dirname(program)) : undefined;
}

function endsIn(path: string, ...names: string[]): boolean {
  const parts = path.split(/[\\/]/);
  return parts.length > names.length && names.every((name, index) => parts[parts.length - names.length + index] === name);
}

/** Puts launcher and program in their place, where they are not already. @throws PlanError */
export function launcherChanges(options: InstallOptions, platform: string = process.platform): FileChange[] {
  const { env, hookProgram } = options;
  const installed = programFile(env);
  const files: FileChange[] = [
    // First, so that whatever starts finds it.
    own(codeFile(installed), built(codeFile(hookProgram), options), 0o644, "the hook program"),
    own(installed, built(hookProgram, options), 0o644, "what starts it"),
  ];
  if (platform !== "win32") files.push(own(launcherFile(env), Buffer.from(launcherScript(options)), 0o755, "its launcher"));
  return files.filter(({ before, after }) => !before || !after?.equals(before));
}

function built(file: string, { hookProgram }: InstallOptions): Buffer {
  const bytes = readBytes(file);
  if (bytes) return bytes;
  throw new PlanError("ACCESS", `moth's hook program is missing (${file}). Reinstall moth, or build the checkout.`, {
    file: hookProgram,
  });
}

function own(file: string, after: Buffer, mode: number, summary: string): FileChange {
  return { file, before: readBytes(file), after, mode, own: true, summary };
}

/** Where Node is found when the recorded one is gone and PATH has none: package and version managers. As words of a shell. */
const USUAL_PLACES = [
  "/opt/homebrew/bin/node",
  "/usr/local/bin/node",
  "/usr/bin/node",
  "/run/current-system/sw/bin/node",
  '"$HOME"/.nix-profile/bin/node',
  '"$HOME"/.volta/bin/node',
  '"$HOME"/.local/share/mise/shims/node',
  '"$HOME"/.asdf/shims/node',
  '"$HOME"/.local/share/fnm/aliases/default/bin/node',
  '"$HOME"/.nvm/versions/node/*/bin/node',
];

/** The launcher's text. It knows no harness: what it is called with goes on to the program. */
export function launcherScript({ env, node }: InstallOptions): string {
  const home = mothHome(env);
  return `#!/bin/sh
# Starts moth's hook program. Made by \`moth hook\`. Always succeeds and decides nothing: the harness must not notice it.
MOTH_HOME=\${MOTH_HOME:-${quote(home)}}
export MOTH_HOME
# Whoever started this: the harness, for those whose hooks are not told its process.
MOTH_CALLER=$PPID
export MOTH_CALLER
# What is true of the person's own programs need not hold for this one.
unset NODE_OPTIONS
# For a harness that wants an answer: one that decides nothing.
if [ "\${2-}" = answer ]; then echo '{}' 2>/dev/null; fi
if [ "\${2-}" = if-waiting ]; then
  for wait in "$MOTH_HOME/run/waits/\${1-}".*; do break; done
  [ -e "$wait" ] || exit 0
fi
# One that asks the person hands the harness the answer.
case "\${2-}" in
  asks | holds) if true 2>/dev/null 3>&1; then exec 3>&1; else exec 3>/dev/null; fi ;;
  *) exec 3>/dev/null ;;
esac
for node in ${quote(node)} node \\
  ${USUAL_PLACES.join(" \\\n  ")}; do
  # A Node that is too old fails before it reads anything: then the next one gets its turn.
  command -v "$node" >/dev/null 2>&1 && "$node" ${quote(join(home, "lib", "moth-hook.cjs"))} "$@" >&3 3>&- 2>/dev/null && exit 0
done
exit 0
`;
}

/** The Node that an installed launcher tries first: the one that was there when it was made. */
export function launcherNode(env: Env): string | undefined {
  const text = readBytes(launcherFile(env))?.toString("utf8") ?? "";
  return /^for node in '((?:[^']|'\\'')+)'/m.exec(text)?.[1]?.replaceAll("'\\''", "'");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
