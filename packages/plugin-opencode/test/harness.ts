/** Gives events to the built plugin in a harness of our own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Ran, runHost, type RunOptions } from "../../core/test/host.ts";
import { type Heard, story as storyOf } from "../../core/test/listening-moth.ts";

const root = join(import.meta.dirname, "..");
export const PLUGIN: string = join(root, "dist", "moth.js");

/** An event as the harness's bus carries it; or what is none of the harness's: a file, or milliseconds in which nothing happens. */
export type Given = BusEvent | { wait: number } | { write: { file: string; text: string } };

export interface BusEvent {
  type: string;
  properties: Record<string, unknown>;
}

/** Events as a real harness sent them. */
export function recording(name: string): BusEvent[] {
  const lines = readFileSync(join(root, "fixtures", `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as BusEvent);
}

interface About {
  exports: string[];
  hooks: string[];
}

interface Options extends RunOptions {
  infos?: Record<string, unknown>;
  hostile?: boolean;
}

export function run(
  events: readonly Given[],
  url: string,
  { infos = {}, hostile = false, ...options }: Options = {},
): Promise<Ran & About> {
  return runHost<About>(join(import.meta.dirname, "host.mjs"), { plugin: PLUGIN, events, infos, hostile }, url, options);
}

/** The state beside a reply says nothing here: that the session is idle comes by itself. */
export function story(heard: readonly Heard[]): string[] {
  return storyOf(heard).map((line) => line.replace(/", works on$/, '"'));
}
