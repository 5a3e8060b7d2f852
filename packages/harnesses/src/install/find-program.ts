import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Env } from "@moth-companion/core/paths";

const VERSION_TIMEOUT_MS = 3000;

/** A program's path by its name: on PATH, else in the places given. Never from the current folder. */
export function findProgram(env: Env, name: string, places: readonly string[] = []): string | undefined {
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = process.platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD").split(";") : [""];
  const candidates = folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
  return [...candidates, ...places].find((path) => isProgram(path));
}

/** What `program --version` says, as `1.2.3`; undefined when it says nothing of the kind within 3 s. */
export function programVersion(env: Env, program: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      program,
      ["--version"],
      // On Windows a program may be a script that only a shell runs.
      {
        env: { ...env },
        timeout: VERSION_TIMEOUT_MS,
        killSignal: "SIGKILL",
        windowsHide: true,
        shell: /\.(cmd|bat)$/i.test(program),
      },
      (_error, stdout) => resolve(/\d+\.\d+\.\d+[\w+-]*(?:\.[\w+-]+)*/.exec(stdout)?.[0]),
    );
  });
}

function isProgram(path: string): boolean {
  try {
    const stat = statSync(path);
    return stat.isFile() && (process.platform === "win32" || (stat.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}
