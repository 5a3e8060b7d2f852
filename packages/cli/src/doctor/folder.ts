import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** What keeps moth from having its folder, and what to do about it; undefined: nothing. */
export function obstacle(folder: string): { message: string; advice: string } | undefined {
  let at = folder;
  let kind = kindOf(at);
  while (kind === "missing" && dirname(at) !== at) kind = kindOf((at = dirname(at)));
  const why = kind === "folder" ? (mayWrite(at) ? undefined : "may not be written to") : WHY[kind];
  if (why === undefined) return undefined;
  const mend = kind === "folder" ? (isMine(at) ? `Run chmod u+rwx ${at}` : undefined) : `Move ${at} away`;
  return {
    message: at === folder ? `${folder} ${why}` : `${folder} cannot be made: ${at} ${why}`,
    advice: mend ? `${mend}, or set MOTH_HOME to a folder of yours` : "Set MOTH_HOME to a folder of yours",
  };
}

const WHY = { file: "is a file, not a folder", link: "is a link that leads nowhere", missing: "is not there" };

function kindOf(path: string): "folder" | "file" | "link" | "missing" {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    return isThere(path) ? "link" : "missing";
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    // Also what cannot be looked at: what is in the way stands further up.
    return false;
  }
}

function isMine(folder: string): boolean {
  return process.getuid === undefined || statSync(folder).uid === process.getuid();
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
