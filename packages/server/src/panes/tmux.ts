/** tmux by its own command line. Seen with tmux 3.3a. */
import type { Env } from "@moth-companion/core/paths";
import type { Pane } from "@moth-companion/core/pane";
import { runProgram } from "../run-program.ts";

type TmuxPane = Extract<Pane, { kind: "tmux" }>;

interface Client {
  name: string;
  session: string;
  /** Seconds since 1970 of its last key. */
  active: number;
  flags: readonly string[];
  /** What its terminal can do, as tmux knows it. */
  features: readonly string[];
}

/**
 * Brings the pane to the front of the client the person sits at: their own when `env` is of that server, else one that shows the pane's
 * session already, else the one used last.
 * @returns what else the person has to do, if anything
 * @throws Error with a sentence for the person
 */
export async function jumpInTmux(pane: TmuxPane, env: Env): Promise<string | undefined> {
  const session = await ask(pane, env, ["display-message", "-p", "-t", pane.id, "#{session_id}"]);
  if (session === "") throw new Error(`tmux knows no pane ${pane.id} any more`);
  await ask(pane, env, ["select-window", "-t", pane.id]);
  await ask(pane, env, ["select-pane", "-t", pane.id]);
  const client = await clientFor(pane, session, env);
  if (client === undefined) return `Nobody is attached to it. See it: tmux -S ${pane.where} attach -t '${session}'`;
  if (client.session !== session) await ask(pane, env, ["switch-client", "-c", client.name, "-t", session]);
  return undefined;
}

async function clientFor(pane: TmuxPane, session: string, env: Env): Promise<Client | undefined> {
  const clients = await clientsOf(pane, env);
  const isInside = env["TMUX"]?.startsWith(`${pane.where},`) && env["TMUX_PANE"];
  const own = isInside ? await ask(pane, env, ["display-message", "-p", "#{client_name}"]) : "";
  const latest = clients.toSorted((a, b) => b.active - a.active);
  return latest.find(({ name }) => name === own) ?? latest.find((one) => one.session === session) ?? latest[0];
}

/** Focus that is older than this may be a screen nobody sits at. */
const SITTING_S = 300;

/**
 * Whether the person has the pane before their eyes: it is the active one, in the shown window of a client whose terminal has the
 * focus and was typed into within five minutes. Only where tmux knows of the focus: `set -s focus-events on`, and a terminal that
 * tells. Without, every client counts as focused for ever (seen with tmux 3.3a).
 * @param now milliseconds since 1970
 */
export async function isSeenInTmux(pane: TmuxPane, env: Env, now: number, timeoutMs: number): Promise<boolean> {
  const format = "#{focus-events} #{pane_active} #{window_active} #{session_id}";
  const facts = await ask(pane, env, ["display-message", "-p", "-t", pane.id, format], timeoutMs);
  const [, session] = /^(?:1|on) 1 1 (\$\d+)$/.exec(facts) ?? [];
  if (session === undefined) return false;
  return (await clientsOf(pane, env, timeoutMs)).some(
    (client) =>
      client.session === session &&
      client.flags.includes("focused") &&
      client.features.includes("focus") &&
      now / 1000 - client.active < SITTING_S,
  );
}

async function clientsOf(pane: TmuxPane, env: Env, timeoutMs?: number): Promise<Client[]> {
  const format = "#{client_activity} #{session_id} #{client_flags} #{client_termfeatures} #{client_name}";
  const lines = await ask(pane, env, ["list-clients", "-F", format], timeoutMs);
  return lines
    .split("\n")
    .map((line) => /^(\d+) (\$\d+) (\S*) (\S*) (.+)$/.exec(line))
    .filter((found) => found !== null)
    .map(([, active, session = "", flags = "", features = "", name = ""]) => ({
      name,
      session,
      active: Number(active),
      flags: flags.split(","),
      features: features.split(","),
    }));
}

async function ask({ where }: TmuxPane, env: Env, args: readonly string[], timeoutMs?: number): Promise<string> {
  return (await runProgram(["tmux", "-S", where, ...args], env, timeoutMs)).trim();
}
