import { getNodeValue } from "jsonc-parser";
import { readEntries } from "../install/hook-table.ts";
import { type Document, parseDocument } from "../install/jsonc.ts";
import { PlanError } from "../install/plan-error.ts";
import { readBytes } from "../install/text-file.ts";
import type { InstallOptions } from "../types.ts";
import { hookTable } from "./install.ts";

/** What one `settings.json` says of moth. */
export interface Settings {
  file: string;
  text: string;
  entries: { event: string; value: unknown }[];
  /** moth's plugins that are switched on, as the person would name them. */
  plugins: string[];
  disabled: boolean;
}

/** Settings that cannot be read come as a problem, a sentence. */
export function tryRead(file: string, options: InstallOptions): { file: string; settings?: Settings; problem?: string } {
  try {
    return { file, settings: readSettings(file, options) };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { file, problem: error.message };
  }
}

/** How moth is hooked in by one file: its entries, and plugins that are on. */
export function waysOf(settings: Settings | undefined): string[] {
  return settings ? [...(settings.entries.length > 0 ? [settings.file] : []), ...settings.plugins] : [];
}

function readSettings(file: string, options: InstallOptions): Settings {
  const text = (readBytes(file)?.toString("utf8") ?? "").replace(/^\uFEFF/, "");
  if (text.trim() === "") return { file, text, entries: [], plugins: [], disabled: false };
  const document = parseDocument(file, text);
  const value = settingsObject(document);
  return {
    file,
    text,
    entries: readEntries(document, hookTable(options)),
    plugins: enabledPlugins(value["enabledPlugins"]),
    disabled: value["disableAllHooks"] === true,
  };
}

function settingsObject({ root }: Document): Record<string, unknown> {
  return root.type === "object" ? (getNodeValue(root) as Record<string, unknown>) : {};
}

/** By the name in the plugin's own manifest. */
function enabledPlugins(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([name, on]) => name.startsWith("moth@") && on === true)
    .map(([name]) => `plugin ${name}`);
}
