import { execFileSync } from "node:child_process";

export type Python = { found: true; program: string; version: string } | { found: false; reason: string };

/** The first Python on PATH that Hermes 0.19.0 and moth's plugin run on: 3.11 or newer, below `before` when that is said. */
export function findPython(before = 99): Python {
  const seen: string[] = [];
  for (const program of ["python3", "python", "python3.13", "python3.12", "python3.11"]) {
    try {
      const version = execFileSync(program, ["-c", "import platform; print(platform.python_version())"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
      const [major = 0, minor = 0] = version.split(".").map(Number);
      if (major === 3 && minor >= 11 && minor < before) return { found: true, program, version };
      seen.push(`${program} is ${version}`);
    } catch {
      // There is none of this name.
    }
  }
  const wanted = before < 99 ? `Python 3.11 to 3.${before - 1}` : "Python 3.11 or newer";
  return { found: false, reason: `there is no ${wanted} on PATH (${seen.join(", ") || "no python at all"})` };
}
