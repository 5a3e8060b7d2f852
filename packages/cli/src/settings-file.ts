import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readConfig } from "@moth-companion/core/config";
import { makeFolder } from "@moth-companion/core/folder";
import { configFile, type Env } from "@moth-companion/core/paths";
import { Failure } from "./errors.ts";
import type { SettingKey, SettingValue } from "./settings.ts";

/**
 * Writes one setting, or takes it out with `undefined`. Other keys stay; a reader sees the old file or the new one, never half.
 * @throws Failure FILE when the file is broken (it is left as it is) or cannot be written
 */
export function writeSetting(env: Env, key: SettingKey, value: SettingValue | undefined): void {
  const read = readConfig(env);
  if (!read.ok) {
    throw new Failure("FILE", `${read.file} ${read.problem}, so nothing was written`, "Mend it or move it away, then try again");
  }
  const config: Record<string, unknown> = { ...read.config };
  if (value === undefined) delete config[key];
  else config[key] = value;
  const file = configFile(env);
  try {
    makeFolder(dirname(file), 0o700);
    replace(file, `${JSON.stringify(config, undefined, 2)}\n`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Failure(
      "FILE",
      `${file} cannot be written (${code})`,
      "Check who owns it and its folder, and the free space",
      error,
    );
  }
}

function replace(link: string, text: string): void {
  const file = resolved(link);
  const mode = modeOf(file);
  const fresh = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(fresh, text, { mode, flag: "wx" });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Through a link, as dotfile managers make them, to the file that is meant. */
function resolved(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function modeOf(file: string): number {
  try {
    return statSync(file).mode & 0o777;
  } catch {
    return 0o600;
  }
}
