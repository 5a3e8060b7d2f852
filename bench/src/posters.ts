/** What one might write in place of the hook: a report on stdin, posted to moth. */
import { execFileSync } from "node:child_process";
import type { Goal } from "./figure.ts";
import type { Running } from "./processes.ts";

const PYTHON = `
import json, os, sys, urllib.request
report = json.load(sys.stdin)
with open(os.path.join(os.environ["HOME"], ".moth", "token"), encoding="utf-8") as file:
    token = file.read().strip()
headers = {"Content-Type": "application/json", "X-Moth-Token": token}
url = os.environ["MOTH_URL"] + "/api/agent"
urllib.request.urlopen(urllib.request.Request(url, json.dumps(report).encode(), headers), timeout=1).read()
`;

export interface Poster {
  name: string;
  program: string;
  args: string[];
  goal?: Goal;
}

/** Those that are on this machine. */
export function findPosters({ port, token }: Running): Poster[] {
  const python = findPython();
  const header = ["-H", "Content-Type: application/json", "-H", `X-Moth-Token: ${token}`];
  const curl = ["-sSf", "-m", "1", "-o", process.platform === "win32" ? "NUL" : "/dev/null", ...header, "-d", "@-"];
  return [
    // A hook that loads a language's own HTTP client is what others ship; this one must not cost more.
    ...(python === undefined
      ? []
      : [{ name: "Python and urllib", program: python, args: ["-c", PYTHON], goal: { of: "ratio", atMost: 1 } as const }]),
    // A C program without a language to start. It cannot be met by anything in Node; told to know the distance.
    ...(versionOf("curl") === undefined
      ? []
      : [{ name: "curl", program: "curl", args: [...curl, `http://127.0.0.1:${port}/api/agent`] }]),
  ];
}

/** The interpreter itself: what stands on PATH may be a script that looks for it. */
export function findPython(): string | undefined {
  for (const name of ["python3", "python"]) {
    try {
      return execFileSync(name, ["-c", "import sys; print(sys.executable)"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    } catch {
      // There is none of this name.
    }
  }
  return undefined;
}

/** The first line that a program says of itself; undefined where it is not on this machine. */
export function versionOf(program: string): string | undefined {
  try {
    const said = execFileSync(program, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return said.split("\n")[0]?.trim();
  } catch {
    return undefined;
  }
}
