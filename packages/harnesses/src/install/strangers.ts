/** What other programs have put beside moth: read to be recognised, never to be changed. What cannot be read says nothing. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { parse as parseYaml } from "yaml";
import { readBytes } from "./text-file.ts";
import { parseToml } from "./toml-edit.ts";

/** Every text in a settings file, or below some of its keys. The ending of its name tells what it is written in. */
export function textsInFile(file: string, keys?: readonly string[]): string[] {
  try {
    const text = (readBytes(file)?.toString("utf8") ?? "").replace(/^\uFEFF/, "");
    const value = valueOf(file, text);
    if (!keys) return textsIn(value);
    if (typeof value !== "object" || value === null) return [];
    const fields = value as Readonly<Record<string, unknown>>;
    return keys.flatMap((key) => textsIn(fields[key]));
  } catch {
    return [];
  }
}

/** The names in a folder. */
export function namesInFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Every text in the files of a folder that end so, and their names. */
export function textsInFolder(folder: string, ending: string): string[] {
  const names = namesInFolder(folder).filter((name) => name.endsWith(ending));
  return [...names, ...names.flatMap((name) => textsInFile(join(folder, name)))];
}

function valueOf(file: string, text: string): unknown {
  if (file.endsWith(".toml")) return parseToml(file, text);
  if (/\.ya?ml$/.test(file)) return parseYaml(text, { logLevel: "silent" });
  return parse(text) as unknown;
}

/** Names of members count, too, as plugins have them; but not of those that are off. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => (one === false ? [] : [name, ...textsIn(one)]));
}
