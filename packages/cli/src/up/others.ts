/** Moths of this person's folder that run elsewhere than where moth is looked for, such as one from before `moth config port`. */
import { mothAddress, reachable } from "@moth-companion/core/config";
import type { Address, Env } from "@moth-companion/core/paths";
import { closePipe, openPipe } from "@moth-companion/core/pipe";
import { readRunRecords, type RunRecord } from "@moth-companion/core/run-records";
import { type Probe, probe } from "../client.ts";

export interface KnownMoth {
  record: RunRecord;
  url: string;
}

/** Those of moth's folder at other ports, by port: their records name them, and they answer. */
export async function otherMoths(env: Env, at: Pick<Address, "port">): Promise<KnownMoth[]> {
  const records = readRunRecords(env).filter(({ port }) => port !== at.port);
  const found = await Promise.all(records.map((record) => recognized(record, env)));
  return found.filter((moth) => moth !== undefined);
}

async function recognized(record: RunRecord, env: Env): Promise<KnownMoth | undefined> {
  const found = await probe(env, addressOf(record));
  return isOf(record, found, env) ? { record, url: found.url } : undefined;
}

/** Where a moth of the record is reached. */
export function addressOf({ host, port }: Pick<RunRecord, "host" | "port">): Address {
  return { host: reachable(host), port };
}

/** Two witnesses, what answers and what was written down: a process id alone may be someone else's by now. */
export function isOf(record: RunRecord, found: Probe, env: Env): boolean {
  if (found.found === "busy") return readsPipe(addressOf(record), env);
  return found.found === "moth" && found.health.pid === record.pid;
}

function readsPipe(at: Address, env: Env): boolean {
  const pipe = openPipe(env, at);
  if (pipe === undefined) return false;
  closePipe(pipe);
  return true;
}

/** A line for each. */
export function tellOthers(others: readonly KnownMoth[], env: Env): string[] {
  return others.map((other) => {
    const { record, url } = other;
    if (isLookedFor(other, env))
      return `Your moth runs at ${url} (process ${record.pid}): there agents report. One beside it hears nothing of them.`;
    return `Another of yours runs at ${url} (process ${record.pid}), where nobody looks for it. To stop it: moth stop --port ${record.port}`;
  });
}

/** Whether it is the one that agents report to: by the settings alone, too, since `MOTH_URL` may hold in one window only. */
export function isLookedFor({ record: { port } }: KnownMoth, env: Env): boolean {
  return [env, { ...env, MOTH_URL: undefined }].some((one) => mothAddress(one)?.port === port);
}
