/** Codex runs a hook only when the person trusts it, word for word. Whether they do, and that they do, goes through Codex itself. */
import { userHome } from "@moth-companion/core/paths";
import { isHookCommand } from "../install/launcher.ts";
import { readShellLine } from "../install/shell-line.ts";
import type { InstallOptions, PlanRequest } from "../types.ts";
import { type AppServer, type HookList, type ListedHook, PATIENT_MS, withAppServer } from "./app-server.ts";
import { findCodex } from "./detect.ts";
import { EVENTS, SOURCE } from "./payload.ts";

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
 */
export async function requestTrust(options: InstallOptions, changing: boolean): Promise<PlanRequest | undefined> {
  const listed = changing ? undefined : await listOurHooks(options);
  if (listed && listed.ours.length >= EVENTS.length && listed.ours.every(isTrusted)) return undefined;
  return { summary: `to trust moth's ${EVENTS.length} hooks, as you would in its /hooks`, run: () => trust(options) };
}

export function isTrusted({ trust }: ListedHook): boolean {
  return trust === "trusted" || trust === "managed";
}

async function trust(options: InstallOptions): Promise<{ ok: boolean; note: string }> {
  const byHand = "Start codex and trust them there: it asks, or type /hooks.";
  const program = findCodex(options.env);
  if (program === undefined)
    return { ok: false, note: `Codex was not found on PATH, so it could not be asked to trust moth's hooks. ${byHand}` };
  try {
    const work = async (server: AppServer): Promise<{ ok: boolean; note: string }> => {
      const { ours } = await list(server, options);
      if (ours.length === 0) return { ok: false, note: `Codex does not see moth's hooks. See: moth hooks` };
      await server.trustHooks(ours.filter((hook) => !isTrusted(hook)));
      const after = await list(server, options);
      const ok = after.ours.every(isTrusted);
      return {
        ok,
        note: ok ? `Codex trusts moth's ${after.ours.length} hooks.` : `Codex still does not trust moth's hooks. ${byHand}`,
      };
    };
    return await withAppServer(program, options.env, work, PATIENT_MS);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, note: `Codex could not be asked to trust moth's hooks (${why}). ${byHand}` };
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
