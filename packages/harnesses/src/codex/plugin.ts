import { readBytes } from "../install/text-file.ts";
import { parseToml, type TomlValue } from "../install/toml-edit.ts";
import { field } from "./rollout.ts";

/** moth's plugins that are on, by Codex's settings: `moth@<marketplace>` (0.171.0). */
export function pluginsIn(file: string): string[] {
  const plugins = readConfig(file)["plugins"];
  if (typeof plugins !== "object" || plugins === null) return [];
  return Object.keys(plugins).filter((id) => id.startsWith("moth@") && field(field(plugins, id), "enabled") !== false);
}

/** Codex's settings; nothing when they cannot be read: of that Codex itself tells. */
export function readConfig(file: string): TomlValue {
  try {
    return parseToml(file, (readBytes(file)?.toString("utf8") ?? "").replace(/^\uFEFF/, ""));
  } catch {
    return {};
  }
}
