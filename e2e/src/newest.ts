import { homedir } from "node:os";
import { findPython } from "../../packages/hermes-plugin/test/python.ts";
import { npm, pinned } from "./clis.ts";
import { inherited, run } from "./processes.ts";

/** The newest version of a harness's program that its registry has. @throws with what the registry said */
export async function newestVersion(id: string): Promise<string> {
  const { name, registry } = pinned(id);
  const python = findPython();
  const ask: readonly [string, ...string[]] =
    registry === "npm"
      ? [...npm(), "view", name, "version"]
      : [python.found ? python.program : "python3", "-m", "pip", "index", "versions", name, "--disable-pip-version-check"];
  const [program, ...args] = ask;
  const { code, stdout, stderr } = await run(program, args, { cwd: homedir(), env: inherited() });
  const version = /\d+\.\d+\.\d+[\w.+-]*/.exec(stdout)?.[0];
  if (code !== 0 || version === undefined) throw new Error(`no newest version of ${name}: ${stderr.trim() || stdout.trim()}`);
  return version;
}
