import { reachable } from "@moth-companion/core/config";
import { runsHere } from "@moth-companion/core/own-moth";
import { type Address, authority, tokenFile } from "@moth-companion/core/paths";
import { busy, createClient, type Probe, probe } from "../client.ts";
import { Failure } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { type Settings } from "../settings.ts";

/** Where a moth with these settings is reached from this machine. */
export function reachedAt(settings: Settings): Address {
  const host = settings.values.host;
  return { host: reachable(host === "localhost" ? "127.0.0.1" : host), port: settings.values.port };
}

/** The address of a moth with these settings. */
export function urlOf(settings: Settings): string {
  const { host, port } = reachedAt(settings);
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Whether the person's own moth runs there already; then it says so.
 * @throws Failure when something else holds the port, or a moth that is not the person's
 */
export async function isUpAlready(settings: Settings, io: Io): Promise<boolean> {
  const at = reachedAt(settings);
  const found = await probe(io.env, at);
  if (found.found === "nothing") return false;
  if (found.found === "other") throw portTaken(found, settings);
  if (found.found === "busy") throw busy(found.url);
  try {
    await createClient(io.env, at).sessions();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "TOKEN") throw error;
    const flag = settings.all.some(({ key, from }) => key === "port" && from === "flag") ? ` --port ${at.port}` : "";
    if (runsHere(at, io.env))
      throw new Failure(
        "FAILED",
        `your moth runs at ${found.url} (process ${found.health.pid}), and its token in ${tokenFile(io.env)} was changed or removed`,
        `Start it anew: moth stop${flag}, then moth up -d${flag}`,
        error,
      );
    throw new Failure(
      "FAILED",
      `a moth that is not yours runs at ${found.url} (process ${found.health.pid}): it does not take your token`,
      `Give yours another port. ${elsewhere(settings)}`,
      error,
    );
  }
  print(io, `moth ${found.health.version} is already running at ${found.url} (process ${found.health.pid}).`);
  return true;
}

/** Something that is no moth answers where moth should be. */
export function portTaken(found: Extract<Probe, { found: "other" }>, settings: Settings): Failure {
  return new Failure(
    "NOT_MOTH",
    `another program holds ${found.url}: ${found.what}`,
    `Stop it, or give moth another port. ${elsewhere(settings)}`,
  );
}

/** How to give moth another port: what holds now beats what is weaker, so only that helps. */
export function elsewhere(settings: Settings): string {
  const { host, port } = reachedAt(settings);
  const next = port < 65535 ? port + 1 : port - 1;
  const from = settings.all.find(({ key }) => key === "port")?.from;
  if (from === "flag") return `For example: --port ${next}`;
  if (from === "env") return `MOTH_URL says where: set it to http://${authority({ host, port: next })}, or unset it`;
  return `For example: moth config port ${next}`;
}
