/** The built hook program, and for each test a home, a moth of which only what it is asked for is real, and what was started. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { Moth } from "./fake-moth.ts";
import { buildHook, makeHome } from "./run-hook.ts";

/** A hook under way. */
export interface Running {
  child: ChildProcess;
  output: () => string;
  ended: Promise<unknown>;
}

export interface Stage {
  program: string;
  home: string;
  moth: Moth;
  /** Ended after the test. */
  children: ChildProcess[];
  /** What every hook's environment holds. */
  env(): Record<string, string>;
  /** Starts the hook and gives it its event. @param open leaves its input open, as some harnesses do */
  start(args: string[], options: { env: Record<string, string>; input: string; open?: boolean }): Running;
}

/** To be called once in a test file. What it returns holds good within each test. */
export function useStage(): Stage {
  const stage: Stage = {
    program: "",
    home: "",
    moth: new Moth(),
    children: [],
    env: () => ({
      PATH: process.env["PATH"] ?? "",
      HOME: stage.home,
      USERPROFILE: stage.home,
      MOTH_URL: `http://127.0.0.1:${stage.moth.port}`,
    }),
    start(args, { env, input, open }) {
      const child = spawn(process.execPath, [stage.program, ...args], { env });
      stage.children.push(child);
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
      child.stdin.write(input);
      if (!open) child.stdin.end();
      return { child, output: () => output, ended: once(child, "close") };
    },
  };
  beforeAll(() => {
    stage.program = buildHook();
  });
  afterAll(() => rmSync(dirname(stage.program), { recursive: true }));
  beforeEach(async () => {
    stage.home = makeHome();
    stage.moth = new Moth();
    await stage.moth.listen();
  });
  afterEach(async () => {
    for (const child of stage.children.splice(0)) child.kill("SIGKILL");
    await stage.moth.close();
    rmSync(stage.home, { recursive: true, force: true });
  });
  return stage;
}
