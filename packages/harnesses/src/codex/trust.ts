/** Codex runs a hook only when the person trusts it, word for word. Whether they do, and that they do, goes through Codex itself. */
import { userHome } from "@moth-companion/core/paths";
import { isHookCommand } from "../install/launcher.ts";
import { readShellLine } from "../install/shell-line.ts";
import type { InstallOptions, PlanRequest, RequestAnswer } from "../types.ts";
import { type AppServer, type HookList, type ListedHook, PATIENT_MS, withAppServer } from "./app-server.ts";
import { ConfigDamage, letCodexWrite, readForCodex } from "./config-guard.ts";
import { configFile, findCodex } from "./detect.ts";
import { EVENTS, SOURCE } from "./payload.ts";
import { noteTrust } from "./trust-note.ts";

export interface OurHooks extends HookList {
  /** moth's, of all that Codex lists. */
  ours: ListedHook[];
}

/**
 * @param projects folders whose hooks are looked at beside the person's
 * @returns undefined when Codex is not there or does not answer
 */
export async function listOurHooks(options: InstallOptions, projects: readonly string[] = []): Promise<OurHooks | undefined> {
  const program = findCodex(options.env);
  if (program === undefined) return undefined;
  try {
    return await withAppServer(program, options.env, (server) => list(server, options, projects));
  } catch {
    return undefined;
  }
}

/**
 * What `--trust` asks Codex for.
 * @param changing the hooks will be others than they are now
 * @returns undefined when Codex trusts them already
 * @throws PlanError when Codex must not write into its file
 */
export async function requestTrust(options: InstallOptions, changing: boolean): Promise<PlanRequest | undefined> {
  const listed = changing ? undefined : await listOurHooks(options);
  if (listed && areTrusted(listed.ours)) return undefined;
  const file = configFile(options);
  readForCodex(file);
  return { summary: `to trust moth's ${EVENTS.length} hooks, as you would in its /hooks`, file, run: () => trust(options) };
}

export function isTrusted({ trust }: ListedHook): boolean {
  return trust === "trusted" || trust === "managed";
}

/** None at all are none that are trusted. */
function areTrusted(ours: readonly ListedHook[]): boolean {
  return ours.length >= EVENTS.length && ours.every(isTrusted);
}

async function trust(options: InstallOptions): Promise<RequestAnswer> {
  const byHand = "Start codex and trust them there: it asks, or type /hooks.";
  const program = findCodex(options.env);
  if (program === undefined)
    return { ok: false, note: `Codex was not found on PATH, so it could not be asked to trust moth's hooks. ${byHand}` };
  const ask = <T>(work: (server: AppServer) => Promise<T>): Promise<T> => withAppServer(program, options.env, work, PATIENT_MS);
  try {
    const { ours } = await ask((server) => list(server, options));
    if (ours.length < EVENTS.length)
      return { ok: false, note: `Codex does not see ${ours.length === 0 ? "" : "all of "}moth's hooks. See: moth hooks` };
    const change = await letCodexWrite({
      file: configFile(options),
      keys: ours.map(({ key }) => key),
      write: () => ask((server) => server.trustHooks(ours.filter((hook) => !isTrusted(hook)))),
      // Another start of Codex: what counts is what it makes of the file as it is.
      async confirm() {
        const after = await ask((server) => list(server, options));
        if (!areTrusted(after.ours)) throw new Error("it still does not trust them");
      },
    });
    await noteTrust(options, change);
    return {
      ok: true,
      note: `Codex trusts moth's ${ours.length} hooks.`,
      ...(change.backup !== undefined && { backup: change.backup }),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // In its own /hooks it may well write the same.
    const next =
      error instanceof ConfigDamage
        ? "Write what stands there of `hooks` as Codex does, under [hooks.state], and try again; or trust them in codex's /hooks, with a copy of that file."
        : byHand;
    return { ok: false, note: `Codex could not be made to trust moth's hooks: ${why}. ${next}` };
  }
}

async function list(server: AppServer, { env, project }: InstallOptions, projects: readonly string[] = []): Promise<OurHooks> {
  const listed = await server.listHooks([project ?? userHome(env), ...projects]);
  const ours = listed.hooks.filter(({ command }) => {
    const { command: program, args } = readShellLine(command) ?? {};
    return isHookCommand(program, args, SOURCE);
  });
  return { ...listed, ours };
}
