import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findHarness } from "@moth-companion/harnesses";
import { onTestFinished } from "vitest";
import { cacheFolder } from "./clis.ts";
import type { HarnessDriver, StartOptions } from "./driver.ts";
import { type FakeModel, startFakeModel } from "./fake-model/server.ts";
import { leave, MARK, worldPrefix } from "./leftovers.ts";
import { describe, freePort, MOTH, type Moth, startMoth } from "./moth.ts";
import { type Finished, run } from "./processes.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { PATIENCE } from "./wait.ts";

export interface WorldOptions {
  /** The installed CLI's program. */
  program: string;
  /** Without a moth: nothing listens at its address. */
  moth?: boolean;
  /** Without moth's hooks. */
  hooked?: boolean;
  /** The person answers through moth. */
  answers?: boolean;
  /** moth may hold what is asked while the person is away. */
  holds?: boolean;
  /** Flags of `moth up` instead of those that make it react at once. */
  flags?: readonly string[];
  /** The `moth` command, a JavaScript file, instead of the built one. */
  command?: string;
  /** Settings of npm's for this home, as the text of its `.npmrc`. */
  npmrc?: string;
}

/** A harness at home in a world. */
interface Guest {
  /** The environment it starts with. */
  env: Record<string, string>;
  /** Runs one of its own commands to the end. */
  command(...args: string[]): Promise<Finished>;
  /** Runs it for one prompt. */
  oneShot(prompt: string, options?: RunHarness): Promise<Finished>;
  /** Starts it in a terminal and waits until a prompt can be typed. */
  open(options?: RunHarness): Promise<Tui>;
  /** Hooks moth in, as it is done for this harness. */
  hook(): Promise<Finished>;
}

/** A person's machine for the length of one test: a home, project folders, a model API, a moth, and a harness hooked to it. */
export interface World extends Guest {
  home: string;
  model: FakeModel;
  /** @throws when the world was made without one */
  moth: Moth;
  /** moth's address, whether it is there or not. */
  mothUrl: string;
  /** A project folder. Every folder of a world is trusted. */
  project: string;
  /** Another folder with the same name. */
  twin: string;
  /** Brings in one more harness, hooked. It works in `folder`, which is made. */
  join(harness: HarnessDriver, program: string, folder: string): Promise<Guest>;
  /** Runs the built `moth` command to its end. */
  moths(...args: string[]): Promise<Finished>;
  /** Starts the built `moth` command in a terminal. */
  mothTerminal(...args: string[]): Terminal;
  /** `moth start` of this harness in a terminal, in the project, with what its interactive start needs here. */
  start(...args: string[]): Tui;
  /** `moth resume` or `moth fork` in a terminal, in the home folder. */
  again(verb: "resume" | "fork", ...args: string[]): Tui;
}

interface RunHarness extends StartOptions {
  cwd?: string;
  env?: Record<string, string>;
  args?: readonly string[];
}

/** A harness in a terminal. */
export interface Tui extends Terminal {
  /** Sends a prompt or slash command, as soon as the harness takes one. */
  submit(prompt: string): Promise<void>;
}

export const LABEL = "moth repo";

/** Milliseconds a harness may take to its first prompt: some are hundreds of megabytes to load. */
export const START_TIME: number = PATIENCE * 2;

/** Makes a world. Ends everything in it when the test is over, and says what was seen when the test has failed. */
export async function openWorld(harness: HarnessDriver, options: WorldOptions): Promise<World> {
  const model = await startFakeModel();
  // The real path: a harness may call its folder by that, and the system's folder for temporary files may be a link.
  const home = realpathSync.native(mkdtempSync(join(tmpdir(), worldPrefix(process.env[MARK] ?? "by hand"))));
  const closing: (() => unknown)[] = [() => model.close()];
  const command = options.command ?? MOTH;
  const terminals: Terminal[] = [];
  let moth: Moth | undefined;
  onTestFinished(async ({ task }) => {
    // Said before anything is closed: the screens are part of it.
    if (task.result?.state === "fail") console.error(seen());
    for (const close of closing.toReversed()) await close();
    await leave(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const project = join(home, "work", LABEL);
  const twin = join(home, "other work", LABEL);
  for (const folder of [project, twin, join(home, "tmp")]) mkdirSync(folder, { recursive: true });
  if (options.npmrc !== undefined) writeFileSync(join(home, ".npmrc"), options.npmrc);

  const seen = (): string =>
    [
      `What moth heard (${harness.id}):`,
      ...(moth?.events.map((event) => `  ${describe(event)}`) ?? []),
      "What the model was asked:",
      ...model.requests.map(
        (request) => `  ${request.kind} ${request.session ?? ""} ${JSON.stringify(request.prompt.slice(0, 100))}`,
      ),
      ...(moth ? ["What moth printed:", moth.output()] : []),
      ...terminals.flatMap((terminal) => [`What the terminal of ${terminal.pid} shows:`, terminal.screen()]),
    ].join("\n");

  const port = await freePort();
  const mothUrl = `http://127.0.0.1:${port}`;
  const base: Record<string, string> = {
    ...bareEnvironment(home),
    MOTH_URL: mothUrl,
    // Node keeps there what it made of a CLI's programs: a start takes up to a third less of the processor.
    NODE_COMPILE_CACHE: join(cacheFolder(), "compiled"),
    ...(options.answers && { MOTH_ANSWERS: "on" }),
  };
  const runMoth = (args: readonly string[], whose: HarnessDriver, program: string): Promise<Finished> => {
    const PATH = whose.hookWith ? [dirname(program), base["PATH"]].join(delimiter) : (base["PATH"] ?? "");
    return run(process.execPath, [command, ...args], { cwd: home, env: { ...base, PATH } });
  };
  const terminal = (program: string, args: readonly string[], cwd: string, its: Record<string, string>): Terminal => {
    const opened = openTerminal(program, args, { cwd, env: its });
    terminals.push(opened);
    closing.push(() => opened.close());
    return opened;
  };

  const settle = (guest: HarnessDriver, program: string, folders: readonly [string, ...string[]]): Guest => {
    const surroundings = { home, modelUrl: model.url, program };
    const its = {
      ...base,
      ...(guest.startsItsSiblings && { PATH: [dirname(program), base["PATH"]].join(delimiter) }),
      ...guest.env(surroundings),
    };
    guest.seed(surroundings, folders);
    if (options.answers) guest.answers?.seed?.(surroundings, folders);
    return {
      env: its,
      command: (...args) => run(program, args, { cwd: folders[0], env: its }),
      oneShot: (prompt, how = {}) =>
        run(program, [...guest.oneShot(prompt, { ...how, home }), ...(how.args ?? [])], {
          cwd: how.cwd ?? folders[0],
          env: { ...its, ...how.env },
        }),
      async open(how = {}) {
        const args = [...guest.interactive({ ...how, home }), ...(how.args ?? [])];
        const opened = terminal(program, args, how.cwd ?? folders[0], { ...its, ...how.env });
        await opened.waitForScreen("that it takes a prompt", guest.ready, START_TIME);
        return { ...opened, submit: (prompt) => guest.submit(opened, prompt) };
      },
      hook: () => {
        const forAnswers = options.holds ? ["--answers"] : (options.answers && guest.answers?.hookWith) || [];
        const words = [...(guest.hookWith ?? []), ...forAnswers];
        return runMoth(["hook", guest.id, "--yes", ...words], guest, program);
      },
    };
  };
  /** A command of moth's that starts the harness: its program is on PATH then, by its usual name. */
  const mothStarts = (words: readonly string[], cwd: string): Tui => {
    const bin = join(home, "bin");
    if (!existsSync(bin)) {
      mkdirSync(bin);
      symlinkSync(options.program, join(bin, findHarness(harness.id)?.program ?? harness.id));
    }
    const PATH = [bin, first.env["PATH"]].join(delimiter);
    const all = [command, ...words, "--", ...harness.interactive({ home })];
    const opened = terminal(process.execPath, all, cwd, { ...first.env, PATH, PWD: cwd });
    return { ...opened, submit: (prompt) => harness.submit(opened, prompt) };
  };
  const first = settle(harness, options.program, [project, twin]);
  if (options.moth !== false) {
    moth = await startMoth({ cwd: home, env: base, port, command, ...(options.flags && { flags: options.flags }) });
    closing.push(() => moth?.stop());
  }
  if (options.hooked !== false) await hookIn(first, harness.id);

  return {
    ...first,
    home,
    model,
    mothUrl,
    project,
    twin,
    get moth() {
      if (!moth) throw new Error("This world has no moth.");
      return moth;
    },
    async join(other, program, folder) {
      mkdirSync(folder, { recursive: true });
      const guest = settle(other, program, [folder]);
      await hookIn(guest, other.id);
      return guest;
    },
    moths: (...args) => runMoth(args, harness, options.program),
    mothTerminal: (...args) => terminal(process.execPath, [command, ...args], home, base),
    start: (...args) => mothStarts(["start", harness.id, ...args], project),
    again: (verb, ...args) => mothStarts([verb, ...args], home),
  };
}

async function hookIn(guest: Guest, id: string): Promise<void> {
  const { code, stdout, stderr } = await guest.hook();
  if (code !== 0) throw new Error(`moth hook ${id} --yes ended with ${code}:\n${stdout}\n${stderr}`);
}

/** What every program needs and nothing else: whatever surrounds the test run must not leak into it. */
function bareEnvironment(home: string): Record<string, string> {
  const temporary = join(home, "tmp");
  const kept = ["SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "ProgramFiles", "ProgramData", "windir", MARK];
  const env = Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  if (process.platform === "win32") {
    const roaming = join(home, "AppData", "Roaming");
    const local = join(home, "AppData", "Local");
    return {
      ...env,
      PATH: process.env["PATH"] ?? "",
      USERPROFILE: home,
      HOME: home,
      APPDATA: roaming,
      LOCALAPPDATA: local,
      TEMP: temporary,
      TMP: temporary,
    };
  }
  const path = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"].join(delimiter);
  return { ...env, PATH: path, HOME: home, TMPDIR: temporary, SHELL: "/bin/sh", TERM: "xterm-256color", LANG: "C.UTF-8" };
}

/** A file's text; undefined when it is not there. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
