/** Moths of this person's folder that run elsewhere than where moth is looked for, such as one from before `moth config port`. */
import { reachable } from "@moth-companion/core/config";
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

/** A line for each; nothing that happens is told to one of them. */
export function tellOthers(others: readonly KnownMoth[]): string[] {
  return others.map(
    ({ record, url }) =>
      `Another of yours runs at ${url} (process ${record.pid}), where nobody looks for it. To stop it: moth stop --port ${record.port}`,
  );
}
