/** moth's line above Claude Code's prompt, and messages to it, come with a plugin of their own, which Claude Code itself installs. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { InstallOptions } from "../types.ts";

const PLUGIN = "moth-band";
const MARKET = "moth";

/** How the person gets it, in a sentence; nothing when they have it. @param file Claude Code's settings */
export function bandNotes({ findPlugin, project }: InstallOptions, file: string): string[] {
  if (project !== undefined || isOn(file)) return [];
  let folder: string;
  try {
    folder = dirname(findPlugin("@moth-companion/claude-code/package.json"));
  } catch {
    return [];
  }
  // Claude Code goes on reading that folder, and npx throws away its own.
  if (/[\\/]_npx[\\/]/.test(folder)) return [];
  const command = `claude plugin install ${PLUGIN} --marketplace ${/\s/.test(folder) ? `"${folder}"` : folder}`;
  return [
    `moth's line above the prompt, and messages through moth, come with a plugin: ${command}, then: moth config show_in_harness on, or: moth config answers on`,
  ];
}

/** How the person who has it is rid of it, in a sentence. */
export function bandStays(file: string): string[] {
  return isOn(file)
    ? [`moth's line above the prompt stays: it is a plugin, which Claude Code takes out: claude plugin uninstall ${PLUGIN}`]
    : [];
}

function isOn(file: string): boolean {
  try {
    const { enabledPlugins } = JSON.parse(readFileSync(file, "utf8")) as { enabledPlugins?: Record<string, unknown> };
    return enabledPlugins?.[`${PLUGIN}@${MARKET}`] === true;
  } catch {
    return false;
  }
}
