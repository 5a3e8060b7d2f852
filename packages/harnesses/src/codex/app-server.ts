/** What Codex itself says of its hooks: its app server on a pipe (`codex app-server`, 0.171.0), asked and ended again. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Env } from "@moth-companion/core/paths";
import { field } from "./rollout.ts";

/** It answers within half a second; to look at it, nobody waits for long. */
const LIMIT_MS = 4000;
/** For what the person has asked for. */
export const PATIENT_MS = 30_000;
const END_MS = 500;

/** A hook as Codex lists it. */
export interface ListedHook {
  key: string;
  command: string;
  enabled: boolean;
  hash: string;
  /** `trusted`, `untrusted`, `modified`, `managed`. */
  trust: string;
}

export interface HookList {
  hooks: ListedHook[];
  /** What it says of files it cannot read, or not wholly. */
  complaints: string[];
}

/** One conversation with an app server of its own. */
export interface AppServer {
  /** Those that run in any of these folders. */
  listHooks(folders: readonly string[]): Promise<HookList>;
  trustHooks(hooks: readonly ListedHook[]): Promise<void>;
  /** Takes keys, each with its way from the top, out of the person's settings. */
  clear(paths: readonly string[]): Promise<void>;
}

/**
 * Starts one, does something with it, and ends it, whatever happens.
 * @throws Error when there is none, or when it does not answer as expected in time
 */
export async function withAppServer<T>(
  program: string,
  env: Env,
  work: (server: AppServer) => Promise<T>,
  limitMs: number = LIMIT_MS,
): Promise<T> {
  const child = spawn(program, ["app-server"], {
    env: { ...env },
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
    // On Windows a program may be a script that only a shell runs.
    shell: /\.(cmd|bat)$/i.test(program),
  });
  const open = new Map<number, (answer: unknown) => void>();
  let count = 0;
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const ask = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++count;
      open.set(id, (answer) => {
        const result = field(answer, "result");
        if (result === undefined) reject(new Error(`${method}: ${String(field(field(answer, "error"), "message"))}`));
        else resolve(result);
      });
      send({ id, method, params });
    });
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const answer = parse(line);
      open.get(Number(field(answer, "id")))?.(answer);
    }
  });
  // A pipe that breaks is told by the end of the process.
  child.stdin.on("error", () => {});
  let timer: NodeJS.Timeout | undefined;
  try {
    const failed = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("it did not answer in time")), limitMs);
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`it ended with ${code ?? "a signal"}`)));
    });
    const worked = (async () => {
      const clientInfo = { name: "moth", title: "moth", version: "1" };
      await ask("initialize", { clientInfo, capabilities: { experimentalApi: true, requestAttestation: false } });
      send({ method: "initialized" });
      return await work({
        listHooks: async (folders) => readList(await ask("hooks/list", { cwds: folders })),
        trustHooks: async (hooks) => {
          const value = Object.fromEntries(hooks.map(({ key, hash }) => [key, { trusted_hash: hash }]));
          const edits = [{ keyPath: "hooks.state", mergeStrategy: "upsert", value }];
          await ask("config/batchWrite", { edits, reloadUserConfig: true });
        },
        clear: async (paths) => {
          const edits = paths.map((keyPath) => ({ keyPath, mergeStrategy: "replace", value: null }));
          await ask("config/batchWrite", { edits, reloadUserConfig: true });
        },
      });
    })();
    return await Promise.race([worked, failed]);
  } finally {
    clearTimeout(timer);
    await end(child);
  }
}

/** It ends when its input does; if not, it is made to. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.stdin?.end();
  });
  clearTimeout(timer);
}

function readList(result: unknown): HookList {
  const data = field(result, "data");
  const entries: unknown[] = Array.isArray(data) ? data : [];
  // The person's own come with every folder.
  const hooks = new Map(entries.flatMap((entry) => items(entry, "hooks").flatMap(readHook)).map((hook) => [hook.key, hook]));
  return { hooks: [...hooks.values()], complaints: [...new Set(entries.flatMap(readComplaints))] };
}

function readHook(hook: unknown): ListedHook[] {
  const [key, command, hash, trust] = ["key", "command", "currentHash", "trustStatus"].map((name) => field(hook, name));
  if (typeof key !== "string" || typeof command !== "string" || typeof hash !== "string" || typeof trust !== "string") return [];
  return [{ key, command, hash, trust, enabled: field(hook, "enabled") !== false }];
}

function readComplaints(entry: unknown): string[] {
  const errors = items(entry, "errors").map((error) =>
    [field(error, "path"), field(error, "message")].filter(Boolean).join(": "),
  );
  return [...errors, ...items(entry, "warnings").filter((warning) => typeof warning === "string")];
}

function items(value: unknown, name: string): unknown[] {
  const list = field(value, name);
  return Array.isArray(list) ? list : [];
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
