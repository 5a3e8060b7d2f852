/** For tests: a home of its own with files in it, and what is in it afterwards. */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { InstallOptions } from "../src/types.ts";

export interface TestHome {
  path: string;
  options: InstallOptions;
  /** Absolute path of a file in it. */
  at(file: string): string;
  write(file: string, text: string | Buffer, mode?: number): void;
  read(file: string): string;
  /** Every file's contents by its path; folders end in a slash. moth's own folder and backups are left out. */
  tree(): Record<string, string>;
  backups(): string[];
  /** A named pipe, which a reader would wait at for ever. */
  makePipe(file: string): void;
  remove(): void;
}

export function makeTestHome(env: Record<string, string> = {}): TestHome {
  const path = mkdtempSync(join(tmpdir(), "moth home "));
  const at = (file: string): string => join(path, file);
  writeFileSync(at("program.cjs"), "// the hook program\n");
  writeFileSync(at("moth-hook-program.js"), "// its code\n");
  const options = { env: { HOME: path, USERPROFILE: path, ...env }, hookProgram: at("program.cjs"), node: process.execPath };
  const list = (): string[] => walk(path).map((file) => relative(path, file));
  return {
    path,
    // Harnesses with plugins ask for them; these tests hook none.
    options: { ...options, findPlugin: (name) => at(name) },
    at,
    write(file, text, mode) {
      mkdirSync(dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text, mode === undefined ? {} : { mode });
    },
    read: (file) => readFileSync(at(file), "utf8"),
    tree: () =>
      Object.fromEntries(
        list()
          .filter(
            (file) =>
              !file.startsWith(".moth") &&
              !file.includes(".bak-moth-") &&
              !["program.cjs", "moth-hook-program.js"].includes(file),
          )
          .map((file) => {
            const stat = lstatSync(at(file));
            return stat.isDirectory() ? [`${file}/`, ""] : [file, stat.isFile() ? readFileSync(at(file), "latin1") : "link"];
          }),
      ),
    backups: () => list().filter((file) => file.includes(".bak-moth-")),
    makePipe(file) {
      mkdirSync(dirname(at(file)), { recursive: true });
      execFileSync("mkfifo", [at(file)]);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...walk(path)] : [path];
  });
}
