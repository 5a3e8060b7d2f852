import { existsSync, lstatSync, mkdirSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { PlanError } from "./plan-error.ts";
import { followLinks } from "./text-file.ts";

/**
 * The folders that will be made for a file, innermost first.
 * @throws PlanError ACCESS when the file or a folder on its way is a link into a folder that is not there: what a disk that is not
 * mounted or a checkout that is missing looks like. To make folders in its place would hide that.
 */
export function missingFolders(file: string): string[] {
  if (isLink(file) && !existsSync(dirname(followLinks(file)))) throw deadLink(file, file);
  const folders: string[] = [];
  for (let folder = dirname(file); !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder)) {
    if (isLink(folder)) throw deadLink(folder, file);
    folders.push(folder);
  }
  return folders;
}

/**
 * Makes a folder and those it is in. Step by step: Node's own way to make several at once never ends where none can be made and
 * each is said not to be there, as in Linux's `/proc`.
 * @param mode permission bits of the new ones
 * @throws the system's error
 */
export function makeFolder(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && dirname(path) !== path; path = dirname(path)) missing.push(path);
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, mode);
    } catch (error) {
      // Another moth was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(path)) throw error;
    }
  }
}

function deadLink(link: string, file: string): PlanError {
  const message = `${link} is a link to ${readlinkSync(link)}, which is not there. Make that folder or delete the link, and try again.`;
  return new PlanError("ACCESS", message, { file });
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
