/** A person's settings file as it stands: read whole, followed through links, its encoding checked. */
import { accessSync, constants, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { PlanError } from "./plan-error.ts";

export interface TextFile {
  bytes: Buffer;
  /** Without the byte order mark. */
  text: string;
  bom: boolean;
}

const BOM = "\uFEFF";

/**
 * @returns undefined when there is no file
 * @throws PlanError ACCESS when it may not be read or written, UNPARSABLE when it is not UTF-8
 */
export function readTextFile(file: string): TextFile | undefined {
  const bytes = readBytes(file);
  if (!bytes) return undefined;
  requireWritable(file);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes))
    throw new PlanError("UNPARSABLE", `${file} is not UTF-8, so moth leaves it alone. Save it as UTF-8 and try again.`, { file });
  const bom = text.startsWith(BOM);
  return { bytes, text: bom ? text.slice(1) : text, bom };
}

/** The bytes of a file after its text changed. */
export function encodeText(text: string, bom: boolean): Buffer {
  return Buffer.from(bom ? BOM + text : text, "utf8");
}

/** @throws PlanError ACCESS also for a pipe, a socket or a device: reading one may wait for ever */
export function readBytes(file: string): Buffer | undefined {
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) throw new PlanError("ACCESS", `${file} is a folder. Move it away and try again.`, { file });
    if (!stat.isFile()) throw new PlanError("ACCESS", `${file} is not a plain file. Move it away and try again.`, { file });
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof PlanError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP")
      throw new PlanError("ACCESS", `${file} is a link that leads to itself. Mend it and try again.`, { file, cause });
    throw new PlanError("ACCESS", `${file} cannot be read (${code}). Check who owns it.`, { file, cause });
  }
}

/** Whether by its modes or by its disk: what cannot be written is not tried. */
function requireWritable(file: string): void {
  const why = "moth does not change what is marked as read-only";
  const advice = "If another program manages this file, add moth's hooks there; else make it writable and try again.";
  try {
    accessSync(file, constants.W_OK);
    // The superuser may write anything; a file without any write bit is still meant to stay as it is.
    if (process.platform === "win32" || (statSync(file).mode & 0o222) !== 0) return;
  } catch (cause) {
    throw new PlanError("ACCESS", `${file} is read-only, and ${why}. ${advice}`, { file, cause });
  }
  throw new PlanError("ACCESS", `${file} is read-only, and ${why}. ${advice}`, { file });
}

/** The file behind any links, whether it exists or not: a write goes there, so that the link stays. */
export function followLinks(file: string): string {
  let path = resolve(file);
  for (let hops = 0; hops < 40; hops++) {
    // A link counts from the folder that it really lies in.
    path = join(realFolder(dirname(path)), basename(path));
    try {
      path = resolve(dirname(path), readlinkSync(path));
    } catch {
      return path;
    }
  }
  return path;
}

/** As far as it is there; what is missing of it will be made there. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return dirname(folder) === folder ? folder : join(realFolder(dirname(folder)), basename(folder));
  }
}
