import { getNodeValue } from "jsonc-parser";
import type { InstallOptions } from "../types.ts";
import { readEntries } from "./hook-table.ts";
import { type Document, parseDocument } from "./jsonc.ts";
import { PlanError } from "./plan-error.ts";
import { hookTable, type SettingsHooks } from "./settings-hooks.ts";
import { readBytes } from "./text-file.ts";

/** What one `settings.json` says of moth. */
export interface Settings {
  file: string;
  text: string;
  /** The whole file's value. */
  value: Readonly<Record<string, unknown>>;
  entries: ReturnType<typeof readEntries>;
  /** Other ways in which moth is heard by these settings, as the person would name them. */
  others: string[];
}

/** Settings that cannot be read come as a problem, a sentence. */
export function tryRead(
  hooks: SettingsHooks,
  file: string,
  options: InstallOptions,
): { file: string; settings?: Settings; problem?: string } {
  try {
    return { file, settings: readSettings(hooks, file, options) };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { file, problem: error.message };
  }
}

/** How moth is hooked in by one file: its entries, and other ways. */
export function waysOf(settings: Settings | undefined): string[] {
  return settings ? [...(settings.entries.length > 0 ? [settings.file] : []), ...settings.others] : [];
}

function readSettings(hooks: SettingsHooks, file: string, options: InstallOptions): Settings {
  const text = (readBytes(file)?.toString("utf8") ?? "").replace(/^\uFEFF/, "");
  const document = text.trim() === "" ? undefined : parseDocument(file, text);
  const value = document ? settingsObject(document) : {};
  return {
    file,
    text,
    value,
    entries: document ? readEntries(document, hookTable(hooks, options)) : [],
    others: hooks.otherWays(value, file),
  };
}

function settingsObject({ root }: Document): Record<string, unknown> {
  return root.type === "object" ? (getNodeValue(root) as Record<string, unknown>) : {};
}
