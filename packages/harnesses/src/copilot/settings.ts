import { getNodeValue } from "jsonc-parser";
import { parseDocument } from "../install/jsonc.ts";
import { readTextFile } from "../install/text-file.ts";

/** A file of Copilot's settings; undefined when it is not there or cannot be read: of that Copilot itself tells. */
export function copilotSettings(file: string): unknown {
  try {
    const text = readTextFile(file)?.text;
    return text === undefined ? undefined : getNodeValue(parseDocument(file, text).root);
  } catch {
    return undefined;
  }
}
