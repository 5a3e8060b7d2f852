import { existsSync, lstatSync, readlinkSync } from "node:fs";
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

function deadLink(link: string, file: string): PlanError {
  const message = `${link} is a link to ${readlinkSync(link)}, which is not there. Make that folder or delete the link, and try again.`;
  return new PlanError("ACCESS", message, { file });
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
